package dev.mainstay.bench;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Reports that look like those of a large Java project: one test in a hundred fails. */
final class SampleReports {
  private SampleReports() {}

  static byte[] plain(int cases) {
    var bytes = new ByteArrayOutputStream();
    try {
      write(bytes, cases, 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  /** Compressed, with so many random digits in each name that it stays large. */
  static byte[] compressed(int cases, int randomDigits) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new BufferedOutputStream(new ZstdOutputStream(bytes, 3), 1 << 16)) {
      write(out, cases, randomDigits);
    }
    return bytes.toByteArray();
  }

  /** One test in ten fails and passes at its second attempt. */
  static String retried(int cases, int round) {
    var text = new StringBuilder("<testsuite name=\"Retried\">");
    for (int i = 0; i < cases; i++) {
      String test = "<testcase classname=\"Retried\" name=\"keepsTheOrder%d\"".formatted(i);
      text.append(test)
          .append(
              i % 10 == round % 10
                  ? "><flakyFailure message=\"expected: 3\">at Order</flakyFailure></testcase>\n"
                  : "/>\n");
    }
    return text.append("</testsuite>").toString();
  }

  private static void write(OutputStream out, int cases, int randomDigits) throws IOException {
    var random = new Random(7);
    var text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (int i = 0; i < cases; i++) {
      int suite = i / 50;
      if (i % 50 == 0) {
        text.append(
            "<testsuite name=\"com.example.shop.module%d.Suite%dTest\" tests=\"50\">\n"
                .formatted(suite % 40, suite));
      }
      text.append("  <testcase classname=\"com.example.shop.module")
          .append(suite % 40)
          .append(".Suite")
          .append(suite)
          .append("Test\" name=\"checksThatTheOrderIsKept")
          .append(i);
      for (int d = 0; d < randomDigits; d++) {
        text.append(Character.forDigit(random.nextInt(16), 16));
      }
      text.append("\" time=\"0.").append(100 + random.nextInt(900)).append('"');
      if (i % 100 == 99) {
        text.append(">\n    <failure message=\"expected: 3 but was: ")
            .append(random.nextInt(100))
            .append(
                "\" type=\"org.opentest4j.AssertionFailedError\">org.opentest4j.AssertionFailedError: expected\n")
            .append("\tat com.example.shop.Order.check(Order.java:41)\n".repeat(12))
            .append("</failure>\n  </testcase>\n");
      } else {
        text.append("/>\n");
      }
      if (i % 50 == 49 || i == cases - 1) {
        text.append("</testsuite>\n");
      }
      if (text.length() > 1 << 16) {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        text.setLength(0);
      }
    }
    out.write((text + "</testsuites>\n").getBytes(StandardCharsets.UTF_8));
  }
}
