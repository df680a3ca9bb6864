package dev.mainstay.server.platform;

import java.util.List;

/**
 * Words before a command line that tie what it starts to this process. Only Linux can end a process
 * with the one that started it; elsewhere the next start finds what is left.
 */
public final class Leash {
  private static final boolean LINUX = System.getProperty("os.name").equals("Linux");

  /** Every macOS has Perl, and no program of its own that makes a session. */
  private static final List<String> SESSION_BY_PERL =
      List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec { $ARGV[0] } @ARGV; exit 127");

  private Leash() {}

  /** True where processes end with the one that started them. */
  public static boolean isThere() {
    return LINUX;
  }

  /** The command gets this signal when the thread ends that starts it. */
  public static List<String> endedBy(String signal) {
    return LINUX ? List.of("setpriv", "--pdeathsig", signal, "--") : List.of();
  }

  /** The command leads a session, so that all of it can be ended together. */
  public static List<String> session() {
    return LINUX ? List.of("setsid") : SESSION_BY_PERL;
  }

  /** The programs that these words need. */
  public static List<String> programs() {
    return LINUX ? List.of("setsid", "setpriv") : List.of("perl");
  }
}
