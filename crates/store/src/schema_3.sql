-- Version 3: what contained the bots of a game.

-- What was found to be promised, each set of promises once.
CREATE TABLE isolations (
    number   INTEGER PRIMARY KEY,
    tier     TEXT    NOT NULL CHECK (tier IN ('bare', 'portable', 'full')),
    cgroup   INTEGER NOT NULL CHECK (cgroup IN (0, 1)),  -- whether each bot had one of its own
    promises TEXT    NOT NULL CHECK (json_valid(promises)),
    host     TEXT    NOT NULL,
    kernel   TEXT    NOT NULL
) STRICT;

-- NULL: played before this was known.
ALTER TABLE attempts ADD COLUMN isolation INTEGER REFERENCES isolations (number);

DROP VIEW v_games;

-- The games that count, in the order in which they were committed.
CREATE VIEW v_games AS
SELECT game_id, rules, stage, round, pair, bot1, hash1, bot2, hash2, opening, winner, score1,
       score2, ending, plies, moves, duration_ns / 1e9 AS duration_s,
       strftime('%Y-%m-%dT%H:%M:%SZ', started_at / 1000, 'unixepoch') AS started_utc,
       isolation, (SELECT tier FROM isolations WHERE isolations.number = isolation) AS tier
FROM attempts
WHERE state = 'valid'
ORDER BY number;

-- What contained the bots, and how far each promise was kept by what.
CREATE VIEW v_isolations AS
SELECT number AS isolation, tier, cgroup, promises, host, kernel
FROM isolations
ORDER BY number;
