-- Grades that a teacher has published, one for each student of a course.
CREATE TABLE grade (
    course TEXT NOT NULL REFERENCES course (id),
    person TEXT NOT NULL REFERENCES person (id),
    -- Name of the final that they are from.
    final TEXT NOT NULL,
    -- Points and reasons, as the student reads them.
    shown TEXT NOT NULL,
    published INTEGER NOT NULL,
    PRIMARY KEY (course, person)
) STRICT, WITHOUT ROWID;
