-- The time when a repository was disconnected; its row is only there until it is known how a merge
-- ended that was under way.
ALTER TABLE repository_connection ADD COLUMN disconnected_at timestamptz;
