package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeKind;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Plain git. Copies of repositories are kept below {@code caches}. */
public record GitKind(Path caches, GitLimits limits, Reach reach) implements ForgeKind {
  @Override
  public String name() {
    return "git";
  }

  @Override
  public Given read(String address) {
    try {
      GitAddress.Given given = GitAddress.parse(address);
      return new Given.Address(
          given.address().location(),
          given.address().host(),
          given.credentials().map(GitCredentials::stored));
    } catch (IllegalArgumentException e) {
      return new Given.Fault(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Forge open(String location, Supplier<Optional<Credentials>> credentials) {
    var far =
        new FarSide(
            new GitAddress(location), () -> credentials.get().map(GitCredentials::of), reach);
    return GitForge.open(far, caches, limits);
  }

  @Override
  public Optional<String> copyName(String location) {
    return Optional.of(CacheDirectory.name(new GitAddress(location)));
  }

  /** All kinds keep their copies in one place, and this one tidies it. */
  @Override
  public void sweep(Set<String> copyNames) {
    CacheDirectory.sweep(caches, copyNames);
  }

  @Override
  public Optional<String> hookToken(Map<String, String> parameters) {
    return Optional.ofNullable(parameters.get("token"));
  }
}
