UPDATE upload SET tests = 2, failed_tests = 0;
INSERT INTO result_feed (repository_id, stamp, unfolded_from) SELECT id, 1, '2026-03-01T10:00:00Z' FROM repository;
INSERT INTO arrival (repository_id, stamp, upload_id) SELECT id, 1, 1 FROM repository;
INSERT INTO recent_failure (repository_id, test_id, failed_at, upload_id, shape, title)
SELECT id, '00000000-0000-0000-0000-00000000000b', '2026-03-01T10:00:01Z', 1, 7, 'no ring' FROM repository;
INSERT INTO monitor (repository_id, id, name, enabled, rule, created_at)
SELECT id, '00000000-0000-0000-0000-0000000000ee', 'Pass on retry', true, '{"kind": "pass_on_retry", "recovery_days": 7}', '2026-03-01T10:00:00Z' FROM repository;
INSERT INTO status_change (repository_id, test_id, at, before, after, reason)
SELECT id, '00000000-0000-0000-0000-00000000000b', '2026-03-01T10:06:00Z', 'healthy', 'flaky', 'Passed on retry.' FROM repository;
INSERT INTO judge_cursor (repository_id, stamp) SELECT id, 1 FROM repository;
UPDATE test SET ticket_id = 'SHOP-1' WHERE name = 'rings';
