-- Finals that the server plays, by the names of their tournament files.
CREATE TABLE final_run (
    course TEXT NOT NULL REFERENCES course (id),
    name TEXT NOT NULL,
    -- asked: it is played as soon as the lanes are free, or is being played.
    state TEXT NOT NULL CHECK (state IN ('asked', 'stopped', 'played', 'failed')),
    -- Why it failed.
    why TEXT,
    asked INTEGER NOT NULL,
    ended INTEGER,
    PRIMARY KEY (course, name)
) STRICT, WITHOUT ROWID;
