-- Version 4: a checksum of every record.

-- Over everything else that is stored of the attempt but its number; `damaged`: it was found to be
-- so, and taken out. Never NULL, once the program has brought the database forward.
ALTER TABLE attempts ADD COLUMN checksum TEXT CHECK (checksum <> 'damaged' OR state = 'void');
