package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.rest.Answer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The workflow files of a branch, as plain text: who runs on test branches. */
record Workflows(List<File> files) {
  private static final String FOLDER = ".github/workflows";
  private static final int MOST_FILES = 50;
  private static final int MOST_TEXT = 200_000;

  /** A workflow: its path, and its text. */
  record File(String path, String text) {
    private static final Pattern PUSH =
        Pattern.compile(
            "(?m)^(on:\\s*(push\\b|\\[[^\\]]*\\bpush\\b)|\\s+-?\\s*['\"]?push['\"]?\\s*:?)");

    /** Below push, until something begins that is not deeper than push itself. */
    private static final Pattern BELOW_PUSH =
        Pattern.compile(
            "(?m)^(\\s+)['\"]?push['\"]?\\s*:[^\\n]*\\n((?:\\1\\s+[^\\n]*\\n|\\s*\\n)*)");

    /** True where a push to a test branch starts it, as far as the text tells. */
    boolean runsOnTestBranches() {
      if (!PUSH.matcher(triggers()).find()) {
        return false;
      }
      Matcher below = BELOW_PUSH.matcher(triggers());
      String filter = below.find() ? below.group(2) : "";
      boolean filtered = filter.contains("branches:") || filter.contains("tags:");
      boolean covers =
          filter.contains("mainstay/**") || filter.matches("(?s).*['\"\\[\\s]\\*\\*['\"\\],\\s].*");
      boolean ignores = filter.matches("(?s).*branches-ignore:.*mainstay.*");
      return (!filtered || covers) && !ignores;
    }

    /** From {@code on:} to the next word at the margin. */
    private String triggers() {
      Matcher on = Pattern.compile("(?m)^['\"]?on['\"]?:").matcher(text);
      if (!on.find()) {
        return "";
      }
      String rest = text.substring(on.start()).replaceFirst("^['\"]?on['\"]?:", "on:") + "\n";
      Matcher next = Pattern.compile("(?m)^[A-Za-z'\"]").matcher(rest);
      return next.find(3) ? rest.substring(0, next.start()) : rest;
    }

    /** True where a job of it may be this check. */
    boolean names(String check) {
      String job = check.replaceFirst("^.* / ", "").replaceFirst(" \\(.*\\)$", "");
      return text.contains(job);
    }
  }

  static Workflows of(GitHubClient client, String branch) {
    var files = new ArrayList<File>();
    String at = "?ref=" + GitHubClient.encoded(branch);
    for (JsonNode entry : client.get("/contents/" + FOLDER + at).json()) {
      String path = entry.path("path").asString("");
      if (path.matches(Pattern.quote(FOLDER) + "/[^/]+\\.ya?ml")
          && RefNames.isPath(path)
          && files.size() < MOST_FILES) {
        Answer file = client.get("/contents/" + GitHubClient.inPath(path) + at);
        files.add(new File(path, text(file.json().path("content").asString(""))));
      }
    }
    return new Workflows(files);
  }

  private static String text(String content) {
    try {
      String text = new String(Base64.getMimeDecoder().decode(content), UTF_8);
      return text.substring(0, Math.min(text.length(), MOST_TEXT)).replace("\r\n", "\n");
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
