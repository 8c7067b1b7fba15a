-- Schema 1 of season.db. Times are milliseconds since 1970, UTC. Ids are 20 characters in base 32.
-- Nothing is deleted but secrets (sessions), what is only for a while (login tries, notes that were
-- seen) and what an erasure removes.

CREATE TABLE person (
    id TEXT PRIMARY KEY,
    -- NULL until the person has redeemed an invitation, and after the person was erased.
    login TEXT UNIQUE,
    -- A pseudonym after the person was erased.
    name TEXT NOT NULL,
    student_no TEXT UNIQUE,
    mail TEXT,
    pass_hash TEXT,
    is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
    lang TEXT CHECK (lang IN ('en', 'fr')),
    made INTEGER NOT NULL,
    erased INTEGER,
    CHECK (pass_hash IS NULL OR login IS NOT NULL),
    CHECK (
        erased IS NULL
        OR (is_admin = 0 AND coalesce(login, student_no, mail, pass_hash, lang) IS NULL)
    )
) STRICT;

CREATE TABLE course (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    lang TEXT NOT NULL CHECK (lang IN ('en', 'fr')),
    opens INTEGER NOT NULL,
    closes INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('draft', 'open', 'paused', 'frozen', 'closed')),
    visibility TEXT NOT NULL CHECK (visibility IN ('members', 'world')),
    guests_play INTEGER NOT NULL CHECK (guests_play IN (0, 1)),
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    made INTEGER NOT NULL,
    CHECK (opens <= closes)
) STRICT;

CREATE TABLE grp (
    id TEXT PRIMARY KEY,
    course TEXT NOT NULL REFERENCES course (id),
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    made INTEGER NOT NULL,
    removed INTEGER,
    UNIQUE (course, slug),
    -- For references that must stay within a course.
    UNIQUE (id, course)
) STRICT;

CREATE TABLE member (
    course TEXT NOT NULL REFERENCES course (id),
    person TEXT NOT NULL REFERENCES person (id),
    role TEXT NOT NULL CHECK (role IN ('teacher', 'assistant', 'student')),
    grp TEXT,
    made INTEGER NOT NULL,
    ended INTEGER,
    PRIMARY KEY (course, person),
    FOREIGN KEY (grp, course) REFERENCES grp (id, course),
    CHECK (grp IS NULL OR role = 'student')
) STRICT;
CREATE INDEX member_of_person ON member (person);
CREATE INDEX member_of_group ON member (grp);

CREATE TABLE invite (
    -- Hash of the code, which is never stored.
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    course TEXT NOT NULL REFERENCES course (id),
    role TEXT NOT NULL CHECK (role IN ('teacher', 'assistant', 'student')),
    grp TEXT,
    -- The person it is for; NULL: redeeming it makes a new person.
    person TEXT REFERENCES person (id),
    made INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    revoked INTEGER,
    used_by TEXT REFERENCES person (id),
    used_at INTEGER,
    FOREIGN KEY (grp, course) REFERENCES grp (id, course),
    CHECK ((used_by IS NULL) = (used_at IS NULL)),
    CHECK (grp IS NULL OR role = 'student')
) STRICT;
CREATE INDEX invite_of_person ON invite (person);

CREATE TABLE session (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    person TEXT NOT NULL REFERENCES person (id),
    made INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    address TEXT,
    agent TEXT
) STRICT;
CREATE INDEX session_of_person ON session (person);

CREATE TABLE login_try (
    -- Hash of the login as it was typed, whether it exists or not.
    account BLOB PRIMARY KEY CHECK (length(account) = 32),
    failures INTEGER NOT NULL,
    last INTEGER NOT NULL,
    blocked_until INTEGER NOT NULL
) STRICT;
CREATE INDEX login_try_by_age ON login_try (last);

CREATE TABLE token (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    person TEXT NOT NULL REFERENCES person (id),
    course TEXT NOT NULL REFERENCES course (id),
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made INTEGER NOT NULL,
    seen INTEGER,
    expires INTEGER NOT NULL,
    revoked INTEGER
) STRICT;
CREATE INDEX token_of_person ON token (person);

