-- Connections of repositories to their forges. The user and password of an address are kept apart
-- and encrypted. Whoever knows the hook's token may say that something moved.
CREATE TABLE repository_connection (
  repository_id bigint PRIMARY KEY REFERENCES repository,
  version bigint NOT NULL,
  address text NOT NULL,
  credentials bytea,
  test_command text,
  test_timeout_seconds integer NOT NULL,
  hook_hash bytea NOT NULL UNIQUE CHECK (length(hook_hash) = 32),
  connected_at timestamptz NOT NULL,
  look_at timestamptz NOT NULL,
  seen_at timestamptz,
  fault text
);
CREATE INDEX repository_connection_look_idx ON repository_connection (look_at);

-- Queues, without their entries: those are rows of pull_request. target, line and side are written
-- only when they changed, and a version stands for exactly one state of the whole.
-- json, not jsonb: the order of keys is kept.
CREATE TABLE merge_queue (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository_id bigint NOT NULL REFERENCES repository,
  branch text NOT NULL,
  slug text NOT NULL UNIQUE,
  version bigint NOT NULL,
  state json NOT NULL,
  target json NOT NULL,
  line json NOT NULL,
  side json NOT NULL,
  wake_at timestamptz,
  created_at timestamptz NOT NULL,
  UNIQUE (repository_id, branch)
) WITH (fillfactor = 50);
CREATE INDEX merge_queue_wake_idx ON merge_queue (wake_at) WHERE wake_at IS NOT NULL;

-- The event log: a row holds the events of one transaction that changed something, or one event, or
-- the whole state. seq is the version that it led to. The first row is the state a queue began with,
-- so that all that follow can be played again.
CREATE TABLE queue_event (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  seq bigint NOT NULL,
  at timestamptz NOT NULL,
  event json NOT NULL,
  PRIMARY KEY (queue_id, seq)
);

-- Actions that queues ask for. due_at is also the lease of the node that does one. Of two actions
-- with the same subject the earlier is done first.
CREATE TABLE queue_action (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  id text NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  repository_id bigint NOT NULL,
  subject text NOT NULL,
  action json NOT NULL,
  asked_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  fault text,
  PRIMARY KEY (queue_id, id)
);
CREATE INDEX queue_action_due_idx ON queue_action (repository_id, due_at);
CREATE INDEX queue_action_subject_idx ON queue_action (queue_id, subject, number);

-- Entries: one row for each submission there ever was. entry is its number in the queue, content the
-- entry itself, of an ended one as it was before its end; the other columns say how it ended.
-- moved_at is the time of its last transition; the three times add up how long it was in PENDING, in
-- TESTING, and in all states but NOT_READY.
CREATE TABLE pull_request (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  entry bigint NOT NULL,
  number integer NOT NULL,
  open boolean NOT NULL,
  state text NOT NULL,
  state_changed_at timestamptz NOT NULL,
  reason_code text NOT NULL,
  reason text NOT NULL,
  used_default_priority boolean NOT NULL,
  title text NOT NULL,
  author text NOT NULL,
  url text NOT NULL,
  run bigint,
  bisected boolean NOT NULL DEFAULT false,
  submitted_at timestamptz NOT NULL,
  ended_at timestamptz,
  moved_at timestamptz NOT NULL,
  pending_time interval NOT NULL DEFAULT '0',
  testing_time interval NOT NULL DEFAULT '0',
  queue_time interval NOT NULL DEFAULT '0',
  content json NOT NULL,
  PRIMARY KEY (queue_id, entry)
) WITH (fillfactor = 70);
CREATE INDEX pull_request_open_idx ON pull_request (queue_id, entry) WHERE open;
CREATE INDEX pull_request_number_idx ON pull_request (queue_id, number, entry);
CREATE INDEX pull_request_ended_idx ON pull_request (queue_id, ended_at) WHERE ended_at IS NOT NULL;

-- Transitions of entries: when and why each went from one state to another. Without from_state it is
-- the first of its entry; TESTING to TESTING is a test that began again.
CREATE TABLE pull_request_transition (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  number bigint GENERATED ALWAYS AS IDENTITY,
  entry bigint NOT NULL,
  at timestamptz NOT NULL,
  from_state text,
  to_state text NOT NULL,
  reason_code text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (queue_id, entry, number)
);
CREATE INDEX pull_request_transition_at_idx ON pull_request_transition (queue_id, at);

-- Test runs, all there were. output is that of the test command, of a long one its beginning and its
-- end.
CREATE TABLE test_run (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  run bigint NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  branch text NOT NULL,
  sha text,
  base text NOT NULL,
  created_at timestamptz NOT NULL,
  built_at timestamptz,
  ended_at timestamptz,
  required_statuses text[] NOT NULL,
  required_by text NOT NULL,
  tested json NOT NULL,
  stands_on json NOT NULL,
  targets json NOT NULL,
  output text,
  branch_deleted boolean NOT NULL DEFAULT false,
  PRIMARY KEY (queue_id, run)
);
CREATE INDEX test_run_sha_idx ON test_run (queue_id, sha) WHERE sha IS NOT NULL;
CREATE INDEX test_run_branch_idx ON test_run (queue_id, run) WHERE NOT branch_deleted;

-- Statuses of runs: the first final word on each, or that it is pending.
CREATE TABLE test_check (
  queue_id bigint NOT NULL,
  run bigint NOT NULL,
  name text NOT NULL,
  state text NOT NULL,
  url text,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (queue_id, run, name),
  FOREIGN KEY (queue_id, run) REFERENCES test_run ON DELETE CASCADE
);

-- Test commands that run or are to run. due_at is the lease of the node that runs one.
CREATE TABLE test_command_run (
  queue_id bigint NOT NULL,
  run bigint NOT NULL,
  repository_id bigint NOT NULL,
  commit_sha text NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  node uuid,
  PRIMARY KEY (queue_id, run),
  FOREIGN KEY (queue_id, run) REFERENCES test_run ON DELETE CASCADE
);
CREATE INDEX test_command_run_due_idx ON test_command_run (due_at);

-- Targets of pull requests, for the head commit they were set for: a later submission finds them.
CREATE TABLE impacted_targets (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  number integer NOT NULL,
  head text NOT NULL,
  targets json NOT NULL,
  set_at timestamptz NOT NULL,
  PRIMARY KEY (queue_id, number, head)
);
CREATE INDEX impacted_targets_age_idx ON impacted_targets (set_at);

-- Long lists of targets, each once, by its hash; other rows hold the hash. names is compressed.
CREATE TABLE target_set (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  names bytea NOT NULL,
  PRIMARY KEY (queue_id, hash)
);
ALTER TABLE target_set ALTER COLUMN names SET STORAGE EXTERNAL;

-- Test branches of queues that were deleted, until they are surely gone.
CREATE TABLE left_branch (
  repository_id bigint NOT NULL REFERENCES repository,
  branch text NOT NULL,
  left_at timestamptz NOT NULL,
  PRIMARY KEY (repository_id, branch)
);
