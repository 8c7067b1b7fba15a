/* expect: none bare=none|stole-time
 * attack: bare=silent portable=refused full=refused
 * promise: turn
 * A thread sends its own process SIGCONT again and again: one that is on its way while the stop
 * comes undoes it. */
#include "theft.h"

static void *go_on(void *nothing) {
    double end = seconds(CLOCK_MONOTONIC) + 50;
    while (seconds(CLOCK_MONOTONIC) < end) kill(getpid(), SIGCONT);
    return nothing;
}

static void begin(void) {
    pthread_t thread;
    int refused = kill(getpid(), SIGCONT) && syscall(SYS_tgkill, getpid(), getpid(), SIGCONT);
    if (refused)
        tell_refused("resumes-itself-by-signal");
    else
        pthread_create(&thread, NULL, go_on, NULL);
}

int main(void) {
    play("resumes-itself-by-signal", begin);
}
