-- A table is named in statements of the room that owns it, and nowhere else. Where a statement of
-- another room joins one, it joins the view of the table, whose columns others may rely on.
CREATE VIEW organization_view AS
SELECT id, slug, retention_days, features, ticket_url FROM organization;

-- Every repository has an organization: by the outer join, a statement that asks for nothing of it
-- does not look it up.
CREATE VIEW repository_view AS
SELECT r.id, r.organization_id, r.key, r.host, r.owner, r.name,
  o.slug AS organization, o.retention_days, o.features, o.ticket_url
FROM repository r LEFT JOIN organization_view o ON o.id = r.organization_id;

CREATE VIEW node_view AS SELECT id FROM node;

CREATE VIEW test_view AS SELECT repository_id, id, status, review_at FROM test;

CREATE VIEW result_feed_view AS SELECT repository_id, stamp, unfolded_from FROM result_feed;
CREATE VIEW run_view AS SELECT repository_id, test_id, upload_id, ran_at FROM run;
CREATE VIEW recent_failure_view AS SELECT repository_id, test_id, failed_at FROM recent_failure;
CREATE VIEW commit_failure_view AS
SELECT repository_id, commit_sha, test_id, passes, failures, last_ran_at FROM commit_failure;
