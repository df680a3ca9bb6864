INSERT INTO repository (organization_id, key, host, owner, name, created_at)
SELECT id, 'git.example/acme/shop', 'git.example', 'Acme', 'shop', '2026-01-01T00:00:00Z' FROM organization;
INSERT INTO test_settings (repository_id, quarantining_enabled, stable_branches, codeowners) SELECT id, true, '{main}', '* @acme' FROM repository;
INSERT INTO test (repository_id, id, name, variant, parent, file, classname, codeowners, first_seen_at, status, quarantine_override)
SELECT r.id, t.id::uuid, t.name, '', '', 'Clock.java', 'Clock', '{@acme}', '2026-03-01T09:00:00Z', t.status, t.override
FROM repository r, (VALUES ('00000000-0000-0000-0000-00000000000a', 'ticks', 'healthy', NULL),
  ('00000000-0000-0000-0000-00000000000b', 'rings', 'flaky', 'ALWAYS_QUARANTINE')) AS t (id, name, status, override);
INSERT INTO upload (repository_id, id, public_id, content_key, received_at, branch, branch_class, commit_sha, job, variant, attempt, first_ran_at, answer)
SELECT id, nextval('upload_number'), '00000000-0000-0000-0000-0000000000cc', '\x01', '2026-03-01T10:05:00Z', 'main', 0, 'c0ffee', 'linux', '', 1,
  '2026-03-01T10:00:00Z', '{"v": 1}'
FROM repository;
CREATE TABLE run_90_20260301 PARTITION OF run_90 FOR VALUES FROM ('2026-03-01T00:00:00Z') TO ('2026-03-02T00:00:00Z');
CREATE TABLE failure_90_20260301 PARTITION OF failure_90 FOR VALUES FROM ('2026-03-01T00:00:00Z') TO ('2026-03-02T00:00:00Z');
CREATE TABLE test_hour_90_20260301 PARTITION OF test_hour_90 FOR VALUES FROM ('2026-03-01T00:00:00Z') TO ('2026-03-02T00:00:00Z');
INSERT INTO run_90 (repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt)
SELECT r.id, t.id::uuid, t.at::timestamptz, 1, 12, 90, t.outcome, t.attempt
FROM repository r, (VALUES ('00000000-0000-0000-0000-00000000000a', '2026-03-01T10:00:00Z', 0, 1),
  ('00000000-0000-0000-0000-00000000000b', '2026-03-01T10:00:01Z', 1, 1),
  ('00000000-0000-0000-0000-00000000000b', '2026-03-01T10:00:02Z', 0, 2)) AS t (id, at, outcome, attempt);
INSERT INTO failure_90 (repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class, commit_sha, type, message, stack)
SELECT id, '00000000-0000-0000-0000-00000000000b', '2026-03-01T10:00:01Z', 1, 90, 1, 1, 0, 'c0ffee', 'AssertionError', 'no ring', 'at Clock' FROM repository;
INSERT INTO test_hour_90 (repository_id, test_id, hour, passes, failures, skips, retention_days)
SELECT r.id, t.id::uuid, '2026-03-01T10:00:00Z', 1, t.failures, 0, 90
FROM repository r, (VALUES ('00000000-0000-0000-0000-00000000000a', 0), ('00000000-0000-0000-0000-00000000000b', 1)) AS t (id, failures);
INSERT INTO bundle (id, repository_id, created_at, expires_at)
SELECT '00000000-0000-0000-0000-0000000000dd', id, '2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z' FROM repository;
INSERT INTO secret (name, value) VALUES ('connection-credentials', sha256('the key of an earlier version'));
