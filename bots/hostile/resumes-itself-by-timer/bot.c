/* expect: bare=stole-time portable=none full=none
 * attack: bare=silent portable=refused full=refused
 * promise: turn
 * Timers that it sets with each move send it SIGCONT, one a millisecond: each ends a stop, and a
 * thread then computes. */
#include "theft.h"

enum { COUNT = 24 };

static timer_t timers[COUNT];

static void set_timers(void) {
    for (int number = 0; number < COUNT; number++) {
        struct itimerspec once = {.it_value = {0, (number + 1) * 1000000L}};
        timer_settime(timers[number], 0, &once, NULL);
    }
}

static void begin(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    pthread_t thread;
    for (int number = 0; number < COUNT; number++) {
        if (timer_create(CLOCK_MONOTONIC, &event, &timers[number])) {
            tell_refused("resumes-itself-by-timer");
            return;
        }
    }
    before_moves = set_timers;
    pthread_create(&thread, NULL, spin, NULL);
}

int main(void) {
    play("resumes-itself-by-timer", begin);
}
