-- Labels and buttons of a host that are commands: the mark up to which they were read, and the names that were looked
-- for then; what is there when a name is first looked for is no command.
ALTER TABLE conversation ADD COLUMN covers text;
ALTER TABLE conversation ADD COLUMN signs text[] NOT NULL DEFAULT '{}';

-- One that a node has taken is that node's until then, whatever makes it due.
ALTER TABLE conversation ADD COLUMN leased_until timestamptz;

-- Signs that are on a pull request, and who set them.
CREATE TABLE seen_sign (
  repository_id bigint NOT NULL REFERENCES repository ON DELETE CASCADE,
  pr integer NOT NULL,
  sign text NOT NULL,
  who text NOT NULL,
  PRIMARY KEY (repository_id, pr, sign)
);

-- The label by which we say how a pull request that is in a queue stands, as it was set last.
CREATE TABLE state_label (
  repository_id bigint NOT NULL REFERENCES repository ON DELETE CASCADE,
  pr integer NOT NULL,
  label text NOT NULL,
  PRIMARY KEY (repository_id, pr)
);
