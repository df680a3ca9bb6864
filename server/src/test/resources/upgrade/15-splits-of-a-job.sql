UPDATE commit_failure SET job = 'linux';
