package dev.mainstay.server.access.oidc;

import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import java.time.Clock;
import java.time.Duration;
import java.util.Date;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims that a signed ID token must have: this issuer, this client, the nonce of this sign-in,
 * a subject, and times that hold now by the node's own clock.
 */
final class IdTokenRules extends DefaultJWTClaimsVerifier<SecurityContext> {
  private static final Duration SKEW = Duration.ofSeconds(60);

  private final String clientId;
  private final Clock clock;

  IdTokenRules(String issuer, String clientId, String nonce, Clock clock) {
    super(
        clientId,
        new JWTClaimsSet.Builder().issuer(issuer).claim("nonce", nonce).build(),
        Set.of("sub", "exp", "iat"));
    this.clientId = clientId;
    this.clock = clock;
    setMaxClockSkew((int) SKEW.toSeconds());
  }

  @Override
  public void verify(JWTClaimsSet claims, @Nullable SecurityContext context)
      throws BadJWTException {
    super.verify(claims, context);
    Object party = claims.getClaim("azp");
    if (party != null && !party.equals(clientId)) {
      throw new BadJWTException("the token is for another party");
    }
    if (claims.getIssueTime().toInstant().isAfter(clock.instant().plus(SKEW))) {
      throw new BadJWTException("the token was issued in the future");
    }
  }

  @Override
  protected Date currentTime() {
    return Date.from(clock.instant());
  }
}
