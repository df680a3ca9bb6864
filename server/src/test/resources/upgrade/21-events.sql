INSERT INTO webhook (id, organization_id, name, url, kinds, format, enabled, secret, created_at)
SELECT '00000000-0000-0000-0000-0000000000a2', id, 'chat', '\x00', '{pull_request.merged}', 'standard', false, '\x00', '2026-03-01T00:00:00Z' FROM organization;