CREATE TABLE bot (
    id TEXT PRIMARY KEY,
    course TEXT NOT NULL REFERENCES course (id),
    grp TEXT NOT NULL,
    name TEXT NOT NULL,
    -- The one bot of its group that is in rank.
    ranked INTEGER NOT NULL CHECK (ranked IN (0, 1)),
    -- The version that the group chose for good.
    pinned TEXT,
    made INTEGER NOT NULL,
    retired INTEGER,
    UNIQUE (course, name),
    FOREIGN KEY (grp, course) REFERENCES grp (id, course),
    FOREIGN KEY (pinned, id) REFERENCES version (id, bot),
    CHECK (retired IS NULL OR ranked = 0)
) STRICT;
CREATE UNIQUE INDEX one_bot_in_rank ON bot (grp) WHERE ranked = 1;
CREATE INDEX bot_of_group ON bot (grp);

CREATE TABLE version (
    id TEXT PRIMARY KEY,
    bot TEXT NOT NULL REFERENCES bot (id),
    number INTEGER NOT NULL CHECK (number > 0),
    -- Hash of the bytes as they were sent: names the file in `uploads`.
    upload BLOB NOT NULL CHECK (length(upload) = 32),
    bytes INTEGER NOT NULL,
    -- Name of the file that was sent. The language of a single source file is known by its ending.
    file_name TEXT NOT NULL,
    -- Hash of the files; known once they are unpacked.
    hash TEXT,
    -- The older version of the same bot with the same files.
    same_as TEXT,
    -- When the first byte arrived, and when all were stored. Deadlines look at the first.
    began INTEGER NOT NULL,
    received INTEGER NOT NULL,
    uploaded_by TEXT REFERENCES person (id),
    via TEXT NOT NULL CHECK (via IN ('web', 'push', 'file')),
    note TEXT NOT NULL,
    -- Key of the request that brought it, if it had one: the same request gives this version again.
    request_key TEXT,
    state TEXT NOT NULL CHECK (state IN (
        'received', 'staged', 'built', 'valid', 'active', 'passed', 'replaced', 'superseded',
        'refused', 'failed-build', 'failed-validation', 'suspended', 'withdrawn'
    )),
    why TEXT,
    check_report TEXT CHECK (json_valid(check_report)),
    UNIQUE (bot, number),
    UNIQUE (bot, request_key),
    UNIQUE (id, bot),
    FOREIGN KEY (same_as, bot) REFERENCES version (id, bot),
    CHECK (began <= received)
) STRICT;
CREATE UNIQUE INDEX one_active_version ON version (bot) WHERE state = 'active';
CREATE INDEX version_by_time ON version (received);
CREATE INDEX version_by_state ON version (state);
CREATE INDEX version_by_upload ON version (upload, bot);
CREATE INDEX version_by_hash ON version (bot, hash);

