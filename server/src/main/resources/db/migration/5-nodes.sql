-- The nodes that are there. Each holds an advisory lock on its number for as long as its session
-- with the database lasts; whoever else gets that lock knows that it is gone.
CREATE TABLE node (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  arrived_at timestamptz NOT NULL
);

-- The node that has the lease. It ends with its time, and with the node.
ALTER TABLE queue_action ADD COLUMN node integer;
ALTER TABLE repository_connection ADD COLUMN node integer;
ALTER TABLE test_command_run DROP COLUMN node;
ALTER TABLE test_command_run ADD COLUMN node integer;
