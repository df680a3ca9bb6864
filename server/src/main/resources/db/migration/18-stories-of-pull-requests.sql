-- The run that a transition is about: the one that began, passed or failed. Of earlier transitions the
-- run that began with them is known, since both were written with the same time.
ALTER TABLE pull_request_transition ADD COLUMN run bigint;
UPDATE pull_request_transition t SET run = r.run
FROM (
  SELECT queue_id, created_at, max(run) AS run, (c ->> 'pr')::integer AS number
  FROM test_run, json_array_elements(tested -> 'changes') c GROUP BY queue_id, created_at, (c ->> 'pr')::integer
) r
JOIN pull_request p ON p.queue_id = r.queue_id AND p.number = r.number
WHERE t.queue_id = p.queue_id AND t.entry = p.entry AND t.at = r.created_at AND t.to_state = 'TESTING';

-- The time when an entry was first let in.
ALTER TABLE pull_request ADD COLUMN entered_at timestamptz;
UPDATE pull_request p SET entered_at = t.at
FROM (
  SELECT queue_id, entry, min(at) AS at FROM pull_request_transition
  WHERE to_state NOT IN ('NOT_READY', 'MERGED', 'FAILED', 'CANCELLED') GROUP BY queue_id, entry
) t
WHERE t.queue_id = p.queue_id AND t.entry = p.entry;

-- Why a run ended as it did, in a sentence, where there is more to say than its status.
ALTER TABLE test_run ADD COLUMN outcome text;
CREATE INDEX test_run_created_idx ON test_run (queue_id, created_at);
CREATE INDEX test_run_ended_idx ON test_run (queue_id, ended_at);
