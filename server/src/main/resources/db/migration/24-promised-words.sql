-- Up to which entry of a queue each of those who talk at hosts has promised to tell how it went: whoever comes and goes
-- between two looks is told its end too.
CREATE TABLE promised_word (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  talker text NOT NULL,
  entry bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (queue_id, talker)
);
