-- What somebody decided about the quarantine of a test may also end after so many passes in a row, or with the test's
-- ticket. When it does, override_until becomes that time.
ALTER TABLE test ADD COLUMN override_after_passes integer CHECK (override_after_passes > 0);
ALTER TABLE test ADD COLUMN override_until_ticket boolean NOT NULL DEFAULT false;
CREATE INDEX test_override_passes_idx ON test (repository_id, id)
  WHERE override_after_passes IS NOT NULL AND NOT override_ended;
CREATE INDEX test_override_ticket_idx ON test (repository_id, id) WHERE override_until_ticket AND NOT override_ended;

-- How many tests may be quarantined automatically; when more would be, automatic quarantining is switched off, and why
-- is kept until somebody switches it on again.
ALTER TABLE test_settings ADD COLUMN quarantine_cap integer CHECK (quarantine_cap >= 0);
ALTER TABLE test_settings ADD COLUMN automatic_stopped_at timestamptz;
ALTER TABLE test_settings ADD COLUMN automatic_stopped_reason text;
