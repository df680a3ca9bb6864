-- The people that an identity provider has signed in, each known by the provider and its name for
-- them, with the role that they had when they signed in last.
CREATE TABLE person (
  id uuid PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization,
  issuer text NOT NULL,
  subject text NOT NULL,
  name text NOT NULL,
  email text,
  role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin')),
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  UNIQUE (organization_id, issuer, subject)
);
CREATE INDEX person_seen_idx ON person (organization_id, last_seen_at, id);

-- Sessions of browsers: the owner is a key or a person. The secret of one is never stored. Nodes learn which
-- have ended or changed by asking for rows whose version is higher than the highest they know.
CREATE TABLE session (
  secret_hash bytea PRIMARY KEY CHECK (length(secret_hash) = 32),
  id uuid NOT NULL,
  organization_id bigint NOT NULL REFERENCES organization,
  owner_id uuid NOT NULL,
  of_person boolean NOT NULL,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  version bigint NOT NULL
);
CREATE INDEX session_version_idx ON session (version);
CREATE UNIQUE INDEX session_id_idx ON session (id);
CREATE INDEX session_owner_idx ON session (organization_id, owner_id, created_at);

-- One row. Whoever opens, ends or changes sessions takes its lock, so that versions become visible in
-- their order, and so that nobody has more sessions than allowed.
CREATE TABLE session_version (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL
);
INSERT INTO session_version (version) VALUES (0);

-- The states by which somebody has signed in at the identity provider, until they would be too old
-- anyway: none is good twice.
CREATE TABLE used_sign_in (
  state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
  until timestamptz NOT NULL
);

-- True where everybody may look at the pages of a repository.
ALTER TABLE repository ADD COLUMN public_pages boolean NOT NULL DEFAULT false;
