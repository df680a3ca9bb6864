package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The complaints of git, each as one sentence for people. */
public final class GitErrors {
  private static final int MAX_LENGTH = 300;
  private static final int MAX_END = 60;
  private static final String[] REFUSED = {
    "terminal prompts disabled",
    "authentication failed",
    "returned error: 401",
    "returned error: 403"
  };
  private static final String[] UNREACHABLE = {
    "refused", "timed out", "unable to connect", "failed to connect", "hung up"
  };
  private static final String[] UNKNOWN_HOST = {
    "could not resolve host", "name or service not known"
  };
  private static final Pattern HOST_DOWN =
      Pattern.compile("requested url returned error: (429|5\\d\\d)");

  /** The answer of Gitea to a push where there is no repository, with status 403. */
  private static final String NO_REPOSITORY = "push to create is not enabled";

  private GitErrors() {}

  /**
   * The failure of the far side. Only an http server says that it is about credentials: those of
   * ssh and of paths belong to whoever runs this service.
   */
  public static RuntimeException fault(GitAddress address, Git.Result result) {
    String sentence = sentence(address, result);
    String errors = result.errors().toLowerCase(Locale.ROOT);
    boolean gone = any(errors, NO_REPOSITORY);
    if (address.isHttp() && !result.timedOut() && !gone && any(errors, REFUSED)) {
      return new CredentialsRefused(sentence);
    }
    boolean down =
        result.timedOut()
            || any(errors, UNKNOWN_HOST)
            || any(errors, UNREACHABLE)
            || HOST_DOWN.matcher(errors).find();
    return down && !address.host().isEmpty()
        ? ForgeUnavailable.ofHost(sentence)
        : new ForgeUnavailable(sentence);
  }

  static String sentence(GitAddress address, Git.Result result) {
    if (result.timedOut()) {
      return "The repository at %s did not answer in time.".formatted(address);
    }
    if (FarCalls.isMoved(result)) {
      return "%s says that the repository is at another address, where its credentials are not sent: connect it by that one."
          .formatted(address);
    }
    String errors = result.errors().toLowerCase(Locale.ROOT);
    if (any(errors, "terminal prompts disabled", "authentication failed", "error: 401")) {
      return "The repository at %s asks for credentials, or does not accept the ones it has."
          .formatted(address);
    }
    if (any(errors, NO_REPOSITORY)) {
      return "There is no git repository at %s.".formatted(address);
    }
    if (any(errors, "error: 403", "permission denied")) {
      return "The repository at %s does not let us in.".formatted(address);
    }
    if (any(
        errors,
        "does not appear to be a git repository",
        "is this a git repository",
        "not found",
        "not a git repository")) {
      return "There is no git repository at %s.".formatted(address);
    }
    if (any(errors, UNKNOWN_HOST)) {
      return "The host of %s is not known.".formatted(address);
    }
    if (any(errors, UNREACHABLE)) {
      return "The repository at %s cannot be reached.".formatted(address);
    }
    return "git failed on %s: %s".formatted(address, complaint(result.errors()));
  }

  /** The words of the far side, such as those of a hook. */
  public static String remoteWords(String errors) {
    String words =
        errors
            .lines()
            .filter(line -> line.startsWith("remote:"))
            .map(line -> line.substring("remote:".length()).strip())
            .filter(line -> !line.isEmpty() && !line.startsWith("error: hook declined"))
            .collect(Collectors.joining(" "));
    return bounded(words);
  }

  static String complaint(String errors) {
    List<String> lines = errors.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    return bounded(
        lines.stream()
            .filter(l -> l.startsWith("fatal:") || l.startsWith("error:"))
            .findFirst()
            .or(() -> lines.stream().findFirst())
            .map(l -> l.replaceFirst("^(fatal|error): ", ""))
            .orElse("it did not say why"));
  }

  /** The beginning of a text and its end, where git says why. */
  public static String bounded(String text) {
    String clean = text.replaceAll("\\p{Cntrl}+", " ").replaceAll("://[^/@\\s]*@", "://").strip();
    return clean.length() <= MAX_LENGTH
        ? clean
        : clean.substring(0, MAX_LENGTH - 1 - MAX_END)
            + "…"
            + clean.substring(clean.length() - MAX_END);
  }

  private static boolean any(String text, String... parts) {
    for (String part : parts) {
      if (text.contains(part)) {
        return true;
      }
    }
    return false;
  }
}
