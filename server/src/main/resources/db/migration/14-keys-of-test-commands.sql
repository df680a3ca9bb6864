-- A test command sends its results with a key of its own, which ends with the command: only its
-- hash is here, until when it is good at most, and what the command has printed so far.
ALTER TABLE test_command_run
  ADD COLUMN key_hash bytea,
  ADD COLUMN key_until timestamptz,
  ADD COLUMN output text NOT NULL DEFAULT '';
CREATE UNIQUE INDEX test_command_run_key_idx ON test_command_run (key_hash) WHERE key_hash IS NOT NULL;
