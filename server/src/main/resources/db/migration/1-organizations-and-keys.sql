CREATE TABLE organization (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text NOT NULL,
  created_at timestamptz NOT NULL
);

-- API keys. The token of a key is never stored. Nodes learn of changes by asking for rows whose
-- version is higher than the highest they know.
CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  version bigint NOT NULL
);
CREATE INDEX api_key_version_idx ON api_key (version);
CREATE INDEX api_key_organization_idx ON api_key (organization_id, created_at, id);

-- One row. Whoever changes a key takes its lock, so that versions become visible in their order.
CREATE TABLE api_key_version (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL
);
INSERT INTO api_key_version (version) VALUES (0);
