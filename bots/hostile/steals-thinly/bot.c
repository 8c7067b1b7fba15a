/* expect: stole-time
 * attack: silent
 * As works-where-no-stop-reaches, but 8 ms a turn: below what is allowed in a turn, and above what
 * is allowed in a game of fifty turns. */
#include "theft.h"

static size_t bytes = (size_t)64 << 20;

static void work(void) {
    fill_map(bytes, 0);
}

/* Finds out how much it can do in its time; the map is filled in its own turn for that. */
static void begin(void) {
    double least = 1;
    for (int attempt = 0; attempt < 5; attempt++) {
        double began = seconds(CLOCK_THREAD_CPUTIME_ID);
        work();
        double took = seconds(CLOCK_THREAD_CPUTIME_ID) - began;
        if (took < least) least = took;
    }
    bytes = (size_t)(bytes / least * 0.008) & ~(size_t)0xfffff;
    after_moves(work);
}

int main(void) {
    play("steals-thinly", begin);
}
