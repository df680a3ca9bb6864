UPDATE repository_connection SET host = 'git.example';
