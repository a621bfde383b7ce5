-- One script for SQLite and PostgreSQL. ${bytes} is BLOB or BYTEA. Times are milliseconds since the
-- epoch by the database's clock; lists are texts with one element a line.

CREATE TABLE plan (
  name        TEXT   NOT NULL PRIMARY KEY,
  revision    BIGINT NOT NULL CHECK (revision >= 1),
  document    ${bytes} NOT NULL,
  interval_ms BIGINT NOT NULL CHECK (interval_ms >= 0),
  -- 0: not set yet
  due_at_ms   BIGINT NOT NULL
);

CREATE TABLE audit (
  id            TEXT   NOT NULL PRIMARY KEY,
  plan          TEXT   NOT NULL,
  plan_revision BIGINT NOT NULL,
  kind          TEXT   NOT NULL,
  terms         TEXT   NOT NULL,
  seed          ${bytes} NOT NULL,
  state         TEXT   NOT NULL CHECK (state IN ('open', 'running', 'completed', 'abandoned')),
  started_at_ms BIGINT NOT NULL,
  ended_at_ms   BIGINT NOT NULL,
  document      ${bytes} NOT NULL
);
-- Of one plan at most one audit is under way, whoever starts it.
CREATE UNIQUE INDEX audit_unfinished ON audit (plan) WHERE state IN ('open', 'running');
CREATE INDEX audit_started ON audit (started_at_ms);
CREATE INDEX audit_plan ON audit (plan, started_at_ms);

CREATE TABLE lease (
  resource      TEXT   NOT NULL PRIMARY KEY,
  -- empty: given back; the row stays because the epoch must go on counting
  owner         TEXT   NOT NULL,
  epoch         BIGINT NOT NULL CHECK (epoch >= 1),
  ttl_ms        BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL
);

CREATE TABLE question (
  id            TEXT   NOT NULL PRIMARY KEY,
  audit         TEXT   NOT NULL,
  agent         TEXT   NOT NULL,
  document      ${bytes} NOT NULL,
  asked_at_ms   BIGINT NOT NULL,
  claimed_by    TEXT   NOT NULL,
  ttl_ms        BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL,
  answer        ${bytes},
  answered_at_ms BIGINT NOT NULL
);
CREATE INDEX question_open ON question (agent, asked_at_ms) WHERE answer IS NULL;
CREATE INDEX question_audit ON question (audit);

CREATE TABLE core (
  core_key TEXT   NOT NULL,
  version  BIGINT NOT NULL CHECK (version >= 1),
  agents   TEXT   NOT NULL,
  domain   TEXT   NOT NULL,
  audit    TEXT   NOT NULL,
  note     ${bytes} NOT NULL,
  -- 0: pending
  sequence BIGINT NOT NULL,
  PRIMARY KEY (core_key, version)
);
CREATE UNIQUE INDEX core_sequence ON core (sequence) WHERE sequence > 0;
CREATE UNIQUE INDEX core_pending ON core (audit) WHERE sequence = 0;

-- One row: the number of the last publication. Whoever publishes holds its lock until the commit, so
-- that numbers become visible in their order.
CREATE TABLE core_publication (
  id       INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  sequence BIGINT  NOT NULL
);
INSERT INTO core_publication (id, sequence) VALUES (1, 0);

CREATE TABLE sidecar (
  agent           TEXT     NOT NULL,
  node            TEXT     NOT NULL,
  replica         TEXT     NOT NULL,
  attached        SMALLINT NOT NULL CHECK (attached IN (0, 1)),
  last_seen_at_ms BIGINT   NOT NULL,
  document        ${bytes} NOT NULL,
  PRIMARY KEY (agent, node)
);
CREATE INDEX sidecar_seen ON sidecar (last_seen_at_ms);

-- The ledger, where it is kept in the database and not in files: resources by their tlog-tiles path.
CREATE TABLE log_resource (
  path       TEXT NOT NULL PRIMARY KEY,
  -- path of the whole resource if this is a part of it, else empty
  partial_of TEXT NOT NULL,
  body       ${bytes} NOT NULL
);
CREATE INDEX log_resource_partial ON log_resource (partial_of) WHERE partial_of <> '';
-- One row: the checkpoint; NULL before the log's first commit.
CREATE TABLE log_head (
  id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  checkpoint ${bytes}
);
INSERT INTO log_head (id, checkpoint) VALUES (1, NULL);
