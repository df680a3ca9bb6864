-- Until when the runs of a repository are counted in its days. Later ones are counted where they lie; those that come
-- when their hour is in already are counted by the hour, as all were until now. What is there stays so: everything
-- before the hour after the next.
ALTER TABLE result_feed ADD COLUMN folded_until timestamptz NOT NULL DEFAULT '1970-01-01T00:00:00Z';
UPDATE result_feed
SET folded_until = date_trunc('hour', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + interval '2 hours';

-- Nobody reads it.
DROP VIEW test_hour;
ALTER TABLE test_hour_30 DROP COLUMN last_failed_at;
ALTER TABLE test_hour_90 DROP COLUMN last_failed_at;
ALTER TABLE test_hour_365 DROP COLUMN last_failed_at;
ALTER TABLE test_hour_1095 DROP COLUMN last_failed_at;
CREATE VIEW test_hour AS
SELECT repository_id, test_id, hour, passes, failures, skips, retention_days FROM test_hour_30
UNION ALL
SELECT repository_id, test_id, hour, passes, failures, skips, retention_days FROM test_hour_90
UNION ALL
SELECT repository_id, test_id, hour, passes, failures, skips, retention_days FROM test_hour_365
UNION ALL
SELECT repository_id, test_id, hour, passes, failures, skips, retention_days FROM test_hour_1095;
