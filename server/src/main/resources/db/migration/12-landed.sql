-- How a merged entry came onto the target branch, and the commit that branch then ended in.
ALTER TABLE pull_request ADD COLUMN landed_sha text, ADD COLUMN landed_how text;
