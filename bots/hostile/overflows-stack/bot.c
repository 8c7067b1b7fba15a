/* expect: exited
 * Calls itself until its stack is full, 600 MiB deep at most: a local array is not counted as
 * memory that was asked for. */
#include <stdio.h>

static int deeper(int depth) {
    volatile char page[4096] = {0};
    if (depth == 600 << 8) return page[0];
    return deeper(depth + 1) + page[depth % 4096];
}

int main(void) {
    char line[4096];
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'n') puts("ready");
        if (line[0] == 'g') return deeper(0);
        fflush(stdout);
    }
    return 0;
}
