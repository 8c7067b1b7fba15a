-- Whether people of other groups may play against a bot.
ALTER TABLE bot ADD COLUMN plays_people INTEGER NOT NULL DEFAULT 1 CHECK (plays_people IN (0, 1));
