/* expect: stole-time
 * attack: silent
 * As works-where-no-stop-reaches, but 12 ms a turn: below what is allowed in a turn, and above what
 * is allowed in a game of fifty turns. */
#include "theft.h"

static size_t bytes = (size_t)1 << 20;

/* What is too much and too little next time follows from what it took this time. */
static void work(void) {
    double began = seconds(CLOCK_THREAD_CPUTIME_ID);
    fill_map(bytes, 0);
    double took = seconds(CLOCK_THREAD_CPUTIME_ID) - began;
    double factor = 0.012 / took;
    if (factor > 4) factor = 4;
    bytes = (size_t)(bytes * factor) & ~(size_t)0xfffff;
    if (!bytes) bytes = (size_t)1 << 20;
}

/* Finds out how much it can do in its time; the map is filled in its own turn for that. */
static void begin(void) {
    for (int attempt = 0; attempt < 10; attempt++) work();
    after_moves(work);
}

int main(void) {
    play("steals-thinly", begin);
}
