-- Repositories at whose hosts people are talked to: when next, the node that does it now, and the mark up to which
-- their comments were read; without one, nobody listens yet. A mark is good for the address that it is of.
CREATE TABLE conversation (
  repository_id bigint PRIMARY KEY REFERENCES repository ON DELETE CASCADE,
  due_at timestamptz NOT NULL,
  node integer,
  listen_at timestamptz NOT NULL DEFAULT 'epoch',
  address text NOT NULL DEFAULT '',
  comments text
);
CREATE INDEX conversation_due_idx ON conversation (due_at);
CREATE INDEX conversation_node_idx ON conversation (node) WHERE node IS NOT NULL;

-- What people asked for at a host, by what it is known there. So many of its commands are done, all of them where
-- `good` says how it went; `answer` is the line that says what is wrong. It is answered when that was told.
CREATE TABLE asked (
  repository_id bigint NOT NULL REFERENCES repository ON DELETE CASCADE,
  source text NOT NULL,
  pr integer NOT NULL,
  who text NOT NULL,
  said text NOT NULL,
  asked_at timestamptz NOT NULL,
  done integer NOT NULL DEFAULT 0,
  good boolean,
  answer text NOT NULL DEFAULT '',
  answered_at timestamptz,
  PRIMARY KEY (repository_id, source)
);
CREATE INDEX asked_open_idx ON asked (repository_id, asked_at) WHERE answered_at IS NULL;
CREATE INDEX asked_answered_idx ON asked (answered_at) WHERE answered_at IS NOT NULL;

-- Our one comment on each pull request that is in a queue or was asked for, as it was written last, and the line that
-- answers somebody. A row goes when the end of its pull request is written there.
CREATE TABLE pull_request_comment (
  repository_id bigint NOT NULL REFERENCES repository ON DELETE CASCADE,
  pr integer NOT NULL,
  gist text NOT NULL DEFAULT '',
  text text NOT NULL DEFAULT '',
  answer text NOT NULL DEFAULT '',
  shown_at timestamptz NOT NULL,
  PRIMARY KEY (repository_id, pr)
);
