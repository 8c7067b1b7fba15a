/* expect: bare=stole-time portable=none full=none
 * attack: bare=silent portable=refused full=refused
 * promise: turn
 * The kernel sends it SIGCONT each millisecond, which ends every stop; a thread then computes. */
#include "theft.h"

static void begin(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    timer_t timer;
    pthread_t thread;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) {
        tell_refused("resumes-itself-by-timer");
        return;
    }
    timer_settime(timer, 0, &often, NULL);
    pthread_create(&thread, NULL, spin, NULL);
}

int main(void) {
    play("resumes-itself-by-timer", begin);
}
