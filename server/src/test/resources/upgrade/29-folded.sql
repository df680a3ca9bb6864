UPDATE result_feed SET folded_until = '2026-03-01T11:00:00Z';
