INSERT INTO ticket (organization_id, id, closed, changed_at) SELECT id, 'SHOP-1', true, '2026-03-02T00:00:00Z' FROM organization;
