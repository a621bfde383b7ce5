-- What persons have decided about messages between two agents, for the sidecars of both. Texts are
-- hex digests, one a line.
CREATE TABLE review_decision (
  sequence      BIGINT   NOT NULL PRIMARY KEY,
  -- the agent beside whose sidecar it was decided
  decided_by    TEXT     NOT NULL,
  item          TEXT     NOT NULL,
  peer          TEXT     NOT NULL,
  texts         TEXT     NOT NULL,
  approved      SMALLINT NOT NULL CHECK (approved IN (0, 1)),
  -- UTF-8: unlike other texts it may hold line breaks
  note          ${bytes} NOT NULL,
  expires_at_ms BIGINT   NOT NULL
);
CREATE UNIQUE INDEX review_item ON review_decision (decided_by, item);
CREATE INDEX review_peer ON review_decision (peer, sequence);
CREATE INDEX review_by ON review_decision (decided_by, sequence);
CREATE INDEX review_expiry ON review_decision (expires_at_ms);

-- One row: the number of the last decision, locked until the commit as that of cores is.
CREATE TABLE review_publication (
  id       INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  sequence BIGINT  NOT NULL
);
INSERT INTO review_publication (id, sequence) VALUES (1, 0);
