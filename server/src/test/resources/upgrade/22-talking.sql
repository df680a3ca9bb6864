INSERT INTO pull_request_comment (repository_id, pr, gist, text, shown_at) SELECT id, 7, 'merged', 'Merged.', '2026-03-01T12:00:00Z' FROM repository;
