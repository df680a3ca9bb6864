package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mainstay.server.forge.github.FakeRoute.Call;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import dev.mainstay.server.platform.Json;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** Who is let in: an App by a signed JWT, its installation by tokens, persons by theirs. */
final class FakeTokens {
  /** Who asks. */
  sealed interface Caller {
    record App() implements Caller {}

    record Installation() implements Caller {}

    record Person(String login, String scopes) implements Caller {}
  }

  static final String APP = "4711";
  static final String SLUG = "mainstay-of-acme";
  static final int APP_ID = 4711;
  static final int INSTALLATION = 77;

  /** The keys of the App, one pair for all: to make one takes a second. */
  private static final class Keys {
    static final KeyPair OF_APP = keys();
  }

  private final Map<String, Caller> known = new HashMap<>();
  private final Map<String, String> permissions = new TreeMap<>();
  private boolean installed = true;
  private Duration lifetime = Duration.ofHours(1);
  private int issued;

  FakeTokens() {
    for (String name :
        List.of("actions", "checks", "contents", "issues", "pull_requests", "workflows")) {
      permissions.put(name, "write");
    }
    permissions.put("statuses", "read");
    permissions.put("metadata", "read");
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** The private key of the App, in PKCS#8 and DER. */
  byte[] privateKey() {
    return Keys.OF_APP.getPrivate().getEncoded();
  }

  /** From now on this token is this person's. */
  synchronized void person(String token, String login, String scopes) {
    known.put(token, new Caller.Person(login, scopes));
  }

  /** From now on no token is good any more, of those that were. */
  synchronized void revokeAll() {
    known.clear();
  }

  synchronized void permission(String name, String level) {
    permissions.put(name, level);
  }

  synchronized Set<String> permissions() {
    return Set.copyOf(permissions.keySet());
  }

  synchronized void uninstall() {
    installed = false;
    known.values().removeIf(Caller.Installation.class::isInstance);
  }

  synchronized Optional<Caller> caller(String authorization) {
    String token = authorization.replaceFirst("(?i)^(bearer|token) ", "");
    if (authorization.startsWith("Basic ")) {
      String pair = new String(Base64.getDecoder().decode(authorization.substring(6)), US_ASCII);
      token = pair.substring(pair.indexOf(':') + 1);
    }
    return isSigned(token) ? Optional.of(new Caller.App()) : Optional.ofNullable(known.get(token));
  }

  synchronized boolean may(Caller caller, String permission) {
    String[] wanted = permission.split(":", 2);
    return switch (caller) {
      case Caller.App _ -> false;
      case Caller.Person(_, String scopes) ->
          scopes.contains("repo") && !permission.equals("checks:write");
      case Caller.Installation _ -> {
        String level = permissions.getOrDefault(wanted[0], "none");
        yield level.equals("write") || level.equals(wanted[1]);
      }
    };
  }

  private boolean isSigned(String token) {
    String[] parts = token.split("\\.", -1);
    try {
      if (parts.length != 3) {
        return false;
      }
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initVerify(Keys.OF_APP.getPublic());
      signature.update((parts[0] + "." + parts[1]).getBytes(US_ASCII));
      return signature.verify(Base64.getUrlDecoder().decode(parts[2])) && isOfNow(parts[1]);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }

  /** From now on tokens last so long. */
  synchronized void lasting(Duration time) {
    lifetime = time;
  }

  private boolean isOfNow(String claims) {
    ObjectNode json = Json.readObject(Base64.getUrlDecoder().decode(claims));
    long now = Instant.now().getEpochSecond();
    long begins = json.get("iat").asLong();
    long ends = json.get("exp").asLong();
    return json.get("iss").asString().equals(APP)
        && begins <= now
        && ends > now
        && ends - now <= 600;
  }

  Reply app(Call call) {
    return call.caller() instanceof Caller.App
        ? Reply.ok(FakeShapes.app(APP_ID, SLUG))
        : Reply.not(401, "A JSON web token could not be decoded");
  }

  Reply user(Call call) {
    return call.caller() instanceof Caller.Person(String login, _)
        ? Reply.ok(FakeShapes.self(login))
        : Reply.not(403, "Resource not accessible by integration");
  }

  synchronized Reply installation(Call call) {
    if (!(call.caller() instanceof Caller.App)) {
      return Reply.not(401, "A JSON web token could not be decoded");
    }
    return installed ? Reply.ok(installationJson()) : Reply.notFound();
  }

  private ObjectNode installationJson() {
    ObjectNode json = Json.object().put("id", INSTALLATION).put("app_id", APP_ID);
    json.put("app_slug", SLUG).put("target_id", FakeShapes.id("acme"));
    json.put("target_type", "Organization").put("repository_selection", "all");
    String own = FakeShapes.api("app/installations/" + INSTALLATION);
    json.put("access_tokens_url", own).put("html_url", own).put("repositories_url", own);
    json.put("created_at", FakeShapes.THEN).put("updated_at", FakeShapes.THEN);
    json.putNull("suspended_by").putNull("suspended_at").putNull("single_file_name");
    json.putArray("events");
    json.set("account", FakeShapes.user("acme"));
    json.set("permissions", given());
    return json;
  }

  /** Those that are given: GitHub does not name the others. */
  private ObjectNode given() {
    ObjectNode given = Json.tree(permissions);
    permissions.forEach((name, level) -> given.remove(level.equals("none") ? name : ""));
    return given;
  }

  synchronized Reply token(Call call) {
    if (!(call.caller() instanceof Caller.App)) {
      return Reply.not(401, "A JSON web token could not be decoded");
    }
    if (!installed || call.number() != INSTALLATION) {
      return Reply.notFound();
    }
    String token = "ghs_" + "x".repeat(30) + ++issued;
    known.put(token, new Caller.Installation());
    ObjectNode json = Json.object().put("token", token);
    json.put("expires_at", Instant.now().plus(lifetime).toString());
    json.set("permissions", given());
    return new Reply(201, json);
  }
}
