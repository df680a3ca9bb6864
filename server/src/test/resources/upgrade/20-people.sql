INSERT INTO person (id, organization_id, issuer, subject, name, role, first_seen_at, last_seen_at)
SELECT '00000000-0000-0000-0000-0000000000a1', id, 'https://id.example', 'ann', 'Ann', 'admin', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z' FROM organization;
