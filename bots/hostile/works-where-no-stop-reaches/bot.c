/* expect: stole-time
 * attack: silent
 * While its opponent thinks a thread is in a system call that no stop interrupts, and that takes
 * the core for a quarter of a second and more. */
#include "theft.h"

static void work(void) {
    fill_map((size_t)8 << 30, 0);
}

static void begin(void) {
    after_moves(work);
}

int main(void) {
    play("works-where-no-stop-reaches", begin);
}
