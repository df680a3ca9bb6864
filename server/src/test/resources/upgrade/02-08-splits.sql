INSERT INTO commit_failure (repository_id, commit_sha, test_id, failures, passes, first_failed_at, last_ran_at)
SELECT id, 'c0ffee', '00000000-0000-0000-0000-00000000000b', 1, 1, '2026-03-01T10:00:01Z', '2026-03-01T10:00:00Z' FROM repository;
