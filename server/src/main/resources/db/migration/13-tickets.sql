-- The states of tickets of other systems, as far as somebody told of them.
CREATE TABLE ticket (
  organization_id bigint NOT NULL REFERENCES organization,
  id text NOT NULL,
  closed boolean NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
