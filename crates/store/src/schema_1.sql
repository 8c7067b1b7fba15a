-- Version 1 of a tournament's database. Never changed again: a change is a new file.
--
-- Times are in nanoseconds and lists are JSON, so that any tool can read them. Columns
-- ending in 1 and 2 belong to player 1 and player 2.

-- Facts about the tournament, each a JSON value.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;

-- Every bot that ever took part, by name and hash of what was handed in.
CREATE TABLE bots (
    name    TEXT NOT NULL,
    hash    TEXT NOT NULL,
    display ANY  NOT NULL,  -- text, or a blob where it is not UTF-8
    path    TEXT NOT NULL,
    dialect TEXT NOT NULL,
    build   TEXT NOT NULL CHECK (json_valid(build)),
    state   TEXT NOT NULL CHECK (state IN ('active', 'replaced', 'removed')),
    PRIMARY KEY (name, hash)
) STRICT;

-- Every game that was played to an end, in the order in which they were committed.
CREATE TABLE attempts (
    number        INTEGER PRIMARY KEY,
    game_id       TEXT    NOT NULL,  -- follows from the key
    attempt       INTEGER NOT NULL,  -- at this game, from 1
    state         TEXT    NOT NULL CHECK (state IN ('valid', 'void', 'surplus')),
    reason        TEXT,              -- why it is not valid
    key           TEXT    NOT NULL CHECK (json_valid(key)),
    rules         TEXT    NOT NULL,
    stage         INTEGER NOT NULL,
    round         INTEGER NOT NULL,
    pair          INTEGER NOT NULL,
    bot1          TEXT    NOT NULL,
    hash1         TEXT    NOT NULL,
    bot2          TEXT    NOT NULL,
    hash2         TEXT    NOT NULL,
    opening       TEXT    NOT NULL,
    seed          INTEGER NOT NULL,
    ending        TEXT    NOT NULL,  -- its name
    ending_facts  TEXT    NOT NULL CHECK (json_valid(ending_facts)),
    winner        INTEGER CHECK (winner IN (1, 2)),
    score1        INTEGER NOT NULL,
    score2        INTEGER NOT NULL,
    plies         INTEGER NOT NULL,
    moves         TEXT    NOT NULL,  -- texts with a space between
    movers        TEXT    NOT NULL,  -- a character a ply: 1, 2, or - for chance and opening
    wall_ns       TEXT    NOT NULL CHECK (json_valid(wall_ns)),     -- a number a ply
    cpu_ns        TEXT    NOT NULL CHECK (json_valid(cpu_ns)),      -- a number a ply
    waiting_ns    TEXT    NOT NULL CHECK (json_valid(waiting_ns)),  -- a number a ply
    stolen_ns     TEXT    NOT NULL CHECK (json_valid(stolen_ns)),   -- a number a side
    skipped_lines TEXT    NOT NULL CHECK (json_valid(skipped_lines)),
    -- Older SQLites call NULL no valid JSON.
    evidence      TEXT    CHECK (evidence IS NULL OR json_valid(evidence)),
    remarks       TEXT    CHECK (remarks IS NULL OR json_valid(remarks)),
    wrong_claims  TEXT    CHECK (wrong_claims IS NULL OR json_valid(wrong_claims)),
    dialect1      TEXT    NOT NULL,
    dialect2      TEXT    NOT NULL,
    host          TEXT    NOT NULL,
    lane          INTEGER NOT NULL,
    fingerprint   TEXT    NOT NULL,  -- of the moves
    started_at    INTEGER NOT NULL,  -- milliseconds since 1970, UTC
    duration_ns   INTEGER NOT NULL,
    UNIQUE (game_id, attempt),
    CHECK ((state = 'valid') = (reason IS NULL)),
    CHECK (state <> 'valid' OR ending <> 'referee-error')
) STRICT;

-- A game counts once.
CREATE UNIQUE INDEX one_valid_attempt ON attempts (game_id) WHERE state = 'valid';

-- The games that count, for people.
CREATE VIEW games AS
SELECT game_id, rules, stage, round, pair, bot1, bot2, opening, winner, score1, score2, ending,
       plies, moves, duration_ns / 1e9 AS seconds,
       datetime(started_at / 1000, 'unixepoch') AS started
FROM attempts
WHERE state = 'valid'
ORDER BY number;
