-- The number of tests that a repository has ever had, so that nobody counts them.
ALTER TABLE result_feed ADD COLUMN tests bigint NOT NULL DEFAULT 0;
UPDATE result_feed f SET tests = (SELECT count(*) FROM test t WHERE t.repository_id = f.repository_id);
CREATE OR REPLACE VIEW result_feed_view AS SELECT repository_id, stamp, unfolded_from, tests FROM result_feed;

-- Counts of a repository by the day, in UTC. Uploads add to them while they hold the row of their
-- repository in result_feed.
CREATE TABLE repository_day (
  repository_id bigint NOT NULL,
  day date NOT NULL,
  passes bigint NOT NULL,
  failures bigint NOT NULL,
  skips bigint NOT NULL,
  PRIMARY KEY (repository_id, day)
) WITH (fillfactor = 50);
INSERT INTO repository_day (repository_id, day, passes, failures, skips)
SELECT repository_id, day, sum(passes), sum(failures), sum(skips) FROM (
  SELECT repository_id, day, passes, failures, skips FROM test_day
  UNION ALL
  SELECT repository_id, (hour AT TIME ZONE 'UTC')::date, passes, failures, skips FROM test_hour
) counted GROUP BY repository_id, day;

-- The repositories that are connected to their forge.
CREATE VIEW repository_connection_view AS
SELECT repository_id FROM repository_connection WHERE disconnected_at IS NULL;

-- Uploads by the id that their senders know, and those in which something failed.
CREATE INDEX upload_public_idx ON upload (repository_id, public_id);
CREATE INDEX upload_failed_idx ON upload (repository_id, id) WHERE failed_tests > 0;
