package dev.mainstay.server.connection;

import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.git.GitAddress;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Vault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The forges of connected repositories, opened when first needed. */
public final class Forges implements AutoCloseable {
  private final Database database;
  private final Vault vault;
  private final Function<GitAddress, Forge> opener;
  private final Map<Long, Opened> open = new HashMap<>();
  private final List<Forge> replaced = new ArrayList<>();

  private record Opened(GitAddress address, Forge forge) {}

  /** A repository's forge, and how it is connected. */
  public record Connected(Forge forge, ConnectionStore.Row how) {}

  public Forges(Database database, Vault vault, Function<GitAddress, Forge> opener) {
    this.database = database;
    this.vault = vault;
    this.opener = opener;
  }

  /** Empty where the repository is not connected. */
  public Optional<Connected> of(long repositoryId) {
    return database
        .query(handle -> ConnectionStore.find(handle, repositoryId))
        .map(how -> new Connected(forge(how), how));
  }

  /** A repository that was disconnected after that time, for a landing that was under way there. */
  public Optional<Connected> disconnected(long repositoryId, Instant since) {
    return database
        .query(handle -> ConnectionStore.findDisconnected(handle, repositoryId, since))
        .map(how -> new Connected(forge(how), how));
  }

  /** A forge for a question or two; the caller closes it. */
  Forge open(GitAddress address) {
    return opener.apply(address);
  }

  Optional<byte[]> locked(GitAddress address, long repositoryId) {
    return address
        .credentials()
        .map(c -> vault.lock(c.user() + "\n" + c.password(), place(repositoryId)));
  }

  private static String place(long repositoryId) {
    return "repository " + repositoryId;
  }

  private GitAddress address(ConnectionStore.Row how) {
    Optional<GitAddress.Credentials> credentials =
        how.credentials()
            .map(locked -> vault.unlock(locked, place(how.repositoryId())).split("\n", 2))
            .map(pair -> new GitAddress.Credentials(pair[0], pair[1]));
    return new GitAddress(how.address(), credentials);
  }

  /**
   * The forge of a connection. One that another address replaces may still be in use, and is closed
   * in the end.
   */
  public Forge forge(ConnectionStore.Row how) {
    GitAddress address = address(how);
    synchronized (open) {
      Opened opened = open.get(how.repositoryId());
      if (opened != null && opened.address().equals(address)) {
        return opened.forge();
      }
      if (opened != null) {
        replaced.add(opened.forge());
      }
      Forge forge = opener.apply(address);
      open.put(how.repositoryId(), new Opened(address, forge));
      return forge;
    }
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
