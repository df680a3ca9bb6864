INSERT INTO repository_connection (repository_id, version, address, test_command, test_timeout_seconds, hook_hash, connected_at, look_at)
SELECT id, 1, 'ssh://git@git.example/acme/shop.git', 'make test', 600, sha256('hook'), '2026-03-01T11:00:00Z', '2999-01-01T00:00:00Z' FROM repository;
INSERT INTO merge_queue (repository_id, branch, slug, version, state, target, line, side, created_at)
SELECT id, 'main', 'shop1', 1,
  '{"v":1,"settings":{"mode":"PARALLEL","concurrency":3,"bisectionConcurrency":2,"testingTimeoutMinutes":300,"pendingFailureDepth":0,"canOptimisticallyMerge":true,"batch":true,"batchingMinSize":2,"batchingMaxWaitTimeMinutes":0,"mergeMethod":"SQUASH","directMergeMode":"OFF","optimizationMode":"OFF","requiredStatuses":["ci","lint"],"commentsEnabled":true,"commandsEnabled":true,"statusCheckEnabled":true,"createPrsForTestingBranches":true},"lifecycle":"PAUSED","connection":{"connected":true,"protectionStatuses":["ci"],"hasTestCommand":true},"lastId":3}',
  '{"v":1,"branch":"main","head":"0000000000000000000000000000000000000032","earlierHeads":[]}', '{"v":1,"groups":[]}', '{"v":1,"groups":[]}', '2026-03-01T11:00:00Z'
FROM repository;
INSERT INTO queue_event (queue_id, seq, at, event)
SELECT id, 0, '2026-03-01T11:00:00Z',
  '{"v":1,"rest":{"settings":{"mode":"PARALLEL","concurrency":3,"bisectionConcurrency":2,"testingTimeoutMinutes":300,"pendingFailureDepth":0,"canOptimisticallyMerge":true,"batch":true,"batchingMinSize":2,"batchingMaxWaitTimeMinutes":0,"mergeMethod":"SQUASH","directMergeMode":"OFF","optimizationMode":"OFF","requiredStatuses":["ci","lint"],"commentsEnabled":true,"commandsEnabled":true,"statusCheckEnabled":true,"createPrsForTestingBranches":true},"lifecycle":"PAUSED","connection":{"connected":true,"protectionStatuses":["ci"],"hasTestCommand":true},"lastId":3},"target":{"branch":"main","head":"0000000000000000000000000000000000000032","earlierHeads":[]},"line":[],"side":[],"entries":[]}'
FROM merge_queue;
INSERT INTO pull_request (queue_id, entry, number, open, state, state_changed_at, reason_code, reason, used_default_priority, title, author, url, submitted_at,
  ended_at, moved_at, content)
SELECT id, 1, 7, false, 'MERGED', '2026-03-01T12:00:00Z', 'MERGED_BY_QUEUE', 'Merged.', true, 'Add carts', 'ann', '', '2026-03-01T11:30:00Z', '2026-03-01T12:00:00Z',
  '2026-03-01T12:00:00Z', '{"v":1,"id":1,"pr":1,"priority":10,"snapshot":{"head":"0000000000000000000000000000000000000001","baseBranch":"main","status":"OPEN","mergeability":"MERGEABLE","mergeBase":"0000000000000000000000000000000000000000","passedStatuses":["lint"],"asOf":"2026-03-01T12:00:00.123456Z"},"targets":{"head":"0000000000000000000000000000000000000001","targets":["x"]},"state":"TESTING","reason":{"code":"BISECTING","sentence":"The batch of #1 and #2 failed, so its halves are tested."},"stateChangedAt":"2026-03-01T12:00:00.123456Z","submittedAt":"2026-03-01T12:00:00.123456Z","admission":{"head":"0000000000000000000000000000000000000001","targets":["x"],"since":"2026-03-01T12:00:00.123456Z"}}'
FROM merge_queue;
INSERT INTO pull_request_transition (queue_id, entry, at, from_state, to_state, reason_code, reason)
SELECT id, 1, t.at::timestamptz, t.before, t.after, 'READY', ''
FROM merge_queue, (VALUES ('2026-03-01T11:30:00Z', NULL, 'PENDING'), ('2026-03-01T11:31:00Z', 'PENDING', 'TESTING'),
  ('2026-03-01T12:00:00Z', 'TESTING', 'MERGED')) AS t (at, before, after);
INSERT INTO test_run (queue_id, run, kind, status, branch, sha, base, created_at, ended_at, required_statuses, required_by, tested, stands_on, targets)
SELECT id, 2, 'MAIN', 'SUCCEEDED', 'mainstay/shop1/2', 'beef', 'dead', '2026-03-01T11:31:00Z', '2026-03-01T11:59:00Z', '{ci}', 'QUEUE',
  '{"v":1,"changes":[{"pr":7,"head":"0000000000000000000000000000000000000007"}]}', '{"v":1,"changes":[]}', '{"v":1,"targets":"ALL"}'
FROM merge_queue;
INSERT INTO test_check (queue_id, run, name, state, reported_at) SELECT id, 2, 'ci', 'SUCCESS', '2026-03-01T11:59:00Z' FROM merge_queue;
