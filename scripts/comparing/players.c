/* What scripts/compare plays with: programs that answer at once, and the same lines over bare pipes.
 *
 *   players engine MOVES         a UCI engine that plays the game in the file MOVES
 *   players bot                  a bot in the dialect pitmaster that plays the last legal move
 *   players pipes engine MOVES GAMES    sends two engines what a referee would, with blocking reads
 *   players pipes bot GAMES             sends two bots the same lines over and over
 *
 * The two forms of `pipes` print the number of moves. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 512
#define TURNS 150 /* moves of a game between two bots, as long as one of coloured Awale */

static char game[MOST][8];
static int plies;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void read_game(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    while (plies < MOST && fscanf(file, "%7s", game[plies]) == 1) plies++;
    fclose(file);
}

/* Number of moves after the word `moves`. */
static int count_moves(char *line) {
    char *at = strstr(line, " moves ");
    int count = 0;
    if (!at) return 0;
    for (char *word = strtok(at + 7, " \n"); word; word = strtok(NULL, " \n")) count++;
    return count;
}

static int engine(const char *path) {
    static char line[1 << 16];
    int ply = 0;
    read_game(path);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "position", 8)) ply = count_moves(line);
        else if (!strncmp(line, "go", 2))
            printf("info depth 1 score cp 0 nodes 1\nbestmove %s\n", ply < plies ? game[ply] : "0000");
        else if (!strcmp(line, "uci\n")) printf("id name instant\nuciok\n");
        else if (!strcmp(line, "isready\n")) printf("readyok\n");
        else if (!strcmp(line, "quit\n")) return 0;
        fflush(stdout);
    }
    return 0;
}

static int bot(void) {
    static char line[1 << 16], last[64];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "moves ", 6)) {
            snprintf(last, sizeof last, "%s", strrchr(line, ' ') + 1);
            continue;
        }
        if (!strncmp(line, "pitmaster ", 10)) printf("ready instant\n");
        else if (!strcmp(line, "newgame") || !strncmp(line, "newgame ", 8)) printf("ready\n");
        else if (!strncmp(line, "go", 2)) printf("move %s\n", last);
        else if (!strcmp(line, "quit")) return 0;
        else continue;
        fflush(stdout);
    }
    return 0;
}

struct player {
    FILE *to, *from;
    pid_t pid;
};

static struct player start(char *const words[]) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) fail("pipe");
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execv("/proc/self/exe", words);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    return (struct player){fdopen(to[1], "w"), fdopen(from[0], "r"), pid};
}

/* Sends lines, and reads until a line that begins with a word. */
static void ask(struct player *player, const char *text, const char *until) {
    static char line[1 << 12];
    fputs(text, player->to);
    fflush(player->to);
    do {
        if (!fgets(line, sizeof line, player->from)) fail("a player ended");
    } while (strncmp(line, until, strlen(until)));
}

static void end(struct player *player) {
    fputs("quit\n", player->to);
    fclose(player->to);
    waitpid(player->pid, NULL, 0);
    fclose(player->from);
}

static long play_engines(struct player *players, long games) {
    static char line[1 << 16];
    long moves = 0;
    for (long number = 0; number < games; number++) {
        int length = sprintf(line, "position startpos moves");
        for (int side = 0; side < 2; side++) ask(&players[side], "ucinewgame\nisready\n", "readyok");
        for (int ply = 0; ply < plies; ply++, moves++) {
            struct player *player = &players[(ply + number) % 2];
            if (ply == 0) ask(player, "position startpos\ngo wtime 60000 btime 60000\n", "bestmove");
            else {
                sprintf(line + length, "\ngo wtime 60000 btime 60000\n");
                ask(player, line, "bestmove");
            }
            length += sprintf(line + length, " %s", game[ply]);
        }
    }
    return moves;
}

static long play_bots(struct player *players, long games) {
    const char *turn = "played 4TR\ntime move 1000 game 209512\n"
                       "moves 1R 1B 3R 5B 7R 9TR 9TB 11R 13B 15R\ngo\n";
    for (int side = 0; side < 2; side++) ask(&players[side], "pitmaster 1\n", "ready");
    for (long number = 0; number < games; number++) {
        for (int side = 0; side < 2; side++) ask(&players[side], "newgame\n", "ready");
        for (int ply = 0; ply < TURNS; ply++) ask(&players[ply % 2], turn, "move");
    }
    return games * TURNS;
}

int main(int count, char **words) {
    if (count == 3 && !strcmp(words[1], "engine")) return engine(words[2]);
    if (count == 2 && !strcmp(words[1], "bot")) return bot();
    if (count < 4 || strcmp(words[1], "pipes")) {
        fprintf(stderr, "see the first lines of players.c\n");
        return 2;
    }
    int is_engine = !strcmp(words[2], "engine");
    char *engine_words[] = {words[0], "engine", words[3], NULL}, *bot_words[] = {words[0], "bot", NULL};
    if (is_engine) read_game(words[3]);
    struct player players[2];
    for (int side = 0; side < 2; side++) players[side] = start(is_engine ? engine_words : bot_words);
    long games = atol(words[count - 1]);
    printf("%ld\n", is_engine ? play_engines(players, games) : play_bots(players, games));
    for (int side = 0; side < 2; side++) end(&players[side]);
    return 0;
}
