package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.server.forge.ButtonPress;
import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeKind;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.forge.HookClaim;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.forge.hosted.HostedForge;
import dev.mainstay.server.forge.hosted.SignedHook;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Sha256;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** GitHub. Copies of repositories are kept below {@code caches}. */
public record GitHubKind(Path caches, GitLimits limits, Accounts accounts, Reach reach)
    implements ForgeKind {
  private static final int MOST_LOGIN = 100;

  public GitHubKind(Path caches, GitLimits limits, InstantSource clock, Reach reach) {
    this(caches, limits, new Accounts(clock, reach.networks()), reach);
  }

  @Override
  public String name() {
    return "github";
  }

  /** An Enterprise Server may be anywhere: it says of itself which version it has. */
  @Override
  public boolean answersAt(String text) {
    GitHubAddress address;
    try {
      address = GitHubAddress.parse(text).address();
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (!address.api().getPath().equals("/api")) {
      return true;
    }
    try (var client = RestClient.once(address.api(), GitHubHeaders.ANONYMOUS, reach.networks())) {
      Answer answer = client.get(address.rest() + "/meta");
      return answer.header("x-github-enterprise-version").isPresent();
    } catch (ForgeUnavailable | CredentialsRefused e) {
      return false;
    }
  }

  @Override
  public Given read(String address) {
    try {
      GitHubAddress.Given given = GitHubAddress.parse(address);
      return new Given.Address(
          given.address().location(),
          given.address().host(),
          given.token().map(token -> new HostCredentials.Token(token).stored()));
    } catch (IllegalArgumentException e) {
      return new Given.Fault(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Forge open(String location, Supplier<Optional<Credentials>> credentials) {
    GitHubAddress address = GitHubAddress.of(location);
    var access = new GitHubAccess(address, credentials, accounts);
    var client = new GitHubClient(address, access, reach.networks());
    var api = new GitHubApi(client);
    var far = new FarSide(git(address), () -> Optional.of(access.forGit()), reach);
    return HostedForge.open(
        api, GitHubLanding.of(api, new HeadBranches(client, api)), far, caches, limits);
  }

  private static GitAddress git(GitHubAddress address) {
    return new GitAddress(address.location() + ".git");
  }

  @Override
  public Optional<String> copyName(String location) {
    return Optional.of(CacheDirectory.name(git(GitHubAddress.of(location))));
  }

  @Override
  public Optional<HookClaim> claim(HookCall call) {
    Optional<String> app =
        call.header("X-GitHub-Hook-Installation-Target-ID")
            .filter(id -> id.matches("\\d{1,20}"))
            .filter(id -> isOfApp(call));
    return SignedHook.claim(call, "X-Hub-Signature-256", app);
  }

  /** A check's button: {@code check_run} with the action {@code requested_action}. */
  @Override
  public Optional<ButtonPress> pressed(HookCall call) {
    if (!call.header("X-GitHub-Event").equals(Optional.of("check_run"))) {
      return Optional.empty();
    }
    try {
      JsonNode body = Json.readObject(call.body());
      boolean pressed =
          body.path("action").asString("").equals("requested_action")
              && body.path("sender").path("type").asString("User").equals("User");
      String id =
          call.header("X-GitHub-Delivery")
              .filter(delivery -> delivery.matches("[A-Za-z0-9-]{1,100}"))
              .orElseGet(() -> HexFormat.of().formatHex(Sha256.of(new String(call.body(), UTF_8))));
      String who = body.path("sender").path("login").asString("");
      String button = body.path("requested_action").path("identifier").asString("");
      return pressed && who.length() <= MOST_LOGIN
          ? Optional.of(new ButtonPress(id, button, who))
          : Optional.empty();
    } catch (Json.Malformed e) {
      return Optional.empty();
    }
  }

  /** It is of an App's hook, not of one of a repository. */
  private static boolean isOfApp(HookCall call) {
    return call.header("X-GitHub-Hook-Installation-Target-Type")
        .filter("integration"::equals)
        .isPresent();
  }
}
