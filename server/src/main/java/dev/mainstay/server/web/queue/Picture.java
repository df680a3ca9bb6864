package dev.mainstay.server.web.queue;

import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.queue.Answers.Queue;
import dev.mainstay.server.web.queue.Answers.TestRun;
import java.util.List;

/** The picture of a queue, of what the API answered. */
final class Picture {
  private Picture() {}

  static String of(Address at, Repo repo, Queue queue, List<TestRun> runs) {
    return "";
  }
}
