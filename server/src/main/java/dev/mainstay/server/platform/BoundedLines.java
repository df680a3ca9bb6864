package dev.mainstay.server.platform;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;

/**
 * Log lines of bounded length, whatever is in them: paths, names, words of hosts and of git come
 * from outside. A message stays on its line, so that nobody can write lines of ours.
 */
final class BoundedLines extends EncoderBase<ILoggingEvent> {
  private static final int MAX_MESSAGE = 2_000;
  private static final int MAX_TRACE = 16_000;

  private final Encoder<ILoggingEvent> form;

  BoundedLines(Encoder<ILoggingEvent> form) {
    this.form = form;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String message = event.getFormattedMessage();
    String bounded = oneLine(cut(message, MAX_MESSAGE));
    String trace = trace(event);
    if (trace.length() > MAX_TRACE) {
      // A trace has no form of its own any more: it follows the message.
      return form.encode(copy(event, bounded + "\n" + cut(trace, MAX_TRACE)));
    }
    return form.encode(bounded.equals(message) ? event : withTrace(copy(event, bounded), event));
  }

  private static String trace(ILoggingEvent event) {
    return event.getThrowableProxy() == null
        ? ""
        : ThrowableProxyUtil.asString(event.getThrowableProxy());
  }

  private static LoggingEvent copy(ILoggingEvent event, String message) {
    var copy = new LoggingEvent();
    copy.setLoggerName(event.getLoggerName());
    copy.setThreadName(event.getThreadName());
    copy.setLevel(event.getLevel());
    copy.setInstant(event.getInstant());
    copy.setMDCPropertyMap(event.getMDCPropertyMap());
    copy.setMessage(message);
    return copy;
  }

  private static LoggingEvent withTrace(LoggingEvent copy, ILoggingEvent event) {
    if (event.getThrowableProxy() instanceof ch.qos.logback.classic.spi.ThrowableProxy proxy) {
      copy.setThrowableProxy(proxy);
    }
    return copy;
  }

  private static String cut(String text, int most) {
    return text.length() <= most
        ? text
        : "%s ... (%d characters more)".formatted(text.substring(0, most), text.length() - most);
  }

  private static String oneLine(String text) {
    if (text.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t')) {
      return text;
    }
    var clean = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              switch (c) {
                case '\n' -> clean.append("\\n");
                case '\r' -> clean.append("\\r");
                default -> clean.append(Character.isISOControl(c) && c != '\t' ? '?' : (char) c);
              }
            });
    return clean.toString();
  }

  @Override
  public byte[] headerBytes() {
    return form.headerBytes();
  }

  @Override
  public byte[] footerBytes() {
    return form.footerBytes();
  }
}
