package dev.mainstay.server.queue.api;

import dev.mainstay.server.connection.ConnectionApi;
import dev.mainstay.server.connection.HooksApi;
import dev.mainstay.server.connection.RepositoriesApi;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.queue.Queues;
import java.util.List;
import java.util.stream.Stream;

/** The routes of merge queues. */
public final class QueueRoutes {
  private QueueRoutes() {}

  public static List<Route> of(Queues queues) {
    return Stream.of(
            new QueueApi(queues).routes(),
            new TrunkQueueApi(queues).routes(),
            new PullRequestApi(queues.pullRequests(), queues.forkTargets()).routes(),
            new PullRequestHistoryApi(queues.pullRequests()).routes(),
            new TestRunApi(queues.testRuns(), queues.headReports()).routes(),
            new QueueMetricsApi(queues).routes(),
            new QueueHealthApi(queues).routes(),
            new WhatIfApi(queues.whatIfs()).routes(),
            new ConnectionApi(queues.connections()).routes(),
            new HooksApi(queues.connections()).routes(),
            new RepositoriesApi(queues.connections()).routes(),
            new QueueListApi(queues).routes())
        .flatMap(List::stream)
        .toList();
  }
}
