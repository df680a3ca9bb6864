package dev.mainstay.server.platform;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Log lines on standard error, each with the id of the request it belongs to. */
public final class Logs {
  /** The form of a log line. */
  public enum Format {
    TEXT,
    JSON
  }

  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level %-8logger [%X{requestId:--}] %msg%n";

  private Logs() {}

  /** Sets up all logging of the process; {@code level} is that of our own lines. */
  public static void configure(Format format, String level) {
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(bounded(format, context));
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.toLevel(level));
    for (String library : new String[] {"io.helidon", "com.zaxxer", "org.postgresql", "org.jdbi"}) {
      context.getLogger(library).setLevel(Level.WARN);
    }
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  static Encoder<ILoggingEvent> bounded(Format format, LoggerContext context) {
    var bounded = new BoundedLines(encoder(format, context));
    bounded.start();
    return bounded;
  }

  private static Encoder<ILoggingEvent> encoder(Format format, LoggerContext context) {
    return switch (format) {
      case TEXT -> {
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        yield encoder;
      }
      case JSON -> {
        var encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.setWithFormattedMessage(true);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithContext(false);
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.start();
        yield encoder;
      }
    };
  }
}
