package dev.mainstay.cli.upload;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.api.ApiClient.Unreachable;
import dev.mainstay.cli.shell.Shell;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Sends bundles to the server. A bundle that may have been lost is sent again, byte for byte: the
 * server counts the same upload once.
 */
record ReportSender(ApiClient client, int retries, Shell shell) {
  private static final int PROGRESS_FROM_BYTES = 1024 * 1024;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  JsonNode send(Map<String, String> about, List<String> ignore, byte[] bundle) throws Unreachable {
    for (int tries = 0; ; tries++) {
      try {
        return client.upload(about, ignore, bundle, sent -> progress(sent, bundle.length));
      } catch (Unreachable e) {
        if (tries >= retries || !pause(tries)) {
          throw e;
        }
      }
    }
  }

  private void progress(int sent, int total) {
    boolean terminal = shell.isTerminal();
    if (total >= PROGRESS_FROM_BYTES && (terminal || sent == total)) {
      shell
          .err()
          .printf(
              "%smainstay: sent %.1f of %.1f MiB%s",
              terminal ? "\r" : "", sent / 1048576.0, total / 1048576.0, sent == total ? "\n" : "");
      shell.err().flush();
    }
  }

  /** Waits longer each time; false when it was interrupted. */
  private static boolean pause(int tries) {
    long seconds = Math.min(1L << Math.min(tries, 30), LONGEST_PAUSE.toSeconds());
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
