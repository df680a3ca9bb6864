-- The commit whose CODEOWNERS file was read last.
ALTER TABLE repository_connection ADD COLUMN owners_at text;

-- The CODEOWNERS file of the connected repository: the empty text where it had one and has none now.
ALTER TABLE test_settings ADD COLUMN repository_codeowners text;
