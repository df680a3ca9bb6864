INSERT INTO seen_sign (repository_id, pr, sign, who) SELECT id, 7, 'label', 'ann' FROM repository;
