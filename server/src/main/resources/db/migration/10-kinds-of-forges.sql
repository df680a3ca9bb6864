-- The kind of a connection's forge, for which its address is written, and the host that is asked
-- there; empty for this machine. refusal is the forge's last no to the credentials when something was
-- to be done: a look that goes well does not lift it.
ALTER TABLE repository_connection ADD COLUMN kind text NOT NULL DEFAULT 'git';
ALTER TABLE repository_connection ADD COLUMN host text NOT NULL DEFAULT '';
ALTER TABLE repository_connection ADD COLUMN refusal text;
UPDATE repository_connection SET host = CASE
  WHEN address LIKE '/%' OR address LIKE 'file://%' THEN ''
  WHEN address LIKE '%://%' THEN substring(address FROM '://(?:[^/@]*@)?([^/]*)')
  ELSE substring(address FROM '^(?:[^@:]*@)?([^:]*):') END;
