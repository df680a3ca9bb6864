package dev.mainstay.server.web.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.http.Inside;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Kit;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.tests.Answers.Change;
import dev.mainstay.server.web.tests.Answers.Day;
import dev.mainstay.server.web.tests.Answers.Decision;
import dev.mainstay.server.web.tests.Answers.Dossier;
import dev.mainstay.server.web.tests.Answers.Evidence;
import dev.mainstay.server.web.tests.Answers.Flakiness;
import dev.mainstay.server.web.tests.Answers.Group;
import dev.mainstay.server.web.tests.Answers.Link;
import dev.mainstay.server.web.tests.Answers.Monitor;
import dev.mainstay.server.web.tests.Answers.Phase;
import dev.mainstay.server.web.tests.Answers.Run;
import dev.mainstay.server.web.tests.Answers.Runs;
import dev.mainstay.server.web.tests.Answers.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The page of a test as a function of what is known of it. */
class TestDrawingTest {
  private static final String AT = "2026-03-01T12:00:00Z";
  private static final String EVIL = "\"><script>alert(1)</script>'";
  private static final Kit KIT =
      Kit.of(
          new Inside(List.of()), URI.create("https://ci.example"), new byte[32], Clock.systemUTC());
  private static final Repo REPO = new Repo("github.com", "acme", "shop");
  private static final Address ADDRESS = new Address("default");

  private static Dossier dossier(String status, String text, boolean quarantined) {
    var evidence = new Evidence(text, AT, AT, 10, 2, List.of(text), Map.of("rate", 0.2));
    return new Dossier(
        new Answers.Test(
            "50bcd8d2-01f3-5908-abfb-960236681822",
            text,
            text,
            new Status(status, text, AT),
            Optional.of(0.25),
            Optional.of(0.5),
            Optional.of(text),
            Optional.of(text),
            Optional.of(text),
            List.of(text),
            3,
            quarantined,
            Optional.of(new Link("javascript:alert(1)//" + text)),
            Optional.of(text),
            Optional.of("javascript:alert(1)//" + text)),
        AT,
        Optional.of(
            new Decision(
                "ALWAYS_QUARANTINE", text, text, AT, Optional.of(AT), Optional.of(3), true)),
        Optional.of("OPEN"),
        new Flakiness(
            0.9,
            0.04,
            0.01,
            0.08,
            40,
            2,
            List.of(
                new Phase(false, AT, AT, 20, 1, "a".repeat(40), Optional.empty()),
                new Phase(true, AT, AT, 5, 5, "c".repeat(40), Optional.of("b".repeat(40))))),
        List.of(
            new Monitor(
                text,
                text,
                text,
                true,
                true,
                Optional.of("flaky"),
                Optional.of(AT),
                Optional.of(AT),
                Optional.of(evidence))),
        List.of(
            new Group(text, 3, AT, AT, text, "same\nonly left " + text),
            new Group(text + "2", 3, AT, AT, text, "same\nonly right " + text)),
        List.of(
            new Change(1, AT, "healthy", "flaky", text, Optional.of(text), Optional.of(evidence))));
  }

