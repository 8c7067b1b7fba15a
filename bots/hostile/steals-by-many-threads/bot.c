/* expect: none|stole-time
 * attack: silent
 * Sixteen threads never rest. All are stopped, so that what they get before a stop reaches them is
 * little; it loses where that adds up to more than is allowed. */
#include "theft.h"

static void begin(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    for (int count = 0; count < 16; count++) {
        pthread_t thread;
        pthread_create(&thread, &small, spin, NULL);
    }
}

int main(void) {
    play("steals-by-many-threads", begin);
}
