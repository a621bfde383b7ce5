-- Authorities that the control plane itself has made: each with its key, PKCS #8.
CREATE TABLE identity_authority (
  active_at_ms BIGINT   NOT NULL,
  certificate  ${bytes} NOT NULL,
  private_key  ${bytes} NOT NULL
);

-- Patterns of SPIFFE ids, and serial numbers of certificates, that nobody believes any more.
CREATE TABLE identity_denied (
  subject TEXT NOT NULL PRIMARY KEY
);

-- One row: counts the changes of both, locked until the commit.
CREATE TABLE identity_revision (
  id       INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  revision BIGINT  NOT NULL
);
INSERT INTO identity_revision (id, revision) VALUES (1, 0);
