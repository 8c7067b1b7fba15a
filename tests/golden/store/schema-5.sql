PRAGMA application_id = 0x5069746d;
PRAGMA user_version = 5;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
) STRICT;
INSERT INTO meta VALUES('title','"Contest"');
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
    duration_ns   INTEGER NOT NULL, isolation INTEGER REFERENCES isolations (number), checksum TEXT CHECK (checksum <> 'damaged' OR state = 'void'),
    UNIQUE (game_id, attempt),
    CHECK ((state = 'valid') = (reason IS NULL)),
    CHECK (state <> 'valid' OR ending <> 'referee-error')
) STRICT;
INSERT INTO attempts VALUES(1,'b2f32231a7ce0af1',1,'void','the machine slept','{"rules":"coloured-awale@1","limits":{"per_move_ns":1000000000,"first_move_ns":5000000000,"start_up_ns":10000000000,"per_game_ns":210000000000,"plies":400,"bank":null,"margin_ns":10000000},"stage":1,"round":0,"bots":[{"name":"a","hash":"17762fddd969a453925d65717ac3eea2"},{"name":"b","hash":"10e5cf3d3c8a4f9f3468c8cc58eea848"}],"opening":"","pair":1}','coloured-awale@1',1,0,1,'a','17762fddd969a453925d65717ac3eea2','b','10e5cf3d3c8a4f9f3468c8cc58eea848','',236688909112684,'rules:49+','{"kind":"rules","clause":"49+","winner":null,"score":[3,4]}',NULL,3,4,2,'1R 9TB','12','[1002,1003]','[502,503]','[22,23]','[0,0]','[0,0]',NULL,NULL,NULL,'arena','pitmaster','here',3,'58736a795438878c',1700000000123,1234567891,NULL,'4bcd1abd78f9fea86080996f8e8afe69');
INSERT INTO attempts VALUES(2,'b2f32231a7ce0af1',2,'valid',NULL,'{"rules":"coloured-awale@1","limits":{"per_move_ns":1000000000,"first_move_ns":5000000000,"start_up_ns":10000000000,"per_game_ns":210000000000,"plies":400,"bank":null,"margin_ns":10000000},"stage":1,"round":0,"bots":[{"name":"a","hash":"17762fddd969a453925d65717ac3eea2"},{"name":"b","hash":"10e5cf3d3c8a4f9f3468c8cc58eea848"}],"opening":"","pair":1}','coloured-awale@1',1,0,1,'a','17762fddd969a453925d65717ac3eea2','b','10e5cf3d3c8a4f9f3468c8cc58eea848','',-1,'exited','{"kind":"forfeit","by":2,"fault":{"fault":"exited","exit":{"signal":11}},"score":[1,2]}',1,1,2,3,'fill=1:4 3+ é','-21','[1008,1002,1002]','[508,502,502]','[28,22,22]','[5,6000000000]','[0,9]','[null,{"line":{"bytes":[255,0,39,59,32,68,82,79,80,32,84,65,66,76,69,32,97,116,116,101,109,112,116,115,59,32,45,45,10]},"at_ns":77,"stderr":{"bytes":[255,0,39,59,32,68,82,79,80,32,84,65,66,76,69,32,97,116,116,101,109,112,116,115,59,32,45,45,10]},"exit":{"signal":11}}]','[{"ply":2,"by":2,"text":{"bytes":[255,0,39,59,32,68,82,79,80,32,84,65,66,76,69,32,97,116,116,101,109,112,116,115,59,32,45,45,10]}}]','[{"ply":3,"by":1,"text":{"bytes":[255,0,39,59,32,68,82,79,80,32,84,65,66,76,69,32,97,116,116,101,109,112,116,115,59,32,45,45,10]}}]','arena','pitmaster','here',3,'b09f3897e04bd08c',1700000000123,1234567891,NULL,'5e5cc9e219be800a91c8e6191e54c745');
INSERT INTO attempts VALUES(3,'9d2d1900e67efee7',1,'valid',NULL,'{"rules":"coloured-awale@1","limits":{"per_move_ns":1000000000,"first_move_ns":5000000000,"start_up_ns":10000000000,"per_game_ns":210000000000,"plies":400,"bank":null,"margin_ns":10000000},"stage":1,"round":0,"bots":[{"name":"a","hash":"17762fddd969a453925d65717ac3eea2"},{"name":"b","hash":"10e5cf3d3c8a4f9f3468c8cc58eea848"}],"opening":"","pair":2}','coloured-awale@1',1,0,2,'a','17762fddd969a453925d65717ac3eea2','b','10e5cf3d3c8a4f9f3468c8cc58eea848','',6990217955249144,'rules:49+','{"kind":"rules","clause":"49+","winner":null,"score":[3,4]}',NULL,3,4,2,'1R 9TB','12','[1002,1003]','[502,503]','[22,23]','[0,0]','[0,0]',NULL,NULL,NULL,'arena','pitmaster','here',3,'58736a795438878c',1700000000123,1234567891,1,'95490ec32236d7f5f64939a86f7bb6d0');
CREATE TABLE isolations (
    number   INTEGER PRIMARY KEY,
    tier     TEXT    NOT NULL CHECK (tier IN ('bare', 'portable', 'full')),
    cgroup   INTEGER NOT NULL CHECK (cgroup IN (0, 1)),  -- whether each bot had one of its own
    promises TEXT    NOT NULL CHECK (json_valid(promises)),
    host     TEXT    NOT NULL,
    kernel   TEXT    NOT NULL
) STRICT;
INSERT INTO isolations VALUES(1,'portable',0,'{"net":{"level":"enforced","how":"refused"}}','here','6.1');
CREATE TABLE "bots" (
    name    TEXT NOT NULL,
    hash    TEXT NOT NULL,
    display ANY  NOT NULL,  -- text, or a blob where it is not UTF-8
    path    TEXT NOT NULL,
    dialect TEXT NOT NULL,
    build   TEXT NOT NULL CHECK (json_valid(build)),
    state   TEXT NOT NULL CHECK (state IN ('active', 'replaced', 'removed', 'left-out')),
    reason  TEXT CHECK ((reason IS NOT NULL) = (state = 'left-out')),
    PRIMARY KEY (name, hash)
) STRICT;
INSERT INTO bots VALUES('a','17762fddd969a453925d65717ac3eea2','A','bots/a','arena','{}','active',NULL);
CREATE UNIQUE INDEX one_valid_attempt ON attempts (game_id) WHERE state = 'valid';
CREATE VIEW v_not_counted AS
SELECT game_id, attempt, state, reason, bot1, bot2, ending, plies,
       strftime('%Y-%m-%dT%H:%M:%SZ', started_at / 1000, 'unixepoch') AS started_utc
FROM attempts
WHERE state <> 'valid'
ORDER BY number;
CREATE VIEW v_games AS
SELECT game_id, rules, stage, round, pair, bot1, hash1, bot2, hash2, opening, winner, score1,
       score2, ending, plies, moves, duration_ns / 1e9 AS duration_s,
       strftime('%Y-%m-%dT%H:%M:%SZ', started_at / 1000, 'unixepoch') AS started_utc,
       isolation, (SELECT tier FROM isolations WHERE isolations.number = isolation) AS tier
FROM attempts
WHERE state = 'valid'
ORDER BY number;
CREATE VIEW v_isolations AS
SELECT number AS isolation, tier, cgroup, promises, host, kernel
FROM isolations
ORDER BY number;
CREATE VIEW v_bots AS
SELECT name, hash, display, path, dialect, state, reason
FROM bots
ORDER BY name, hash;
COMMIT;
