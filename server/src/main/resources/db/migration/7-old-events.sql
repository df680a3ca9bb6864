-- True for a row that holds the whole state of its moment: the log can be played from there.
ALTER TABLE queue_event ADD COLUMN whole boolean NOT NULL DEFAULT false;
UPDATE queue_event SET whole = true WHERE seq = 0;
CREATE INDEX queue_event_whole_idx ON queue_event (queue_id, seq) WHERE whole;

-- The time when a list of targets was last stored or met again.
ALTER TABLE target_set ADD COLUMN used_at timestamptz NOT NULL DEFAULT now();
