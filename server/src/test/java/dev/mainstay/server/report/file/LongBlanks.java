package dev.mainstay.server.report.file;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Collections;

/** Reads a report whose lines are all of shapes of their own, with millions of blanks in each. */
final class LongBlanks {
  static final String DONE = "read to its end";
  private static final int LINES = 60;

  private LongBlanks() {}

  public static void main(String[] args) throws IOException {
    var report =
        new SequenceInputStream(
            Collections.enumeration(
                new AbstractList<InputStream>() {
                  @Override
                  public InputStream get(int index) {
                    return line(index);
                  }

                  @Override
                  public int size() {
                    return LINES;
                  }
                }));
    Reports.read(report, "report", new Reading());
    System.out.println(DONE);
  }

  private static InputStream line(int number) {
    String line =
        number == 0
            ? "{\"protocolVersion\":\"0.1.1\",\"runnerVersion\":\"1.25.2\",\"type\":\"start\",\"time\":0}\n"
            : "{\"a%d\":1,\"b%d\":%s1,\"type\":\"x\"}\n"
                .formatted(number % 7, number, " ".repeat(3_900_000));
    return new ByteArrayInputStream(line.getBytes(StandardCharsets.US_ASCII));
  }
}
