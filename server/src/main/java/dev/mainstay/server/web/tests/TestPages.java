package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.web.page.Entrance;
import java.util.List;

/** The addresses of the pages of tests. */
public final class TestPages {
  private static final String REPOSITORY = "/{org}/{repo...}";
  private static final String TESTS = REPOSITORY + "/tests";
  private static final String TEST = TESTS + "/{test}";
  private static final String TICKET = "/{org}/tickets/{ticket}";

  private TestPages() {}

  public static List<Route> routes(Entrance entrance) {
    return List.of(
        entrance.page(TESTS, TestsPage::show),
        entrance.action(TESTS, TestsPage::quarantine),
        entrance.page(TEST, TestPage::show),
        entrance.action(TEST, TestActions::act),
        entrance.page(REPOSITORY + "/quarantine", QuarantinePage::show),
        entrance.page(TICKET, TicketPage::show),
        entrance.action(TICKET, TicketPage::act),
        entrance.shared(REPOSITORY + "/uploads", UploadsPage::show),
        entrance.shared(REPOSITORY + "/uploads/{upload}", UploadPage::show),
        entrance.page("/{org}/flaky-tests/test/{test}", UploaderLinks::test),
        entrance.page("/flaky-tests/test/{test}", UploaderLinks::test),
        entrance.page("/trunk/{of}/settings", UploaderLinks::settings));
  }
}
