-- The results of each retention class are a table of their own, with one level of partitions, which is as many as
-- PostgreSQL's distributed extension knows. No row is moved. Rows are written to the table of their class and read by
-- these views, which show all classes.
DROP VIEW run_view;
ALTER TABLE run DETACH PARTITION run_30;
ALTER TABLE run DETACH PARTITION run_90;
ALTER TABLE run DETACH PARTITION run_365;
ALTER TABLE run DETACH PARTITION run_1095;
ALTER TABLE failure DETACH PARTITION failure_30;
ALTER TABLE failure DETACH PARTITION failure_90;
ALTER TABLE failure DETACH PARTITION failure_365;
ALTER TABLE failure DETACH PARTITION failure_1095;
ALTER TABLE test_hour DETACH PARTITION test_hour_30;
ALTER TABLE test_hour DETACH PARTITION test_hour_90;
ALTER TABLE test_hour DETACH PARTITION test_hour_365;
ALTER TABLE test_hour DETACH PARTITION test_hour_1095;
DROP TABLE run;
DROP TABLE failure;
DROP TABLE test_hour;

CREATE VIEW run AS
SELECT repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt, decides FROM run_30
UNION ALL
SELECT repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt, decides FROM run_90
UNION ALL
SELECT repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt, decides FROM run_365
UNION ALL
SELECT repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt, decides FROM run_1095;
CREATE VIEW failure AS
SELECT repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class, pr_number,
  commit_sha, type, message, stack
FROM failure_30
UNION ALL
SELECT repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class, pr_number,
  commit_sha, type, message, stack
FROM failure_90
UNION ALL
SELECT repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class, pr_number,
  commit_sha, type, message, stack
FROM failure_365
UNION ALL
SELECT repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class, pr_number,
  commit_sha, type, message, stack
FROM failure_1095;
CREATE VIEW test_hour AS
SELECT repository_id, test_id, hour, last_failed_at, passes, failures, skips, retention_days FROM test_hour_30
UNION ALL
SELECT repository_id, test_id, hour, last_failed_at, passes, failures, skips, retention_days FROM test_hour_90
UNION ALL
SELECT repository_id, test_id, hour, last_failed_at, passes, failures, skips, retention_days FROM test_hour_365
UNION ALL
SELECT repository_id, test_id, hour, last_failed_at, passes, failures, skips, retention_days FROM test_hour_1095;
CREATE VIEW run_view AS SELECT repository_id, test_id, upload_id, ran_at FROM run;

-- Repositories stay for ever, so that nothing can be left without its own; and rows of results may be on another server
-- than their repository.
ALTER TABLE test_settings DROP CONSTRAINT test_settings_repository_id_fkey;
ALTER TABLE upload DROP CONSTRAINT upload_repository_id_fkey;
ALTER TABLE result_feed DROP CONSTRAINT result_feed_repository_id_fkey;
ALTER TABLE monitor DROP CONSTRAINT monitor_repository_id_fkey;
ALTER TABLE judge_cursor DROP CONSTRAINT judge_cursor_repository_id_fkey;
