INSERT INTO organization (slug, name, created_at) VALUES ('acme', 'Acme Inc.', '2026-01-01T00:00:00Z');
INSERT INTO api_key (id, organization_id, name, token_hash, scopes, created_at, version)
SELECT '00000000-0000-0000-0000-0000000000aa', id, 'ci', sha256('mst_a-key-of-an-earlier-version-0000'), '{read,admin}', '2026-01-01T00:00:00Z', 1
FROM organization;
UPDATE api_key_version SET version = 1;
