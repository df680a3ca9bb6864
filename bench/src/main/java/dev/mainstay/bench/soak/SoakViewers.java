package dev.mainstay.bench.soak;

import dev.mainstay.bench.PageViewer;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** People who follow the pages of queues, and one who looks through those of tests. */
final class SoakViewers implements AutoCloseable {
  private final SoakNode node;
  private final Tally tally;
  private final String cookie;
  private final List<PageViewer> viewers = new ArrayList<>();
  private final AtomicInteger left = new AtomicInteger();

  SoakViewers(SoakNode node, Tally tally, int count) throws IOException, InterruptedException {
    this.node = node;
    this.tally = tally;
    this.cookie = cookie();
    for (int i = 0; i < count; i++) {
      String repository = SoakNode.name(i % SoakRun.QUEUES);
      var viewer =
          new PageViewer(
              node.process().port(),
              cookie,
              "/default/soak.local/acme/%s/queues/main".formatted(repository),
              "/live?repo=soak.local%2Facme%2F" + repository + "&seen=",
              () -> tally.happened("reloads"));
      viewers.add(viewer);
      Thread.ofVirtual()
          .start(
              () -> {
                viewer.follow();
                left.incrementAndGet();
              });
    }
  }

  private String cookie() throws IOException, InterruptedException {
    return node.answer(
            node.request("/sign-in")
                .header("sec-fetch-site", "same-origin")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("key=" + SoakNode.TOKEN + "&to=/")))
        .headers()
        .firstValue("set-cookie")
        .orElseThrow()
        .replaceAll(";.*", "");
  }

  /** A page of tests, of one repository after the other. */
  void look(int number) throws IOException, InterruptedException {
    String repository = SoakNode.name(number % SoakRun.REPOSITORIES);
    String page = number % 2 == 0 ? "" : "/tests";
    node.answer(
        node.request("/default/soak.local/acme/" + repository + page)
            .header("cookie", cookie)
            .header("accept", "text/html"));
  }

  /** Nobody's stream has ended. */
  void check() {
    if (left.get() > 0) {
      tally.fault("%d of %d pages are not followed any more".formatted(left.get(), viewers.size()));
    }
  }

  @Override
  public void close() throws IOException {
    for (PageViewer viewer : viewers) {
      viewer.close();
    }
  }
}
