-- What a queue has learned from its own past; nothing yet where it is empty. Apart from the rest of its state, which
-- every event writes.
ALTER TABLE merge_queue ADD COLUMN learned json;
