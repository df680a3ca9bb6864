package dev.mainstay.server.platform;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/**
 * The end of a process that cannot go on: whoever has run out of memory has threads that are gone
 * or half done, and would only look alive. A supervisor starts it again, and other nodes take over
 * what it had in hand.
 */
public final class LastWords {
  /** What the Java machine exits with when it is told to exit for want of memory. */
  public static final int OUT_OF_MEMORY = 3;

  private static final AtomicBoolean ENDS_PROCESS = new AtomicBoolean();

  private LastWords() {}

  /** From now on a fatal error ends this process, in whatever thread it happens. */
  public static void endProcess() {
    ENDS_PROCESS.set(true);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, fault) -> {
          ifFatal(fault);
          LoggerFactory.getLogger("mainstay").error("the thread {} ended", thread.getName(), fault);
        });
  }

  /** Ends the process where this, or what caused it, is want of memory. */
  public static void ifFatal(Throwable fault) {
    if (!ENDS_PROCESS.get()) {
      return;
    }
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        try {
          System.err.println("mainstay: out of memory (" + cause.getMessage() + "): ending.");
        } finally {
          Runtime.getRuntime().halt(OUT_OF_MEMORY);
        }
      }
    }
  }
}
