-- ticket_url holds {id}. Features are switched on one by one.
ALTER TABLE organization ADD COLUMN ticket_url text;
ALTER TABLE organization ADD COLUMN features text[] NOT NULL DEFAULT '{}';

ALTER TABLE test_settings ADD COLUMN quarantining_since timestamptz;
ALTER TABLE test_settings ADD COLUMN automatic_since timestamptz;

-- The number of different tests in an upload, and of those that failed to the end.
ALTER TABLE upload ADD COLUMN tests integer NOT NULL DEFAULT 0;
ALTER TABLE upload ADD COLUMN failed_tests integer NOT NULL DEFAULT 0;

-- The count of a repository's uploads. An upload takes the row's lock as its last deed, so stamps
-- become visible in their order: whoever sees stamp n sees every upload up to n. unfolded_from is
-- the earliest hour of which test_hour may hold rows.
CREATE TABLE result_feed (
  repository_id bigint PRIMARY KEY REFERENCES repository,
  stamp bigint NOT NULL,
  unfolded_from timestamptz
);
CREATE TABLE arrival (
  repository_id bigint NOT NULL,
  stamp bigint NOT NULL,
  upload_id bigint NOT NULL,
  PRIMARY KEY (repository_id, stamp)
);
CREATE INDEX arrival_upload_idx ON arrival (repository_id, upload_id);
INSERT INTO arrival (repository_id, stamp, upload_id)
SELECT repository_id, row_number() OVER (PARTITION BY repository_id ORDER BY id), id FROM upload;
INSERT INTO result_feed (repository_id, stamp, unfolded_from)
SELECT repository_id, count(*), date_trunc('hour', min(coalesce(first_ran_at, received_at)))
FROM upload GROUP BY repository_id;

-- A copy of failures, for a month and without their stacks, where lists find them without looking
-- into every day: by test, and by upload. Failures of the same shape are one group.
CREATE TABLE recent_failure (
  repository_id bigint NOT NULL,
  test_id uuid NOT NULL,
  failed_at timestamptz NOT NULL,
  upload_id bigint NOT NULL,
  shape bigint NOT NULL,
  pr_number integer,
  title text NOT NULL
);
CREATE INDEX recent_failure_test_idx ON recent_failure (repository_id, test_id, failed_at) INCLUDE (pr_number);
CREATE INDEX recent_failure_upload_idx ON recent_failure (repository_id, upload_id, test_id) INCLUDE (failed_at);
INSERT INTO recent_failure (repository_id, test_id, failed_at, upload_id, shape, pr_number, title)
SELECT repository_id, test_id, ran_at, upload_id, hashtextextended(left(message, 200), 0), pr_number, left(message, 200)
FROM failure;

-- Counts of each test by the day, in UTC: rows of test_hour end up here when their hour is over. The
-- arrays hold the counts from each hour of the day to its end: a stretch that begins within the day
-- needs one of their numbers.
CREATE TABLE test_day (
  repository_id bigint NOT NULL,
  test_id uuid NOT NULL,
  day date NOT NULL,
  passes integer NOT NULL,
  failures integer NOT NULL,
  skips integer NOT NULL,
  passes_from integer[] NOT NULL,
  failures_from integer[] NOT NULL,
  PRIMARY KEY (repository_id, test_id, day)
) WITH (fillfactor = 80);

-- Indexes for reads of one upload, and of an edge of a window, without touching the rows of others.
CREATE INDEX run_upload_idx ON run USING brin (upload_id) WITH (pages_per_range = 16);
DROP INDEX run_test_idx;
CREATE INDEX run_test_idx ON run (repository_id, test_id, ran_at) INCLUDE (outcome);
DROP INDEX failure_time_idx;
CREATE INDEX failure_time_idx ON failure (repository_id, ran_at, test_id) INCLUDE (upload_id);

ALTER TABLE test ADD COLUMN status_reason text;
ALTER TABLE test ADD COLUMN status_since timestamptz;
ALTER TABLE test ADD COLUMN unhealthy_since timestamptz;
ALTER TABLE test ADD COLUMN override_by text;
ALTER TABLE test ADD COLUMN override_reason text;
ALTER TABLE test ADD COLUMN override_since timestamptz;
ALTER TABLE test ADD COLUMN override_until timestamptz;
ALTER TABLE test ADD COLUMN ticket_id text;
-- The states of a test's monitors, as stored JSON; and when to judge it again though nothing ran.
ALTER TABLE test ADD COLUMN monitors jsonb;
ALTER TABLE test ADD COLUMN review_at timestamptz;
CREATE INDEX test_review_idx ON test (review_at) WHERE review_at IS NOT NULL;
CREATE INDEX test_ticket_idx ON test (repository_id, ticket_id) WHERE ticket_id IS NOT NULL;

CREATE TABLE monitor (
  repository_id bigint NOT NULL REFERENCES repository,
  id uuid NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL,
  rule jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (repository_id, id)
);
CREATE TABLE monitor_mute (
  repository_id bigint NOT NULL,
  monitor_id uuid NOT NULL,
  test_id uuid NOT NULL,
  muted_until timestamptz NOT NULL,
  muted_by text NOT NULL,
  PRIMARY KEY (repository_id, monitor_id, test_id)
);
CREATE INDEX monitor_mute_test_idx ON monitor_mute (repository_id, test_id);

-- Every change of a status, with what caused it.
CREATE TABLE status_change (
  repository_id bigint NOT NULL,
  test_id uuid NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  before text NOT NULL,
  after text NOT NULL,
  reason text NOT NULL,
  monitor_id uuid,
  monitor_name text,
  evidence jsonb,
  PRIMARY KEY (repository_id, test_id, number)
);
CREATE INDEX status_change_at_idx ON status_change (repository_id, at);

-- The stamp up to which a repository's uploads have been looked through for tests to judge. The row
-- comes into being together with the monitor that every repository has at first.
CREATE TABLE judge_cursor (
  repository_id bigint PRIMARY KEY REFERENCES repository,
  stamp bigint NOT NULL
);
INSERT INTO judge_cursor (repository_id, stamp) SELECT repository_id, 0 FROM result_feed;
INSERT INTO monitor (repository_id, id, name, enabled, rule, created_at)
SELECT repository_id, gen_random_uuid(), 'Pass on retry', true, '{"kind": "pass_on_retry", "recovery_days": 7}', now()
FROM result_feed;

-- Tests to be judged. Whoever judges one holds its row and deletes it together with the judgement.
CREATE TABLE judge_due (
  repository_id bigint NOT NULL,
  test_id uuid NOT NULL,
  PRIMARY KEY (repository_id, test_id)
);

-- The order of a list at the moment of its first page, for those who turn the pages.
CREATE TABLE kept_list (
  repository_id bigint NOT NULL,
  id uuid NOT NULL,
  made_at timestamptz NOT NULL,
  test_ids uuid[] NOT NULL,
  PRIMARY KEY (repository_id, id)
);
CREATE INDEX kept_list_made_idx ON kept_list (made_at);
