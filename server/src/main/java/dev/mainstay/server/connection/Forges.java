package dev.mainstay.server.connection;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeKind;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Together;
import dev.mainstay.server.platform.Vault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The forges of connected repositories, opened when first needed. */
public final class Forges implements AutoCloseable {
  private final Database database;
  private final Vault vault;
  private final List<ForgeKind> kinds;
  private final Together<Long, ConnectionStore.Row> connections;
  private final Map<Long, Opened> open = new HashMap<>();
  private final List<Forge> replaced = new ArrayList<>();

  private record Opened(String kind, String address, Forge forge) {
    boolean isOf(ConnectionStore.Row how) {
      return kind.equals(how.kind()) && address.equals(how.address());
    }
  }

  /** A repository's forge, and how it is connected. */
  public record Connected(Forge forge, ConnectionStore.Row how) {}

  /** The first of the kinds is that of an address which names none. */
  public Forges(Database database, Vault vault, List<ForgeKind> kinds) {
    this.database = database;
    this.vault = vault;
    this.kinds = List.copyOf(kinds);
    connections = new Together<>(some -> database.query(h -> ConnectionStore.find(h, some)));
  }

  List<ForgeKind> kinds() {
    return kinds;
  }

  ForgeKind usual() {
    return kinds.getFirst();
  }

  Optional<ForgeKind> kind(String name) {
    return kinds.stream().filter(kind -> kind.name().equals(name)).findFirst();
  }

  /** Empty where the repository is not connected. */
  public Optional<Connected> of(long repositoryId) {
    return connections.find(repositoryId).map(how -> new Connected(forge(how), how));
  }

  /** The branches of a connected repository; empty where it cannot be asked now. */
  public Optional<Map<String, CommitSha>> branches(long repositoryId) {
    try {
      return of(repositoryId).map(connected -> connected.forge().heads().branches());
    } catch (ForgeUnavailable | CredentialsRefused e) {
      return Optional.empty();
    }
  }

  /** A repository that was disconnected after that time, for a landing that was under way there. */
  public Optional<Connected> disconnected(long repositoryId, Instant since) {
    return database
        .query(handle -> ConnectionStore.findDisconnected(handle, repositoryId, since))
        .map(how -> new Connected(forge(how), how));
  }

  byte[] locked(String secret, long repositoryId) {
    return vault.lock(secret, place(repositoryId));
  }

  String unlocked(byte[] locked, long repositoryId) {
    return vault.unlock(locked, place(repositoryId));
  }

  private static String place(long repositoryId) {
    return "repository " + repositoryId;
  }

  /** The credentials as they are stored now: whoever connects anew changes them for all nodes. */
  private Optional<Credentials> credentials(ConnectionStore.Row how) {
    return database
        .query(
            handle ->
                ConnectionStore.credentials(handle, how.repositoryId(), how.kind(), how.address()))
        .map(locked -> new Credentials(unlocked(locked, how.repositoryId())));
  }

  /**
   * The forge of a connection. One that another address replaces may still be in use, and leaves by
   * {@link #sweep}.
   */
  public Forge forge(ConnectionStore.Row how) {
    synchronized (open) {
      Opened opened = open.get(how.repositoryId());
      if (opened != null && opened.isOf(how)) {
        return opened.forge();
      }
      Forge forge =
          kind(how.kind())
              .orElseThrow(
                  () ->
                      new ForgeUnavailable(
                          "This node knows no forge of the kind " + how.kind() + "."))
              .open(how.address(), () -> credentials(how));
      if (opened != null) {
        replaced.add(opened.forge());
      }
      open.put(how.repositoryId(), new Opened(how.kind(), how.address(), forge));
      return forge;
    }
  }

  /**
   * Lets go of the forges of repositories that were disconnected or are elsewhere now, on whichever
   * node that was said, as soon as nobody works with them.
   */
  public void sweep() {
    Map<Long, Opened> before;
    synchronized (open) {
      before = Map.copyOf(open);
    }
    Map<Long, ConnectionStore.Row> rows =
        database.query(handle -> ConnectionStore.kept(handle, before.keySet()));
    List<Forge> leaving;
    synchronized (open) {
      before.forEach(
          (id, opened) -> {
            boolean stays = rows.containsKey(id) && opened.isOf(rows.get(id));
            if (!stays && open.remove(id, opened)) {
              replaced.add(opened.forge());
            }
          });
      leaving = List.copyOf(replaced);
    }
    List<Forge> gone = leaving.stream().filter(Forge::retire).toList();
    synchronized (open) {
      replaced.removeAll(gone);
    }
  }

  /** Removes copies of repositories that none is connected to: a node that was killed left them. */
  public void sweepCopies() {
    Set<String> names =
        database.query(ConnectionStore::places).stream()
            .flatMap(place -> kind(place.kind()).stream().flatMap(k -> copyName(k, place)))
            .collect(Collectors.toSet());
    kinds.forEach(kind -> kind.sweep(names));
  }

  private static Stream<String> copyName(ForgeKind kind, ConnectionStore.Place place) {
    return kind.copyName(place.address()).stream();
  }

  @Override
  public void close() {
    synchronized (open) {
      open.values().forEach(o -> o.forge().close());
      replaced.forEach(Forge::close);
      open.clear();
      replaced.clear();
    }
  }
}
