package dev.mainstay.server.forge.gitlab;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
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
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.forge.git.copy.PullReferences;
import dev.mainstay.server.forge.hosted.HostedForge;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.Budget;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.forge.rest.Usage;
import dev.mainstay.server.platform.Sha256;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** GitLab. Copies of projects are kept below {@code caches}. */
public final class GitLabKind implements ForgeKind {
  private static final String API = "/api/v4";
  private static final int MOST_ACCOUNTS = 10_000;

  /** Notes may be written 60 times a minute at gitlab.com; nothing else of ours is that often. */
  private static final Budget.Writes WRITES = new Budget.Writes(60, 3600);

  private final Path caches;
  private final GitLimits limits;
  private final InstantSource clock;
  private final Reach reach;
  private final Patience patience;

  /** By the digest of a token: projects that one token serves share its limits. */
  private final Cache<String, Budget> budgets =
      Caffeine.newBuilder().maximumSize(MOST_ACCOUNTS).build();

  public GitLabKind(Path caches, GitLimits limits, InstantSource clock, Reach reach) {
    this(caches, limits, clock, reach, Patience.USUAL);
  }

  GitLabKind(Path caches, GitLimits limits, InstantSource clock, Reach reach, Patience patience) {
    this.caches = caches;
    this.limits = limits;
    this.clock = clock;
    this.reach = reach;
    this.patience = patience;
  }

  @Override
  public String name() {
    return "gitlab";
  }

  /** A server lists its public projects, if only none, to whoever asks. */
  @Override
  public boolean answersAt(String address) {
    GitLabPlace place;
    try {
      place = GitLabPlace.of(GitAddress.parse(address).address().location());
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (place.isGitLabCom()) {
      return true;
    }
    try (var rest = RestClient.once(URI.create(place.server() + API), Map.of(), reach.networks())) {
      Answer answer = rest.get("/projects?per_page=1&simple=true");
      return answer.ok()
          && answer.json().isArray()
          && (answer.header("x-gitlab-meta").isPresent()
              || answer.header("x-per-page").isPresent());
    } catch (ForgeUnavailable | CredentialsRefused e) {
      return false;
    }
  }

  @Override
  public Given read(String address) {
    try {
      GitAddress.Given given = GitAddress.parse(address);
      GitLabPlace place = GitLabPlace.of(given.address().location());
      return new Given.Address(
          place.location(), given.address().host(), given.credentials().map(GitLabToken::stored));
    } catch (IllegalArgumentException e) {
      return new Given.Fault(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Forge open(String location, Supplier<Optional<Credentials>> credentials) {
    GitLabPlace place = GitLabPlace.of(location);
    Supplier<Optional<String>> token = () -> credentials.get().map(GitLabToken::of);
    var rest =
        new RestClient(
            URI.create(place.server() + API),
            () -> token.get().map(t -> Map.of("PRIVATE-TOKEN", t)).orElse(Map.of()),
            () -> budget(place, token.get().orElse("")),
            new Usage(),
            reach.networks());
    var project = new GitLabProject(rest, place);
    var api = new GitLabApi(project, clock, patience);
    var far =
        new FarSide(
            git(place),
            () -> token.get().map(GitLabToken::forGit),
            reach,
            PullReferences.MERGE_REQUESTS);
    return HostedForge.open(api, GitLabLanding.of(api, project, patience), far, caches, limits);
  }

  private Budget budget(GitLabPlace place, String token) {
    String account = HexFormat.of().formatHex(Sha256.of(place.server() + "\n" + token));
    return budgets.get(account, any -> new Budget(clock, WRITES));
  }

  private static GitAddress git(GitLabPlace place) {
    return new GitAddress(place.location() + ".git");
  }

  @Override
  public Optional<String> copyName(String location) {
    return Optional.of(CacheDirectory.name(git(GitLabPlace.of(location))));
  }

  /** It becomes a job of the pipeline that the author's own merge waits for. */
  @Override
  public boolean checksInterfere() {
    return true;
  }

  @Override
  public Optional<HookClaim> claim(HookCall call) {
    return new GitLabHook(call, clock).claim();
  }
}
