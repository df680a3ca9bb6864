package dev.mainstay.bench.soak;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;

/**
 * The CI of all repositories: results of a thousand tests at a time, one in a hundred of them
 * failed.
 */
final class SoakUploads {
  static final int RESULTS = 1_000;
  private static final int FAILS_ONE_IN = 100;
  private static final int THREADS = 4;

  private final SoakNode node;
  private final Tally tally;
  private final List<String> reports = new ArrayList<>();

  SoakUploads(SoakNode node, Tally tally) {
    this.node = node;
    this.tally = tally;
    for (int i = 0; i < FAILS_ONE_IN; i++) {
      reports.add(report(i));
    }
  }

  int threads() {
    return THREADS;
  }

  private static String report(int failing) {
    var text = new StringBuilder("<testsuites>");
    for (int test = 0; test < RESULTS; test++) {
      text.append(
          "<testcase classname=\"com.example.shop.module%d.CartTest\" name=\"keepsTheOrder%d\" time=\"0.0%d\""
              .formatted(test % 40, test, test % 10));
      text.append(
          test % FAILS_ONE_IN == failing
              ? "><failure message=\"expected: 3 but was: 4\">at com.example.shop.Cart.order(Cart.java:%d)</failure></testcase>\n"
                  .formatted(test)
              : "/>\n");
    }
    return text.append("</testsuites>").toString();
  }

  void upload(int number) throws IOException, InterruptedException {
    int repository = number % SoakRun.REPOSITORIES;
    String branch = number % 3 == 0 ? "main" : "change-" + number;
    var answer =
        node.send(
            node.request(
                    "/v1/test-results?repo=soak.local/acme/%s&branch=%s&commit=c%d"
                        .formatted(SoakNode.name(repository), branch, number))
                .header("content-type", "application/xml")
                .POST(BodyPublishers.ofString(reports.get(number % FAILS_ONE_IN))));
    if (answer.path("duplicate").asBoolean()) {
      tally.fault("upload %d counts as one that was there".formatted(number));
    }
  }
}
