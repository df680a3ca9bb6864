package dev.mainstay.server.forge.gitea;

import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeKind;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.forge.HookClaim;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.forge.hosted.HostedForge;
import dev.mainstay.server.forge.hosted.SignedHook;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.Budget;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.forge.rest.Usage;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Gitea, and Forgejo by the same API. Copies of repositories are kept below {@code caches}. */
public record GiteaKind(Path caches, GitLimits limits, InstantSource clock, Reach reach)
    implements ForgeKind {
  private static final String API = "/api/v1";

  @Override
  public String name() {
    return "gitea";
  }

  /** A server says of itself which version it has, without a token. */
  @Override
  public boolean answersAt(String address) {
    GiteaPlace place;
    try {
      place = GiteaPlace.of(GitAddress.parse(address).address().location());
    } catch (IllegalArgumentException e) {
      return false;
    }
    try (var rest = RestClient.once(URI.create(place.server() + API), Map.of(), reach.networks())) {
      Answer answer = rest.get("/version");
      return answer.ok() && !answer.json().path("version").asString("").isEmpty();
    } catch (ForgeUnavailable | CredentialsRefused e) {
      return false;
    }
  }

  @Override
  public Given read(String address) {
    try {
      GitAddress.Given given = GitAddress.parse(address);
      GiteaPlace place = GiteaPlace.of(given.address().location());
      return new Given.Address(
          place.location(), given.address().host(), given.credentials().map(GiteaToken::stored));
    } catch (IllegalArgumentException e) {
      return new Given.Fault(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Forge open(String location, Supplier<Optional<Credentials>> credentials) {
    GiteaPlace place = GiteaPlace.of(location);
    Supplier<Optional<String>> token = () -> credentials.get().map(GiteaToken::of);
    var budget = new Budget(clock, Budget.Writes.ANY);
    var rest =
        new RestClient(
            URI.create(place.server() + API),
            () -> headers(token),
            () -> budget,
            new Usage(),
            reach.networks());
    var api = new GiteaApi(rest, place);
    var far =
        new FarSide(
            new GitAddress(place.location()),
            () -> token.get().map(t -> new GitCredentials("x-access-token", t)),
            reach);
    return HostedForge.open(api, new GiteaLanding(api), far, caches, limits);
  }

  private static Map<String, String> headers(Supplier<Optional<String>> token) {
    return token.get().map(t -> Map.of("Authorization", "token " + t)).orElse(Map.of());
  }

  @Override
  public Optional<String> copyName(String location) {
    return Optional.of(CacheDirectory.name(new GitAddress(GiteaPlace.of(location).location())));
  }

  @Override
  public Optional<HookClaim> claim(HookCall call) {
    return SignedHook.claim(call, "X-Gitea-Signature", Optional.empty());
  }
}
