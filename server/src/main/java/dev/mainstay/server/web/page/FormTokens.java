package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Request;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Map;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proofs that a form came from a page of ours: the browser says that the page was of this origin,
 * and the form holds a token that only those of the same organization with the same rights were
 * shown, so that they can share a page. A token is good for the day it was made and the next.
 */
public final class FormTokens {
  static final String FIELD = "form_token";

  private final SecretKeySpec key;
  private final Clock clock;

  FormTokens(byte[] secret, Clock clock) {
    this.key = new SecretKeySpec(secret, "HmacSHA256");
    this.clock = clock;
  }

  String of(Caller caller) {
    return of(caller, today());
  }

  /** Throws where a form was not sent from a page that this caller was shown. */
  public void demand(Request request, Caller caller, Map<String, String> form) {
    demandOrigin(request);
    byte[] sent = form.getOrDefault(FIELD, "").getBytes(StandardCharsets.UTF_8);
    LocalDate today = today();
    if (!isEqual(sent, of(caller, today)) && !isEqual(sent, of(caller, today.minusDays(1)))) {
      throw ApiError.of(
          403, "form_too_old", "This form is too old: go back, reload the page and try again.");
    }
  }

  /** Throws where the browser does not say that the form is of this very site. */
  public static void demandOrigin(Request request) {
    boolean sameSite =
        request
            .header("sec-fetch-site")
            .map(site -> site.equals("same-origin"))
            .orElseGet(() -> isOwnOrigin(request));
    if (!sameSite) {
      throw ApiError.of(
          403, "foreign_form", "This form was not sent from a page of this server: nothing done.");
    }
  }

  private static boolean isOwnOrigin(Request request) {
    String host = request.origin().authority();
    return request
        .header("origin")
        .map(origin -> origin.equals("http://" + host) || origin.equals("https://" + host))
        .orElse(false);
  }

  private static boolean isEqual(byte[] sent, String token) {
    return MessageDigest.isEqual(sent, token.getBytes(StandardCharsets.UTF_8));
  }

  private String of(Caller caller, LocalDate day) {
    String rights = new TreeSet<>(caller.scopes()).toString();
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      String what = caller.organizationId() + " " + rights + " " + day;
      byte[] token = mac.doFinal(what.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }
}
