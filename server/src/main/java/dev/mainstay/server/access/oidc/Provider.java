package dev.mainstay.server.access.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The identity provider: where its pages and keys are (asked for once an hour), what a code is
 * worth, and whether it has signed an ID token for us.
 */
final class Provider implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration KNOWN_FOR = Duration.ofHours(1);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(5);
  private static final Duration KEYS_AT_MOST_EVERY = Duration.ofSeconds(30);
  private static final String SILENT =
      "The identity provider does not answer as it should: try again in a moment.";

  /** Signatures that only the holder of a private key can make. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private final OidcSettings settings;
  private final Clock clock;
  private final BoundedHttp http = new BoundedHttp(LONGEST);
  private Discovery discovery = new Unknown();
  private long askAgainAt = System.nanoTime();

  private sealed interface Discovery {}

  private record Unknown() implements Discovery {}

  private record Known(OIDCProviderMetadata metadata, JWKSource<SecurityContext> keys)
      implements Discovery {}

  private record Failed(ProviderFault fault) implements Discovery {}

  Provider(OidcSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /** The page at which somebody signs in. */
  URI signInPage(PendingSignIn pending) throws ProviderFault {
    OIDCProviderMetadata metadata = known().metadata();
    var request =
        new AuthenticationRequest.Builder(
                ResponseType.CODE, scope(metadata), client(), URI.create(pending.redirectUri()))
            .endpointURI(metadata.getAuthorizationEndpointURI())
            .state(new State(pending.state()))
            .nonce(new Nonce(pending.nonce()))
            .codeChallenge(new CodeVerifier(pending.verifier()), CodeChallengeMethod.S256)
            .build();
    return request.toURI();
  }

  /** Groups are asked for where the provider knows them by that name. */
  private static Scope scope(OIDCProviderMetadata metadata) {
    Scope known = metadata.getScopes();
    var asked = new Scope("openid", "profile", "email");
    if (known != null && known.contains("groups")) {
      asked.add("groups");
    }
    return asked;
  }

  /**
   * The claims of the ID token that a code is worth, if the provider signed it for this sign-in.
   */
  JWTClaimsSet redeem(String code, PendingSignIn pending) throws ProviderFault {
    Known known = known();
    JWT token = idToken(known.metadata(), code, pending);
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, known.keys()));
    processor.setJWTClaimsSetVerifier(
        new IdTokenRules(issuer(), settings.clientId(), pending.nonce(), clock));
    try {
      return processor.process(token, null);
    } catch (BadJOSEException | JOSEException | RuntimeException e) {
      throw new ProviderFault(
          "The identity provider's answer is not for this sign-in: sign in again.",
          "an ID token is refused: " + e.getMessage());
    }
  }

  private JWT idToken(OIDCProviderMetadata metadata, String code, PendingSignIn pending)
      throws ProviderFault {
    var grant =
        new AuthorizationCodeGrant(
            new AuthorizationCode(code),
            URI.create(pending.redirectUri()),
            new CodeVerifier(pending.verifier()));
    try {
      var request =
          new TokenRequest.Builder(metadata.getTokenEndpointURI(), authentication(metadata), grant)
              .build();
      var answer = OIDCTokenResponseParser.parse(request.toHTTPRequest().send(http));
      if (answer instanceof OIDCTokenResponse tokens && tokens.getOIDCTokens() != null) {
        JWT token = tokens.getOIDCTokens().getIDToken();
        if (token != null) {
          return token;
        }
      }
    } catch (IOException | ParseException | RuntimeException e) {
      throw new ProviderFault(SILENT, "a code could not be redeemed: " + e.getMessage());
    }
    throw new ProviderFault(
        "The identity provider does not take this sign-in: sign in again.",
        "a code was refused by the token endpoint");
  }

  private ClientAuthentication authentication(OIDCProviderMetadata metadata) {
    var secret = new Secret(settings.clientSecret());
    List<ClientAuthenticationMethod> taken = metadata.getTokenEndpointAuthMethods();
    return taken == null || taken.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
        ? new ClientSecretBasic(client(), secret)
        : new ClientSecretPost(client(), secret);
  }

  private ClientID client() {
    return new ClientID(settings.clientId());
  }

  private String issuer() {
    return settings.issuer().toString();
  }

  /** What is known of the provider; whoever comes while it is asked for waits for the answer. */
  private synchronized Known known() throws ProviderFault {
    if (System.nanoTime() - askAgainAt >= 0) {
      discovery = discover();
      Duration good = discovery instanceof Known ? KNOWN_FOR : AFTER_FAULT;
      askAgainAt = System.nanoTime() + good.toNanos();
    }
    return switch (discovery) {
      case Known known -> known;
      case Failed(ProviderFault fault) ->
          throw new ProviderFault(fault.sentence(), String.valueOf(fault.getMessage()));
      case Unknown() -> throw new IllegalStateException();
    };
  }

  private Discovery discover() {
    URI place = URI.create(issuer().replaceFirst("/+$", "") + "/.well-known/openid-configuration");
    try {
      OIDCProviderMetadata metadata = OIDCProviderMetadata.parse(http.get(place));
      if (!metadata.getIssuer().getValue().equals(issuer())) {
        return failed("%s is of another issuer".formatted(place));
      }
      boolean safe =
          Stream.of(
                  metadata.getAuthorizationEndpointURI(),
                  metadata.getTokenEndpointURI(),
                  metadata.getJWKSetURI())
              .allMatch(this::isSafe);
      return safe
          ? new Known(metadata, keys(metadata.getJWKSetURI()))
          : failed("%s names addresses that are none, or not https".formatted(place));
    } catch (IOException | ParseException | RuntimeException e) {
      return failed("%s cannot be read: %s".formatted(place, e.getMessage()));
    }
  }

  /** Only a provider on this machine leads to addresses without https. */
  private boolean isSafe(URI uri) {
    return uri != null
        && OidcSettings.isSafe(uri)
        && (uri.getScheme().equalsIgnoreCase("https")
            || settings.issuer().getScheme().equalsIgnoreCase("http"));
  }

  private JWKSource<SecurityContext> keys(URI place) throws MalformedURLException {
    return JWKSourceBuilder.<SecurityContext>create(place.toURL(), http)
        .cache(KNOWN_FOR.toMillis(), LONGEST.toMillis())
        .refreshAheadCache(false)
        .rateLimited(KEYS_AT_MOST_EVERY.toMillis())
        .build();
  }

  private static Failed failed(String detail) {
    return new Failed(new ProviderFault(SILENT, detail));
  }

  @Override
  public void close() {
    http.close();
  }
}
