-- Connections to hosts with an API: the path of the repository there in lower case, by which its hooks
-- are known, the secret that signs them, encrypted, and the App that it is connected by, if any.
ALTER TABLE repository_connection ADD COLUMN path text NOT NULL DEFAULT '';
ALTER TABLE repository_connection ADD COLUMN hook_secret bytea;
ALTER TABLE repository_connection ADD COLUMN app text;
CREATE INDEX repository_connection_path_idx ON repository_connection (kind, path) WHERE hook_secret IS NOT NULL;

-- How often CI was asked to try again what it had cancelled, and when last.
ALTER TABLE test_check ADD COLUMN reruns integer NOT NULL DEFAULT 0;
ALTER TABLE test_check ADD COLUMN rerun_at timestamptz;

-- Our check on the heads of pull requests that are in a queue, as it was written last. A row goes when
-- the end of its pull request is written there.
CREATE TABLE head_check (
  queue_id bigint NOT NULL REFERENCES merge_queue ON DELETE CASCADE,
  pr integer NOT NULL,
  sha text NOT NULL,
  state text NOT NULL,
  title text NOT NULL,
  shown_at timestamptz NOT NULL,
  PRIMARY KEY (queue_id, pr)
);
