/*
 * The wire: hears the referee and answers. Nobody needs to change this file.
 *
 * Without an argument it speaks the dialect pitmaster; with its player number, 1 or 2, as the
 * argument it speaks arena. What to answer is decided in think.c.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "think.h"

static void say(const char *word, const char *rest) {
    printf("%s%s\n", word, rest);
    fflush(stdout); /* an answer that waits in a buffer is late */
}

/* The next line without its end; false at the end of input. */
static bool hear(char **line) {
    static size_t room;
    if (getline(line, &room, stdin) < 0) return false;
    (*line)[strcspn(*line, "\r\n")] = '\0';
    return true;
}

/* Keeps a copy of a text, in place of what was kept before. */
static void keep(char **kept, const char *text) {
    free(*kept);
    *kept = strdup(text);
    if (*kept == NULL) abort();
}

/* The milliseconds for a move, from words such as `move 1000 game 209512`. */
static long time_for(const char *clocks) {
    /* A move may use one part in so many of what a clock has left. */
    static const struct {
        const char *clock;
        int parts;
    } parts[] = {{"move", 2}, {"game", 40}, {"bank", 20}};
    long least = -1;
    for (int i = 0; i < 3; i++) {
        const char *found = strstr(clocks, parts[i].clock);
        if (found == NULL) continue;
        long time = strtol(found + strlen(parts[i].clock), NULL, 10) / parts[i].parts;
        if (least < 0 || time < least) least = time;
    }
    return least < 0 ? 500 : least;
}

/* Tells the thinking each of these moves. */
static void played(char *moves) {
    for (char *move = strtok(moves, " "); move; move = strtok(NULL, " ")) think_played(move);
}

/* Blocks of lines: `newgame` ends the one of a new game, `go` the one of a turn. */
static void pitmaster(void) {
    static char chosen[LONGEST_MOVE];
    char *line = NULL, *game = NULL, *opening = NULL, *clocks = NULL, *listed = NULL;
    int side = 1;
    keep(&clocks, "");
    keep(&listed, "");
    while (hear(&line)) {
        char *rest = line + strcspn(line, " ");
        if (*rest) *rest++ = '\0';
        if (strcmp(line, "pitmaster") == 0) {
            say("ready", "");
        } else if (strcmp(line, "game") == 0) {
            keep(&game, rest);
            keep(&opening, "");
            keep(&clocks, "");
        } else if (strcmp(line, "side") == 0) {
            side = atoi(rest);
        } else if (strcmp(line, "opening") == 0) {
            keep(&opening, rest);
        } else if (strcmp(line, "newgame") == 0) {
            think_new_game(game, side);
            played(opening);
            say("ready", "");
        } else if (strcmp(line, "played") == 0) {
            played(rest);
        } else if (strcmp(line, "time") == 0) {
            keep(&clocks, rest);
        } else if (strcmp(line, "moves") == 0) {
            keep(&listed, rest);
        } else if (strcmp(line, "go") == 0) {
            think_choose(listed, time_for(clocks), chosen);
            think_played(chosen);
            say("move ", chosen);
        } else if (strcmp(line, "quit") == 0) {
            return;
        }
    }
}

/* One game: `START` or the opponent's moves, one a line; `END` at the end. */
static void arena(int side) {
    static char chosen[LONGEST_MOVE];
    const char *limit = getenv("PITMASTER_MOVE_MS"), *game = getenv("PITMASTER_GAME");
    char *line = NULL, clocks[32] = "";
    if (limit && strcmp(limit, "0") != 0) snprintf(clocks, sizeof clocks, "move %s", limit);
    think_new_game(game ? game : "", side);
    while (hear(&line) && strcmp(line, "END") != 0) {
        if (strcmp(line, "START") != 0) think_played(line);
        think_choose("", time_for(clocks), chosen);
        if (chosen[0] == '\0') continue;
        think_played(chosen);
        say(chosen, "");
    }
}

int main(int count, char **words) {
    if (count > 1)
        arena(atoi(words[1]));
    else
        pitmaster();
    return 0;
}
