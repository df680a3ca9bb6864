package dev.mainstay.server.connection;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks whether connections are as they should be, by asking their forges. */
public final class Checkup {
  private static final int PAGE = 500;

  private final Database database;
  private final Dependents dependents;
  private final Forges forges;
  private final Reach reach;

  Checkup(Database database, Dependents dependents, Forges forges, Reach reach) {
    this.database = database;
    this.dependents = dependents;
    this.forges = forges;
    this.reach = reach;
  }

  /** What was found at a repository's forge, and what the forge says of itself. */
  public record Checked(List<Finding> findings, Optional<HostUsage> usage) {
    public Checked {
      findings = List.copyOf(findings);
    }
  }

  /** Looks whether everything is set up; empty where the repository is not connected. */
  public Optional<Checked> of(long organizationId, RepoName repo) {
    return database
        .query(handle -> RepositoryStore.find(handle, organizationId, repo))
        .flatMap(r -> forges.of(r.id()))
        .map(
            connected ->
                new Checked(
                    Stream.concat(
                            checked(
                                connected.forge(),
                                dependents.targetBranches(connected.how().repositoryId()))
                                .stream(),
                            reach.advice(connected.how().address()).stream())
                        .toList(),
                    connected.forge().usage()));
  }

  private static List<Finding> checked(Forge forge, Set<String> branches) {
    try {
      return forge.findings(branches);
    } catch (ForgeUnavailable e) {
      return List.of(
          Finding.missing(String.valueOf(e.getMessage()), "See that it answers, and check again."));
    } catch (CredentialsRefused e) {
      return List.of(
          Finding.missing(
              String.valueOf(e.getMessage()),
              "Connect the repository again with credentials that work."));
    }
  }

  /** All connections of an organization, by the host they are at; nobody is asked. */
  public Map<String, List<ConnectionView>> byHost(long organizationId) {
    var byHost = new TreeMap<String, List<ConnectionView>>();
    List<Repository> page;
    String last = "";
    do {
      String after = last;
      page = database.query(h -> RepositoryStore.page(h, organizationId, after, PAGE));
      Set<Long> ids = page.stream().map(Repository::id).collect(Collectors.toSet());
      Map<Long, ConnectionStore.Row> rows =
          database.query(handle -> ConnectionStore.find(handle, ids));
      for (Repository one : page) {
        last = one.name().key();
        ConnectionStore.Row how = rows.get(one.id());
        if (how != null) {
          byHost
              .computeIfAbsent(how.host(), host -> new ArrayList<>())
              .add(ConnectionView.of(one.name(), how));
        }
      }
    } while (page.size() == PAGE);
    return byHost;
  }
}
