-- Version 2: views that others may rely on. Their names begin with v_, their columns are only
-- ever added to; docs/formats.md describes them. Tables are this program's own business.

DROP VIEW games;

-- The games that count, in the order in which they were committed.
CREATE VIEW v_games AS
SELECT game_id, rules, stage, round, pair, bot1, hash1, bot2, hash2, opening, winner, score1,
       score2, ending, plies, moves, duration_ns / 1e9 AS duration_s,
       strftime('%Y-%m-%dT%H:%M:%SZ', started_at / 1000, 'unixepoch') AS started_utc
FROM attempts
WHERE state = 'valid'
ORDER BY number;

-- What was played and does not count, and why.
CREATE VIEW v_not_counted AS
SELECT game_id, attempt, state, reason, bot1, bot2, ending, plies,
       strftime('%Y-%m-%dT%H:%M:%SZ', started_at / 1000, 'unixepoch') AS started_utc
FROM attempts
WHERE state <> 'valid'
ORDER BY number;

-- Every bot that ever took part.
CREATE VIEW v_bots AS
SELECT name, hash, display, path, dialect, state
FROM bots
ORDER BY name, hash;
