-- Facts that somebody outside asked to hear of, until they are told: what became true in the
-- transaction that wrote the row. The number is drawn under the lock of the subject, so that for one
-- subject numbers are in the order of commits.
CREATE TABLE fact (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  organization_id bigint NOT NULL,
  repository_id bigint NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  at timestamptz NOT NULL,
  content json NOT NULL
);
CREATE INDEX fact_organization_idx ON fact (organization_id, number);

-- Endpoints that events are sent to. The address and the secrets are encrypted. The earlier secret signs
-- too until its time ends. Without repositories an endpoint hears of all. failing_since is there while
-- nothing but failures came; wait_until is when the endpoint may be asked again.
CREATE TABLE webhook (
  id uuid PRIMARY KEY,
  organization_id bigint NOT NULL REFERENCES organization,
  name text NOT NULL,
  url bytea NOT NULL,
  kinds text[] NOT NULL,
  repos text[],
  format text NOT NULL CHECK (format IN ('standard', 'trunk', 'slack')),
  enabled boolean NOT NULL,
  secret bytea NOT NULL,
  earlier_secret bytea,
  earlier_until timestamptz,
  created_at timestamptz NOT NULL,
  failing_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  wait_until timestamptz,
  switched_off_at timestamptz,
  switched_off_reason text
);
CREATE INDEX webhook_organization_idx ON webhook (organization_id, created_at, id);

CREATE VIEW webhook_view AS SELECT organization_id, kinds FROM webhook;

-- Events, with all that is said of them. The number and the id are those of the fact.
CREATE TABLE webhook_event (
  organization_id bigint NOT NULL,
  number bigint NOT NULL,
  id uuid NOT NULL,
  repository_id bigint NOT NULL,
  repo text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  at timestamptz NOT NULL,
  told_at timestamptz NOT NULL,
  data json NOT NULL,
  PRIMARY KEY (organization_id, number)
);
CREATE INDEX webhook_event_at_idx ON webhook_event (organization_id, at, number);
CREATE INDEX webhook_event_told_idx ON webhook_event (told_at);

-- Events that are still to be delivered to an endpoint. due_at is also the lease of the node that does it;
-- one that waits for an earlier one of its subject is due at infinity.
CREATE TABLE webhook_delivery (
  webhook_id uuid NOT NULL REFERENCES webhook ON DELETE CASCADE,
  number bigint NOT NULL,
  organization_id bigint NOT NULL,
  subject text NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  node integer,
  PRIMARY KEY (webhook_id, number)
);
CREATE INDEX webhook_delivery_due_idx ON webhook_delivery (webhook_id, due_at, number);
CREATE INDEX webhook_delivery_subject_idx ON webhook_delivery (webhook_id, subject, number)
  WHERE attempts < 2 OR node IS NOT NULL;
CREATE INDEX webhook_delivery_node_idx ON webhook_delivery (node) WHERE node IS NOT NULL;

-- Attempts to deliver, with the beginning of what was sent and of what was answered.
CREATE TABLE webhook_attempt (
  webhook_id uuid NOT NULL REFERENCES webhook ON DELETE CASCADE,
  number bigint GENERATED ALWAYS AS IDENTITY,
  id uuid NOT NULL,
  event_number bigint NOT NULL,
  event_id uuid NOT NULL,
  kind text NOT NULL,
  attempt integer NOT NULL,
  at timestamptz NOT NULL,
  took_ms integer NOT NULL,
  outcome text NOT NULL,
  status integer,
  sentence text NOT NULL,
  next_at timestamptz,
  sent text NOT NULL,
  answered text NOT NULL,
  PRIMARY KEY (webhook_id, number)
);
CREATE INDEX webhook_attempt_id_idx ON webhook_attempt (webhook_id, id);
CREATE INDEX webhook_attempt_at_idx ON webhook_attempt (at);

-- True where somebody was told that a decision about a test's quarantine has run out.
ALTER TABLE test ADD COLUMN override_ended boolean NOT NULL DEFAULT false;
CREATE INDEX test_override_until_idx ON test (override_until) WHERE override_until IS NOT NULL AND NOT override_ended;
