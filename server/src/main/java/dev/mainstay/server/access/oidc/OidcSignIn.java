package dev.mainstay.server.access.oidc;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Person.Identity;
import dev.mainstay.server.access.Role;
import dev.mainstay.server.access.Sessions;
import dev.mainstay.server.access.Sessions.Opened;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Sha256;
import dev.mainstay.server.platform.StartFailure;
import dev.mainstay.server.platform.Vault;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs people in at the team's own identity provider: OpenID Connect with a code, PKCE, a state
 * and a nonce. Their claims say which role they have, each time anew.
 */
public final class OidcSignIn implements AutoCloseable {
  /** How long somebody may take at the provider's pages. */
  public static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Logger log = LoggerFactory.getLogger("oidc");
  private static final Pattern UNPRINTABLE = Pattern.compile("\\p{C}+");
  private static final int MOST_AT_ONCE = 50;
  private static final int MOST_CODE = 4000;
  private static final String BEGIN_AGAIN =
      "This sign-in is over, was begun in another browser, or was used before: sign in again.";

  private final OidcSettings settings;
  private final long organizationId;
  private final Database database;
  private final Clock clock;
  private final Sessions sessions;
  private final Vault vault;
  private final Provider provider;
  private final Semaphore atOnce = new Semaphore(MOST_AT_ONCE);

  private OidcSignIn(
      OidcSettings settings,
      long organizationId,
      Database database,
      Clock clock,
      Sessions sessions) {
    this.settings = settings;
    this.organizationId = organizationId;
    this.database = database;
    this.clock = clock;
    this.sessions = sessions;
    this.vault = Vault.open(database);
    this.provider = new Provider(settings, clock);
  }

  /** Throws a {@link StartFailure} where the organization or the secret is not there. */
  public static OidcSignIn open(
      OidcSettings settings, Database database, Clock clock, Sessions sessions) {
    settings.clientSecret();
    long organization =
        new Access(database, clock)
            .organization(settings.organization())
            .orElseThrow(
                () ->
                    new StartFailure(
                        "There is no organization %s for people to sign in to: make it with `mainstay org create`, or name another by MAINSTAY_OIDC_ORG."
                            .formatted(settings.organization())))
            .id();
    return new OidcSignIn(settings, organization, database, clock, sessions);
  }

  /** An answer to somebody who wants to sign in. */
  public sealed interface Begun {
    /** The provider's page to go to, and what the browser brings back with it, as a cookie. */
    record Away(URI page, String pending) implements Begun {}

    record Refused(String sentence) implements Begun {}
  }

  /** An answer to somebody who comes back from the provider. */
  public sealed interface Result {
    /** A session, and the path that they wanted to see. */
    record SignedIn(Opened opened, String returnTo) implements Result {}

    /** The provider knows them, and no rule gives them a role. */
    record NoRole(String name) implements Result {}

    record Refused(String sentence) implements Result {}
  }

  /** The parameters that the provider sends people back with, as far as they are there. */
  public record Callback(
      Optional<String> code,
      Optional<String> state,
      Optional<String> issuer,
      Optional<String> error) {}

  /** Begins at the address that the provider sends people back to. */
  public Begun begin(String redirectUri, String returnTo) {
    var pending = PendingSignIn.begin(redirectUri, returnTo, clock.instant().plus(LONGEST));
    try {
      return new Begun.Away(provider.signInPage(pending), pending.seal(vault));
    } catch (ProviderFault e) {
      log.warn("nobody can sign in: {}", e.getMessage());
      return new Begun.Refused(e.sentence());
    }
  }

  /** Finishes what the browser carries as pending. */
  public Result finish(Callback callback, String pending) {
    return PendingSignIn.open(pending, vault, clock.instant())
        .filter(begun -> same(begun.state(), callback.state().orElse("")))
        .map(begun -> finish(callback, begun))
        .orElseGet(() -> new Result.Refused(BEGIN_AGAIN));
  }

  private Result finish(Callback callback, PendingSignIn pending) {
    Optional<String> code = callback.code().filter(c -> !c.isBlank() && c.length() <= MOST_CODE);
    if (callback.issuer().filter(i -> !i.equals(settings.issuer().toString())).isPresent()) {
      return new Result.Refused("This answer is of another identity provider: sign in again.");
    }
    if (callback.error().isPresent() || code.isEmpty()) {
      return new Result.Refused(
          "The identity provider did not sign you in%s.".formatted(why(callback)));
    }
    if (!atOnce.tryAcquire()) {
      return new Result.Refused("Many people are signing in just now: try again in a moment.");
    }
    try {
      return signIn(provider.redeem(code.get(), pending), pending);
    } catch (ProviderFault e) {
      log.warn("somebody could not sign in: {}", e.getMessage());
      return new Result.Refused(e.sentence());
    } finally {
      atOnce.release();
    }
  }

  /** The provider's code for what was wrong, where it looks like one. */
  private static String why(Callback callback) {
    return callback.error().filter(e -> e.matches("[a-z_]{1,40}")).map(e -> ": " + e).orElse("");
  }

  private Result signIn(JWTClaimsSet claims, PendingSignIn pending) throws ProviderFault {
    Instant until = Instant.ofEpochMilli(pending.until());
    byte[] state = Sha256.of(pending.state());
    if (!database.inTransaction(
        handle -> UsedSignInStore.use(handle, state, until, clock.instant()))) {
      return new Result.Refused(BEGIN_AGAIN);
    }
    Identity identity = identity(claims);
    Optional<Role> role = settings.roles().role(claims.getClaims());
    if (role.isEmpty()) {
      sessions.withoutRole(organizationId, identity);
      return new Result.NoRole(identity.name());
    }
    return new Result.SignedIn(
        sessions.withPerson(organizationId, identity, role.get()), pending.returnTo());
  }

  private Identity identity(JWTClaimsSet claims) throws ProviderFault {
    Map<String, Object> all = claims.getClaims();
    String subject = Optional.ofNullable(claims.getSubject()).orElse("");
    if (subject.isBlank()
        || subject.length() > Identity.MAX_SUBJECT_LENGTH
        || UNPRINTABLE.matcher(subject).find()) {
      throw new ProviderFault(
          "The identity provider does not say who you are.", "an ID token has no usable subject");
    }
    Optional<String> email = text(all, "email", Identity.MAX_EMAIL_LENGTH);
    String name =
        Stream.of("name", "preferred_username")
            .flatMap(claim -> text(all, claim, Identity.MAX_NAME_LENGTH).stream())
            .findFirst()
            .or(() -> email)
            .orElse(subject);
    return new Identity(
        settings.issuer().toString(), subject, cut(name, Identity.MAX_NAME_LENGTH), email);
  }

  /** A claim that is a text, on one line and of this length at most. */
  private static Optional<String> text(Map<String, Object> claims, String name, int most) {
    return Optional.ofNullable(claims.get(name))
        .filter(String.class::isInstance)
        .map(value -> cut(UNPRINTABLE.matcher((String) value).replaceAll(" ").strip(), most))
        .filter(value -> !value.isEmpty());
  }

  /** Never through the middle of a character. */
  private static String cut(String text, int most) {
    return text.codePointCount(0, text.length()) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }

  private static boolean same(String a, String b) {
    return MessageDigest.isEqual(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    provider.close();
  }
}
