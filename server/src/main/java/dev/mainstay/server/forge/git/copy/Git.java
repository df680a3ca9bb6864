package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.ProcessGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs git in one directory: with an environment of our own making, within a time limit, with
 * bounded output, and ended together with all that it started.
 */
public final class Git implements AutoCloseable {
  private static final int MAX_OUTPUT = 64 << 20;
  private static final int MAX_ERRORS = 16 << 10;
  private static final List<String> INHERITED =
      List.of(
          "PATH",
          "HOME",
          "USER",
          "TMPDIR",
          "SSH_AUTH_SOCK",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR",
          "http_proxy",
          "https_proxy",
          "all_proxy",
          "no_proxy",
          "HTTPS_PROXY",
          "ALL_PROXY",
          "NO_PROXY");

  /** The end of a call. The error text is for {@link GitErrors}, not for people. */
  public record Result(int exitCode, String text, String errors, boolean timedOut) {
    static Result said(String text) {
      return new Result(0, text, "", false);
    }

    public boolean ok() {
      return exitCode == 0 && !timedOut;
    }
  }

  private final Path directory;
  private final Map<String, String> environment;
  private final Set<Process> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Git(Path directory, Map<String, String> extra) {
    this.directory = directory;
    this.environment = environment(extra);
  }

  /**
   * The environment of git. Nothing of ours leaks in or out: no GIT_ variable, no secret of the
   * service.
   */
  private static Map<String, String> environment(Map<String, String> extra) {
    var result = new HashMap<String, String>();
    for (String name : INHERITED) {
      String value = System.getenv(name);
      if (value != null) {
        result.put(name, value);
      }
    }
    result.put("LC_ALL", "C");
    result.put("GIT_TERMINAL_PROMPT", "0");
    result.put("GIT_CONFIG_NOSYSTEM", "1");
    result.put("GIT_ATTR_NOSYSTEM", "1");
    result.put("GIT_ALLOW_PROTOCOL", "file:http:https:ssh");
    result.put("GIT_NO_REPLACE_OBJECTS", "1");
    result.put("GIT_LFS_SKIP_SMUDGE", "1");
    result.put(
        "GIT_SSH_COMMAND",
        "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4");
    result.putAll(extra);
    return Map.copyOf(result);
  }

  Result run(Duration limit, List<String> arguments) {
    return run(limit, arguments, Map.of());
  }

  Result run(Duration limit, List<String> arguments, Map<String, String> more) {
    Process process = start(arguments, more, false);
    var timedOut = new AtomicBoolean();
    var watch =
        ProcessGroup.after(
            limit,
            () -> {
              timedOut.set(true);
              ProcessGroup.kill(process);
            });
    try {
      process.getOutputStream().close();
      var errors = new FutureTask<>(() -> tail(process.getErrorStream()));
      Thread.startVirtualThread(errors);
      byte[] output = process.getInputStream().readNBytes(MAX_OUTPUT + 1);
      if (output.length > MAX_OUTPUT) {
        throw new ForgeUnavailable("git answered more than " + (MAX_OUTPUT >> 20) + " MiB.");
      }
      String complaint = errors.get();
      String text = new String(output, StandardCharsets.UTF_8);
      return new Result(process.waitFor(), text, complaint, timedOut.get());
    } catch (IOException | java.util.concurrent.ExecutionException e) {
      throw new ForgeUnavailable("git's answer could not be read.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ForgeUnavailable("The work was interrupted.", e);
    } finally {
      watch.lift();
      end(process);
    }
  }

  void end(Process process) {
    ProcessGroup.kill(process);
    running.remove(process);
  }

  /** Starts git to be talked to, until {@link #end}. */
  Process start(List<String> arguments) {
    return start(arguments, Map.of(), true);
  }

  private Process start(List<String> arguments, Map<String, String> more, boolean quiet) {
    if (closed) {
      throw new ForgeUnavailable("The connection to the repository was closed.");
    }
    var command = new ArrayList<String>(arguments.size() + 1);
    command.add("git");
    command.addAll(arguments);
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().putAll(more);
    if (quiet) {
      builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    }
    try {
      Process process = builder.start();
      running.add(process);
      if (closed) {
        ProcessGroup.kill(process);
      }
      return process;
    } catch (IOException e) {
      throw new CacheBroken("git does not start in " + directory, e);
    }
  }

  private static String tail(InputStream stream) throws IOException {
    var kept = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
      if (kept.size() > MAX_ERRORS) {
        byte[] last = kept.toByteArray();
        kept.reset();
        kept.write(last, last.length - MAX_ERRORS / 2, MAX_ERRORS / 2);
      }
      kept.write(buffer, 0, n);
    }
    return kept.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    closed = true;
    running.forEach(ProcessGroup::kill);
  }
}
