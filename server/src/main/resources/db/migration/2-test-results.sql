-- The retention class of an organization. There are few, so that all organizations of one class
-- share partitions, and a partition can be dropped whole.
ALTER TABLE organization ADD COLUMN retention_days integer NOT NULL DEFAULT 90
  CHECK (retention_days IN (30, 90, 365, 1095));

-- Repositories. The key is host/owner/name in lower case; the other columns keep the first spelling.
CREATE TABLE repository (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization,
  key text NOT NULL,
  host text NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (organization_id, key)
);

-- Settings of repositories for their tests. No row means the defaults.
CREATE TABLE test_settings (
  repository_id bigint PRIMARY KEY REFERENCES repository,
  quarantining_enabled boolean NOT NULL DEFAULT false,
  auto_quarantine boolean NOT NULL DEFAULT false,
  stable_branches text[] NOT NULL DEFAULT '{main,master}',
  infra_protection boolean NOT NULL DEFAULT false,
  infra_threshold real NOT NULL DEFAULT 0.8,
  codeowners text
);

-- One row for each test ever seen. An upload adds tests and changes owners; nothing else in a row
-- changes with a run.
CREATE TABLE test (
  repository_id bigint NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  variant text NOT NULL,
  parent text NOT NULL,
  file text NOT NULL,
  classname text NOT NULL,
  codeowners text[] NOT NULL,
  first_seen_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'healthy' CHECK (status IN ('healthy', 'flaky', 'broken')),
  quarantine_override text CHECK (quarantine_override IN ('ALWAYS_QUARANTINE', 'NEVER_QUARANTINE')),
  PRIMARY KEY (repository_id, id)
);
CREATE INDEX test_notable_idx ON test (repository_id)
  WHERE status <> 'healthy' OR quarantine_override IS NOT NULL;

-- Numbers of uploads, taken before the rows are made, outside of any transaction: some stay unused.
CREATE SEQUENCE upload_number;

-- Uploads. branch_class: 0 stable, 1 merge queue, 2 pull request, 3 other.
-- content_key is a hash of everything that was sent: the same upload again finds its own row.
CREATE TABLE upload (
  repository_id bigint NOT NULL REFERENCES repository,
  id bigint NOT NULL,
  public_id uuid NOT NULL,
  content_key bytea NOT NULL,
  received_at timestamptz NOT NULL,
  branch text NOT NULL,
  branch_class smallint NOT NULL,
  commit_sha text NOT NULL,
  pr_number integer,
  job text NOT NULL,
  variant text NOT NULL,
  ci_url text,
  attempt integer NOT NULL,
  first_ran_at timestamptz,
  set_aside boolean NOT NULL DEFAULT false,
  answer jsonb,
  PRIMARY KEY (repository_id, id),
  UNIQUE (repository_id, content_key)
);
CREATE INDEX upload_commit_idx ON upload (repository_id, commit_sha) WHERE commit_sha <> '';
CREATE INDEX upload_received_idx ON upload (repository_id, received_at);

-- Every attempt of every test. outcome: 0 passed, 1 failed, 2 errored, 3 skipped.
CREATE TABLE run (
  repository_id bigint NOT NULL,
  test_id uuid NOT NULL,
  ran_at timestamptz NOT NULL,
  upload_id bigint NOT NULL,
  duration_ms integer,
  retention_days smallint NOT NULL,
  outcome smallint NOT NULL,
  attempt smallint NOT NULL
) PARTITION BY LIST (retention_days);
CREATE INDEX run_test_idx ON run (repository_id, test_id, ran_at);

-- A second row for each run that failed, with the texts that lists and the grouping need.
CREATE TABLE failure (
  repository_id bigint NOT NULL,
  test_id uuid NOT NULL,
  ran_at timestamptz NOT NULL,
  upload_id bigint NOT NULL,
  retention_days smallint NOT NULL,
  outcome smallint NOT NULL,
  attempt smallint NOT NULL,
  branch_class smallint NOT NULL,
  pr_number integer,
  commit_sha text NOT NULL,
  type text NOT NULL,
  message text NOT NULL,
  stack text NOT NULL
) PARTITION BY LIST (retention_days);
CREATE INDEX failure_time_idx ON failure (repository_id, ran_at, test_id);
CREATE INDEX failure_test_idx ON failure (repository_id, test_id, ran_at);

-- Counts of each test by the hour, for rates. Each upload adds rows of its own, so that uploads
-- never wait for each other; a worker folds the rows of an hour that is over into the counts of its
-- day (test_day). Readers add both up, and are right at any moment.
CREATE TABLE test_hour (
  repository_id bigint NOT NULL,
  test_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  last_failed_at timestamptz,
  passes integer NOT NULL,
  failures integer NOT NULL,
  skips integer NOT NULL,
  retention_days smallint NOT NULL
) PARTITION BY LIST (retention_days);
CREATE INDEX test_hour_idx ON test_hour (repository_id, test_id, hour);

CREATE TABLE run_30 PARTITION OF run FOR VALUES IN (30) PARTITION BY RANGE (ran_at);
CREATE TABLE run_90 PARTITION OF run FOR VALUES IN (90) PARTITION BY RANGE (ran_at);
CREATE TABLE run_365 PARTITION OF run FOR VALUES IN (365) PARTITION BY RANGE (ran_at);
CREATE TABLE run_1095 PARTITION OF run FOR VALUES IN (1095) PARTITION BY RANGE (ran_at);
CREATE TABLE failure_30 PARTITION OF failure FOR VALUES IN (30) PARTITION BY RANGE (ran_at);
CREATE TABLE failure_90 PARTITION OF failure FOR VALUES IN (90) PARTITION BY RANGE (ran_at);
CREATE TABLE failure_365 PARTITION OF failure FOR VALUES IN (365) PARTITION BY RANGE (ran_at);
CREATE TABLE failure_1095 PARTITION OF failure FOR VALUES IN (1095) PARTITION BY RANGE (ran_at);
CREATE TABLE test_hour_30 PARTITION OF test_hour FOR VALUES IN (30) PARTITION BY RANGE (hour);
CREATE TABLE test_hour_90 PARTITION OF test_hour FOR VALUES IN (90) PARTITION BY RANGE (hour);
CREATE TABLE test_hour_365 PARTITION OF test_hour FOR VALUES IN (365) PARTITION BY RANGE (hour);
CREATE TABLE test_hour_1095 PARTITION OF test_hour FOR VALUES IN (1095) PARTITION BY RANGE (hour);

-- One row for each test that failed on a commit: passes > 0 is the proof that it can go both ways.
CREATE TABLE commit_failure (
  repository_id bigint NOT NULL,
  commit_sha text NOT NULL,
  test_id uuid NOT NULL,
  failures integer NOT NULL,
  passes integer NOT NULL,
  first_failed_at timestamptz NOT NULL,
  last_ran_at timestamptz NOT NULL,
  PRIMARY KEY (repository_id, commit_sha, test_id)
);
CREATE INDEX commit_failure_test_idx ON commit_failure (repository_id, test_id, last_ran_at);

-- Addresses that were handed out for one bundle each.
CREATE TABLE bundle (
  id uuid PRIMARY KEY,
  repository_id bigint NOT NULL REFERENCES repository,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  content_hash bytea
);
CREATE INDEX bundle_expires_idx ON bundle (expires_at);

-- Secrets that all nodes share.
CREATE TABLE secret (
  name text PRIMARY KEY,
  value bytea NOT NULL
);
