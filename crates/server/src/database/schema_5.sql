-- Ladder that plays a request for games, and the request's number there: the round of its games. It
-- is the second of the request, or the next free one.
-- Nobody could make a request before.
ALTER TABLE ask ADD COLUMN ladder TEXT REFERENCES ladder (id);
ALTER TABLE ask ADD COLUMN number INTEGER CHECK (number > 0);
CREATE UNIQUE INDEX ask_of_ladder ON ask (ladder, number);
CREATE INDEX ask_waiting ON ask (ladder, number) WHERE state = 'waiting';