-- Every state that a version was in, since when, and why. Insert only.
CREATE TABLE version_step (
    version TEXT NOT NULL REFERENCES version (id),
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    why TEXT,
    PRIMARY KEY (version, n)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER version_step_stays_as_it_is BEFORE UPDATE ON version_step
BEGIN SELECT raise(ABORT, 'steps of a version are never changed'); END;
CREATE TRIGGER version_step_stays BEFORE DELETE ON version_step
BEGIN SELECT raise(ABORT, 'steps of a version are never deleted'); END;

CREATE TABLE ladder (
    id TEXT PRIMARY KEY,
    course TEXT NOT NULL REFERENCES course (id),
    slug TEXT NOT NULL,
    tournament_file TEXT NOT NULL,
    anchors TEXT NOT NULL CHECK (json_valid(anchors)),
    state TEXT NOT NULL CHECK (state IN ('open', 'paused', 'closed')),
    -- From then on the public table stands still.
    frozen_view_at INTEGER,
    made INTEGER NOT NULL,
    UNIQUE (course, slug),
    UNIQUE (id, course)
) STRICT;

CREATE TABLE deadline (
    id TEXT PRIMARY KEY,
    course TEXT NOT NULL REFERENCES course (id),
    name TEXT NOT NULL,
    at INTEGER NOT NULL,
    grace_ms INTEGER NOT NULL CHECK (grace_ms >= 0),
    late_rule TEXT NOT NULL,
    policy TEXT NOT NULL CHECK (policy IN ('newest-passing', 'chosen')),
    ladder TEXT,
    -- Folder of the final that is shown.
    final TEXT,
    made INTEGER NOT NULL,
    removed INTEGER,
    UNIQUE (course, name),
    UNIQUE (id, course),
    FOREIGN KEY (ladder, course) REFERENCES ladder (id, course)
) STRICT;

CREATE TABLE frozen (
    deadline TEXT NOT NULL,
    course TEXT NOT NULL,
    grp TEXT NOT NULL,
    -- NULL: nothing of the group was in time and passed.
    version TEXT REFERENCES version (id),
    hash TEXT,
    taken_at INTEGER NOT NULL,
    PRIMARY KEY (deadline, grp),
    FOREIGN KEY (deadline, course) REFERENCES deadline (id, course),
    FOREIGN KEY (grp, course) REFERENCES grp (id, course),
    CHECK ((version IS NULL) = (hash IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE ask (
    id TEXT PRIMARY KEY,
    asked_by TEXT NOT NULL REFERENCES person (id),
    grp TEXT NOT NULL REFERENCES grp (id),
    version TEXT NOT NULL REFERENCES version (id),
    -- One of the two.
    opponent TEXT REFERENCES version (id),
    house TEXT,
    pairs INTEGER NOT NULL CHECK (pairs > 0),
    made INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'canceled')),
    CHECK ((opponent IS NULL) <> (house IS NULL))
) STRICT;
CREATE INDEX ask_of_group ON ask (grp, made);

CREATE TABLE job (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('build', 'validate', 'check', 'pair', 'asked')),
    version TEXT REFERENCES version (id),
    ask TEXT REFERENCES ask (id),
    payload TEXT NOT NULL CHECK (json_valid(payload)),
    -- Lower goes first.
    priority INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'leased', 'done', 'failed', 'canceled')),
    -- Number of leases so far; a lease is valid only with its own number.
    tries INTEGER NOT NULL DEFAULT 0,
    -- Leases that came to nothing by a fault of the server or of the worker.
    faults INTEGER NOT NULL DEFAULT 0,
    -- After a fault a job waits for a while.
    not_before INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    leased_until INTEGER,
    made INTEGER NOT NULL,
    finished INTEGER,
    why TEXT,
    CHECK ((state = 'leased') = (leased_until IS NOT NULL)),
    CHECK ((state IN ('done', 'failed', 'canceled')) = (finished IS NOT NULL)),
    CHECK (kind NOT IN ('build', 'validate', 'check') OR version IS NOT NULL),
    CHECK ((kind = 'asked') = (ask IS NOT NULL))
) STRICT;
CREATE INDEX job_queue ON job (priority, made) WHERE state = 'waiting';
CREATE INDEX job_leases ON job (leased_until) WHERE state = 'leased';
CREATE INDEX job_of_version ON job (version);

-- What is told to a person on the own page, in order.
CREATE TABLE note (
    person TEXT NOT NULL REFERENCES person (id),
    seq INTEGER NOT NULL,
    made INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL CHECK (json_valid(data)),
    seen INTEGER,
    PRIMARY KEY (person, seq)
) STRICT, WITHOUT ROWID;

-- Who did what, in the order it was done. It holds ids and no names, so that it can outlive a person.
CREATE TABLE audit (
    n INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    -- NULL: the server itself, or somebody at the command line.
    who TEXT REFERENCES person (id),
    as_role TEXT NOT NULL,
    action TEXT NOT NULL,
    kind TEXT NOT NULL,
    object TEXT NOT NULL,
    course TEXT REFERENCES course (id),
    before TEXT CHECK (json_valid(before)),
    after TEXT CHECK (json_valid(after)),
    -- The only thing that can be taken away: an erasure clears it.
    address TEXT
) STRICT;
CREATE INDEX audit_of_course ON audit (course, n);
CREATE INDEX audit_of_object ON audit (object, n);
CREATE INDEX audit_of_person ON audit (who, n);
CREATE TRIGGER audit_stays_as_it_is
BEFORE UPDATE OF n, at, who, as_role, action, kind, object, course, before, after ON audit
BEGIN SELECT raise(ABORT, 'the audit log is never changed'); END;
CREATE TRIGGER audit_address_can_only_go BEFORE UPDATE OF address ON audit
WHEN NEW.address IS NOT NULL
BEGIN SELECT raise(ABORT, 'the audit log is never changed'); END;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN SELECT raise(ABORT, 'the audit log is never deleted'); END;
CREATE TRIGGER audit_grows_at_its_end BEFORE INSERT ON audit
WHEN NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM audit)
BEGIN SELECT raise(ABORT, 'the audit log is never changed'); END;
