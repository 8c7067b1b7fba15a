-- Version 5: bots that were named but cannot play are kept, with the reason.

DROP VIEW v_bots;

CREATE TABLE all_bots (
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

INSERT INTO all_bots SELECT name, hash, display, path, dialect, build, state, NULL FROM bots;
DROP TABLE bots;
ALTER TABLE all_bots RENAME TO bots;

-- Every bot that ever was to take part.
CREATE VIEW v_bots AS
SELECT name, hash, display, path, dialect, state, reason
FROM bots
ORDER BY name, hash;
