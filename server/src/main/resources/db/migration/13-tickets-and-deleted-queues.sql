-- The states of tickets of other systems, as far as somebody told of them.
CREATE TABLE ticket (
  organization_id bigint NOT NULL REFERENCES organization,
  id text NOT NULL,
  closed boolean NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- The time when a queue was deleted. Its history stays until the organization's retention is over,
-- and is there again when the queue is made anew.
ALTER TABLE merge_queue ADD COLUMN deleted_at timestamptz;

-- Statuses that CI reported for the head commits of pull requests, whether or not a queue has seen
-- such a head: the last word on each.
CREATE TABLE head_status (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  head text NOT NULL,
  name text NOT NULL,
  state text NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (queue_id, head, name)
);
CREATE INDEX head_status_age_idx ON head_status (reported_at);
