-- How often a test command was begun without anybody having seen it end: its node died meanwhile.
ALTER TABLE test_command_run ADD COLUMN unended integer NOT NULL DEFAULT 0;
