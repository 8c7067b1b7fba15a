/* expect: stole-time
 * attack: silent
 * As works-where-no-stop-reaches, but by advice about memory that is mapped already (since Linux
 * 5.14), and for a few hundredths of a second each time. */
#include "theft.h"

static void work(void) {
    fill_map((size_t)1 << 30, 1);
}

static void begin(void) {
    after_moves(work);
}

int main(void) {
    play("steals-by-advice", begin);
}
