-- The times when a test went both ways on a commit, and the branch where it failed first: judging
-- reads them from here rather than from the runs.
ALTER TABLE commit_failure ADD COLUMN branch text NOT NULL DEFAULT '';
ALTER TABLE commit_failure ADD COLUMN last_failed_at timestamptz;
ALTER TABLE commit_failure ADD COLUMN first_passed_at timestamptz;
UPDATE commit_failure c SET branch = seen.branch, last_failed_at = seen.last_failed_at,
  first_passed_at = seen.first_passed_at
FROM (
  SELECT u.repository_id, u.commit_sha, r.test_id,
    coalesce(min(u.branch) FILTER (WHERE r.outcome <> 0), '') AS branch,
    max(r.ran_at) FILTER (WHERE r.outcome <> 0) AS last_failed_at,
    min(r.ran_at) FILTER (WHERE r.outcome = 0) AS first_passed_at
  FROM upload u
  JOIN run r ON r.repository_id = u.repository_id AND r.upload_id = u.id AND r.outcome < 3
  JOIN commit_failure f
    ON f.repository_id = u.repository_id AND f.commit_sha = u.commit_sha AND f.test_id = r.test_id
  WHERE NOT u.set_aside
  GROUP BY 1, 2, 3
) seen
WHERE c.repository_id = seen.repository_id AND c.commit_sha = seen.commit_sha AND c.test_id = seen.test_id;
UPDATE commit_failure SET last_failed_at = first_failed_at WHERE last_failed_at IS NULL;
UPDATE commit_failure SET first_passed_at = last_ran_at WHERE first_passed_at IS NULL AND passes > 0;
ALTER TABLE commit_failure ALTER COLUMN last_failed_at SET NOT NULL;
