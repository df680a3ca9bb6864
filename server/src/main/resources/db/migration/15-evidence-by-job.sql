-- A pass in another job is no pass on retry: what a test did on a commit is kept by the job. Where a
-- commit was run by several, the runs are counted anew; in an upload in which several cases of one
-- test ran and one failed, the passes of the others are not its own.
ALTER TABLE commit_failure ADD COLUMN job text NOT NULL DEFAULT '';
ALTER TABLE commit_failure DROP CONSTRAINT commit_failure_pkey;
UPDATE commit_failure c SET job = lone.job
FROM (
  SELECT repository_id, commit_sha, min(job) AS job FROM upload WHERE commit_sha <> '' AND NOT set_aside
  GROUP BY repository_id, commit_sha HAVING min(job) = max(job) AND min(job) <> ''
) lone
WHERE c.repository_id = lone.repository_id AND c.commit_sha = lone.commit_sha;
CREATE TEMP TABLE by_job ON COMMIT DROP AS
SELECT repository_id, commit_sha, job, test_id, min(branch) FILTER (WHERE failures > 0) AS branch,
  sum(failures)::int AS failures, sum(CASE WHEN shared THEN 0 ELSE passes END)::int AS passes,
  min(first_failed_at) AS first_failed_at, max(last_failed_at) AS last_failed_at,
  min(first_passed_at) FILTER (WHERE NOT shared) AS first_passed_at, max(last_ran_at) AS last_ran_at
FROM (
  SELECT u.repository_id, u.commit_sha, u.job, u.branch, r.test_id,
    count(*) FILTER (WHERE r.outcome <> 0) AS failures, count(*) FILTER (WHERE r.outcome = 0) AS passes,
    count(*) FILTER (WHERE r.outcome <> 0) > 0 AND count(*) > count(DISTINCT r.attempt) AS shared,
    min(r.ran_at) FILTER (WHERE r.outcome <> 0) AS first_failed_at,
    max(r.ran_at) FILTER (WHERE r.outcome <> 0) AS last_failed_at,
    min(r.ran_at) FILTER (WHERE r.outcome = 0) AS first_passed_at,
    date_trunc('hour', max(r.ran_at)) AS last_ran_at
  FROM (
    SELECT repository_id, commit_sha FROM upload WHERE commit_sha <> '' AND NOT set_aside
    GROUP BY repository_id, commit_sha HAVING min(job) <> max(job)
  ) several
  JOIN commit_failure c ON c.repository_id = several.repository_id AND c.commit_sha = several.commit_sha
  JOIN upload u ON u.repository_id = c.repository_id AND u.commit_sha = c.commit_sha AND NOT u.set_aside
  JOIN run r ON r.repository_id = u.repository_id AND r.upload_id = u.id AND r.test_id = c.test_id
    AND r.outcome < 3
  GROUP BY u.repository_id, u.id, u.commit_sha, u.job, u.branch, r.test_id
) of_upload
GROUP BY repository_id, commit_sha, job, test_id;
DELETE FROM commit_failure c USING by_job b
WHERE c.repository_id = b.repository_id AND c.commit_sha = b.commit_sha AND c.test_id = b.test_id;
INSERT INTO commit_failure (repository_id, commit_sha, job, test_id, branch, failures, passes, first_failed_at,
  last_failed_at, first_passed_at, last_ran_at)
SELECT repository_id, commit_sha, job, test_id, branch, failures, passes, first_failed_at, last_failed_at,
  first_passed_at, last_ran_at
FROM by_job WHERE failures > 0;
ALTER TABLE commit_failure ADD PRIMARY KEY (repository_id, commit_sha, job, test_id);

-- The attempt by which a case of a test ended. Of older runs it is not known.
ALTER TABLE run ADD COLUMN decides boolean;

-- The pull requests that the test branch of a merge queue holds, where it is one of our own.
ALTER TABLE upload ADD COLUMN pull_requests integer[];

-- Without patterns a monitor looks at stable branches from now on: those that are there go on
-- looking at every branch.
UPDATE monitor SET rule = jsonb_set(rule, '{branches}', '["*"]')
WHERE rule ->> 'kind' IN ('failure_rate', 'failure_count') AND coalesce(rule -> 'branches', '[]') = '[]';

-- What was flagged by other rules is judged by these.
INSERT INTO judge_due (repository_id, test_id)
SELECT repository_id, id FROM test WHERE status <> 'healthy' ON CONFLICT DO NOTHING;