  private static String drawn(Dossier dossier, boolean compare) {
    List<Group> groups = dossier.failures();
    var run =
        new Run(
            AT,
            "failed",
            EVIL,
            EVIL,
            Optional.of(7),
            Optional.of(EVIL),
            Optional.of("javascript:alert(1)"),
            Optional.of(1500),
            Optional.of(EVIL),
            "upload-1",
            2);
    String left = compare ? groups.get(0).key() : "";
    String right = compare ? groups.get(1).key() : "";
    var model =
        new TestPage.Model(
            REPO,
            ADDRESS,
            dossier,
            Matter.of(dossier),
            new Runs(List.of(run), Optional.of(EVIL)),
            true,
            DayBars.of(List.of(new Day("2026-03-01", 4, 1))),
            RateScale.of(dossier.flakiness()),
            left,
            right,
            Stacks.of(groups, left, right));
    var frame =
        new Frame(
            EVIL,
            "default",
            ADDRESS,
            List.of(new Frame.Crumb(EVIL, "/")),
            List.of(),
            new Frame.Rights(true, true, true),
            false,
            Optional.empty(),
            "token",
            Optional.empty(),
            KIT.assets());
    byte[] packed = KIT.templates().packed("test", frame, model).gzip();
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nothing_that_reports_say_becomes_part_of_the_page() {
    for (boolean compare : new boolean[] {false, true}) {
      String page = drawn(dossier("flaky", EVIL, false), compare);
      assertThat(page)
          .contains("&lt;script&gt;alert(1)")
          .doesNotContain("<script>alert", "href=\"javascript", "style=\"")
          .doesNotContainPattern("=\"[^\"]*\"><script")
          .contains("href=\"/default/github.com/acme/shop/uploads/upload-1\"");
    }
  }

  @Test
  void the_first_sentence_says_what_is_the_matter_and_since_when() {
    assertThat(drawn(dossier("flaky", "It failed and passed on commit abc.", false), false))
        .containsPattern("<strong>Flaky since\\s+<time datetime=\"" + AT + "\"")
        .contains("It failed and passed on commit abc.")
        .contains(
            "About 4.0 % of its runs fail for no reason in the code (between 1.0 % and 8.0 %).")
        .contains("quarantine is switched off in this repository")
        .contains("it failed on 3 pull requests");
    assertThat(drawn(dossier("broken", "It fails for good.", true), false))
        .containsPattern("<strong>Broken since\\s+<time")
        .contains("It began between bbbbbbbbbb and cccccccccc.")
        .contains("class=\"phase-line most\"", "began between bbbbbbbbbb and cccccccccc\"")
        .contains("Quarantined: its failures stop nobody.");
    assertThat(drawn(dossier("healthy", "No monitor has flagged this test.", true), false))
        .contains("<strong>Healthy:</strong> No monitor has flagged this test.")
        .contains("It failed in 50 % of its runs in the last 24 hours.");
  }

  @Test
  void lines_that_only_one_stack_has_are_marked() {
    var stacks =
        Stacks.of(
            new Group("a", 1, AT, AT, "m", "  at one\n  at two\n"),
            new Group("b", 1, AT, AT, "only a message", ""));
    assertThat(stacks.left().lines()).extracting(Stacks.Line::isOwn).containsExactly(true, true);
    assertThat(stacks.right().lines())
        .extracting(Stacks.Line::text)
        .containsExactly("only a message");
    var groups = dossier("flaky", "x", false).failures();
    var both = Stacks.of(groups, groups.get(0).key(), groups.get(1).key()).orElseThrow();
    assertThat(both.left().lines()).extracting(Stacks.Line::isOwn).containsExactly(false, true);
    assertThat(Stacks.of(groups, groups.get(0).key(), groups.get(0).key())).isEmpty();
    assertThat(Stacks.of(groups, "", "nobody")).isEmpty();
  }

  @Test
  void bars_and_scales_stay_within_their_picture_and_hide_nothing() {
    var bars =
        DayBars.of(List.of(new Day("d1", 0, 0), new Day("d2", 1000, 1), new Day("d3", 1, 1)));
    assertThat(bars.bars())
        .extracting(DayBars.Bar::runs, DayBars.Bar::failures)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, 0),
            org.assertj.core.groups.Tuple.tuple(DayBars.HEIGHT, 3),
            org.assertj.core.groups.Tuple.tuple(3, 3));
    assertThat(DayBars.of(List.of()).width()).isPositive();
    assertThat(RateScale.of(new Flakiness(1, 0.04, 0.01, 0.08, 1, 1, List.of())))
        .isEqualTo(new RateScale(100, 400, 800, 0.1));
    assertThat(RateScale.of(new Flakiness(1, 2, -1, 3, 1, 1, List.of())))
        .isEqualTo(new RateScale(0, 1000, 1000, 1));
  }

  @Test
  void names_of_any_length_are_cut_between_characters_and_tickets_found_in_their_addresses() {
    assertThat(Names.brief("😀".repeat(300))).isEqualTo("😀".repeat(200) + "…");
    assertThat(Names.title("short")).isEqualTo("short");
    assertThat(Names.ticket("https://tickets.example/browse/SHOP-12")).contains("SHOP-12");
    assertThat(Names.ticket("https://tickets.example/")).isEmpty();
    assertThat(Names.web(Optional.of("javascript:alert(1)"))).isEmpty();
    assertThat(Names.web(Optional.of("https://ci.example"))).isPresent();
  }
}
