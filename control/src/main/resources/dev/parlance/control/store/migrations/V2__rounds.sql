-- Texts of proposals. What was proposed, and what comes of it, is on the ledger; this has the words
-- and, so that a text means the same to every replica, the vector that was made of it first.
CREATE TABLE round_text (
  round         TEXT   NOT NULL,
  epoch         BIGINT NOT NULL CHECK (epoch >= 1),
  text_sha256   TEXT   NOT NULL,
  -- UTF-8: unlike other texts it may hold line breaks
  body          ${bytes} NOT NULL,
  meaning       TEXT   NOT NULL CHECK (meaning IN ('vector', 'malformed', 'unencoded')),
  -- 16-bit big-endian entries; empty without
  vector        ${bytes} NOT NULL,
  -- 0: the round has not ended
  expires_at_ms BIGINT NOT NULL,
  PRIMARY KEY (round, epoch, text_sha256)
);
CREATE INDEX round_text_expiry ON round_text (expires_at_ms);
