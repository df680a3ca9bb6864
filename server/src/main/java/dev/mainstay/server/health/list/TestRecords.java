package dev.mainstay.server.health.list;

import dev.mainstay.server.health.list.TestRecord.CommonFailure;
import dev.mainstay.server.health.list.TestRecord.Link;
import dev.mainstay.server.health.list.TestRecord.Status;
import dev.mainstay.server.health.result.NumbersStore;
import dev.mainstay.server.health.result.Rates;
import dev.mainstay.server.health.result.RecentFailureStore;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Tests as the API shows them, read from roll-ups for a page at once. */
final class TestRecords {
  private static final int MOST_GROUPS = 5;

  private final Links links;

  TestRecords(Links links) {
    this.links = links;
  }

  /** Whole records, in the order of the ids. */
  List<TestRecord> whole(Handle handle, RepoView repository, List<UUID> ids, Instant now) {
    if (ids.isEmpty()) {
      return List.of();
    }
    long id = repository.repositoryId();
    var numbers = NumbersStore.read(handle, id, ids, repository.unfoldedFrom(), now);
    Map<UUID, List<RecentFailureStore.Group>> groups =
        repository.features().contains(RepoView.COMMON_FAILURES)
            ? RecentFailureStore.groups(handle, id, ids, now.minus(Rates.WEEK), MOST_GROUPS)
            : Map.of();
    var last = RecentFailureStore.last(handle, id, ids);
    var rows = TestStore.find(handle, id, ids);
    return ids.stream()
        .flatMap(test -> Optional.ofNullable(rows.get(test)).stream())
        .map(
            row -> {
              var known = numbers.getOrDefault(row.id(), Rates.Numbers.NONE);
              return with(
                  brief(repository, row, known.pullRequests(), now),
                  known,
                  groups.getOrDefault(row.id(), List.of()),
                  Optional.ofNullable(last.get(row.id())));
            })
        .toList();
  }

  /** Brief records, without rates and failures. */
  List<TestRecord> brief(Handle handle, RepoView repository, List<UUID> ids, Instant now) {
    if (ids.isEmpty()) {
      return List.of();
    }
    long id = repository.repositoryId();
    var rows = TestStore.find(handle, id, ids);
    var pullRequests = RecentFailureStore.pullRequests(handle, id, ids, now.minus(Rates.WEEK));
    return ids.stream()
        .flatMap(test -> Optional.ofNullable(rows.get(test)).stream())
        .map(row -> brief(repository, row, pullRequests.getOrDefault(row.id(), 0), now))
        .toList();
  }

  private TestRecord brief(RepoView repository, TestRow row, int pullRequests, Instant now) {
    return new TestRecord(
        row.id(),
        new Link(Links.repository(repository.name())),
        links.test(repository, row.id()),
        row.name(),
        row.variant(),
        new Status(TestStore.label(row.status()), row.reason(), row.statusSince().toString()),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        TestRecord.said(row.file()),
        TestRecord.said(row.parent()),
        TestRecord.said(row.classname()),
        row.codeowners(),
        pullRequests,
        row.isQuarantined(repository.switches(), now),
        row.ticket().map(ticket -> new Link(links.ticket(repository, ticket))),
        Optional.empty(),
        Optional.empty());
  }

  private static TestRecord with(
      TestRecord test,
      Rates.Numbers rate,
      List<RecentFailureStore.Group> groups,
      Optional<RecentFailureStore.Last> last) {
    return new TestRecord(
        test.id(),
        test.repository(),
        test.htmlUrl(),
        test.name(),
        test.variant(),
        test.status(),
        Optional.of(
            groups.stream()
                .map(g -> new CommonFailure(g.title(), g.occurrences(), g.last().toString()))
                .toList()),
        Optional.of(rate.week()),
        Optional.of(rate.day()),
        test.filePath(),
        test.parent(),
        test.classname(),
        test.codeowners(),
        test.pullRequestsImpacted(),
        test.quarantined(),
        test.ticket(),
        last.map(RecentFailureStore.Last::message),
        last.flatMap(RecentFailureStore.Last::ciUrl));
  }
}
