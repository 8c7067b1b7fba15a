/* expect: did-not-build */
int main(void) { return nothing; }
