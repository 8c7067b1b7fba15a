/* What bots share that use the core while their opponent thinks: the game, and a thread that is
 * set to work as each move is sent. Nothing of it lasts longer than 50 s. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static sem_t moved;

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

/* Computes, whenever it is let. */
static inline void *spin(void *nothing) {
    double end = seconds(CLOCK_MONOTONIC) + 50;
    while (seconds(CLOCK_MONOTONIC) < end) {}
    return nothing;
}

static void *work_after_moves(void *work) {
    for (;;) {
        while (sem_wait(&moved)) {}
        ((void (*)(void))work)();
    }
    return NULL;
}

/* Lets a thread do this after each move. */
static inline void after_moves(void (*work)(void)) {
    pthread_t thread;
    pthread_create(&thread, NULL, work_after_moves, (void *)work);
}

/* A system call that goes on for long and that only death interrupts: it maps the page of zeros
 * again and again. Pages are small ones, and no memory is taken but for their table, 2 MiB for each
 * GiB. */
static inline void fill_map(size_t bytes, int by_advice) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    char *map = mmap(NULL, bytes, PROT_READ, by_advice ? flags : flags | MAP_POPULATE, -1, 0);
    if (map == MAP_FAILED) return;
    if (by_advice) madvise(map, bytes, 22 /* MADV_POPULATE_READ */);
    munmap(map, bytes);
}

/* Plays the last listed move, and does something when it is first asked for one. */
static inline void play(const char *name, void (*begin)(void)) {
    char *line = NULL, *moves = NULL;
    size_t room = 0;
    sem_init(&moved, 0, 0);
    while (getline(&line, &room, stdin) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "pitmaster", 9)) printf("ready %s\n", name);
        if (!strncmp(line, "newgame", 7)) puts("ready");
        if (!strncmp(line, "moves ", 6)) free(moves), moves = strdup(strrchr(line, ' ') + 1);
        if (!strcmp(line, "go")) {
            if (begin) begin(), begin = NULL;
            printf("move %s\n", moves);
            sem_post(&moved);
        }
        if (!strcmp(line, "quit")) break;
        fflush(stdout);
    }
    _exit(0);
}

/* What came of an attack that was refused; of one that was not the referee tells. */
static inline void tell_refused(const char *name) {
    fprintf(stderr, "attack: %s refused\n", name);
    printf("info attack: %s refused\n", name);
}
