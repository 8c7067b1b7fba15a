/* expect: would-not-start */
/* attack: silent */
/* Its dynamic loader, which the kernel opens as it does an interpreter, is a foreign file. */
int main(void) {
    return 0;
}
