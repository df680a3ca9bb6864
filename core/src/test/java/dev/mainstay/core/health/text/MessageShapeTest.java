package dev.mainstay.core.health.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class MessageShapeTest {

  private record Pair(String what, String one, String other) {}

  private static final List<Pair> ONE_GROUP =
      List.of(
          new Pair("numbers", "expected: <3> but was: <12>", "expected: <10> but was: <0>"),
          new Pair("signs and fractions", "delta -0.25 too large", "delta 17 too large"),
          new Pair("exponents", "got 1.5E-10 volts", "got 3e8 volts"),
          new Pair("thousands", "1,234 rows left", "17 rows left"),
          new Pair("lists of numbers", "order was [1, 2, 3]", "order was [3, 1]"),
          new Pair(
              "uuids",
              "no order 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
              "no order aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"),
          new Pair("hashes", "object a94a8fe5ccb19ba6 lost", "object 0beec7b5ea3f0fdb lost"),
          new Pair("short commits", "at commit 1a2b3c4: dirty", "at commit 9f8e7d6: dirty"),
          new Pair("memory", "com.acme.Order@1a2b3c was left", "com.acme.Order@ffe was left"),
          new Pair("pointers", "segfault at 0x7ffe12ab", "segfault at 0xDEADBEEF"),
          new Pair("ips", "refused: 127.0.0.1:5432", "refused: 10.20.30.40:6379"),
          new Pair("ips as Java says them", "to localhost/127.0.0.1:5432", "to db/10.1.1.1:80"),
          new Pair("ip v6", "refused: [::1]:8080", "refused: [fe80::1ff:fe23:4567:890a]:80"),
          new Pair("hosts with ports", "lost db-1.eu.internal:5432", "lost localhost:41873"),
          new Pair(
              "addresses of the web",
              "GET http://localhost:33211/api/users failed",
              "GET https://shop.example.com/api?id=7 failed"),
          new Pair("unix paths", "cannot read /tmp/junit123/a.txt", "cannot read /var/x/y/b"),
          new Pair(
              "windows paths",
              "cannot read C:\\Users\\ann\\Temp\\a.txt",
              "cannot read D:\\agent\\_work\\1\\s"),
          new Pair("relative paths", "no target/x/Foo.class", "no build/classes/Bar.class"),
          new Pair(
              "times", "at 2026-01-01T10:00:00.123Z it ended", "at 2026-12-31 23:59:59 it ended"),
          new Pair(
              "times in words",
              "expired Sun Nov 15 05:06:06 UTC 2026",
              "expired Mon, 16 Nov 2026 15:00:01 GMT"),
          new Pair("clock times", "late by 10:15", "late by 09:01:33.120"),
          new Pair("durations", "timed out after 300ms", "timed out after 2m30s"),
          new Pair("durations in words", "timed out after 1 second", "timed out after 30 minutes"),
          new Pair("ISO durations", "timed out after PT1.5S", "timed out after PT30S"),
          new Pair("generated ids", "no user 'u-8f3k2j9x'", "no user 'u-1q9z7m4c'"),
          new Pair("numbered names", "worker-17 died", "worker-4 died"),
          new Pair("numbers in names", "thread pool3thread12 hangs", "thread pool1thread7 hangs"),
          new Pair("lines of a file", "Foo.java:12 leaks", "Foo.java:2048 leaks"),
          new Pair("lambdas", "Foo$$Lambda$12/0x00a1 failed", "Foo$$Lambda$9/0x7fff12 failed"),
          new Pair("versions", "needs 1.2.3 or later", "needs 10.0 or later"),
          new Pair("blanks and line ends", "a\n  b   3", "a b 4"),
          new Pair("percentages", "disk 97% full", "disk 3.5% full"));

  private static final List<Pair> TWO_GROUPS =
      List.of(
          new Pair("words", "Connection refused", "Connection reset"),
          new Pair(
              "the other way round", "expected true but was false", "expected false but was true"),
          new Pair("tables", "no table users", "no table orders"),
          new Pair("classes", "com.acme.Cart is null", "com.acme.Order is null"),
          new Pair("files of source", "Foo.java:12 leaks", "Bar.java:12 leaks"),
          new Pair("a number or none", "expected 3", "expected nothing"),
          new Pair("null", "expected: <null> but was: <3>", "expected: <2> but was: <3>"),
          new Pair("kinds of content", "want application/json", "want application/xml"),
          new Pair("words with a slash", "read/write failed", "open/close failed"),
          new Pair("English that looks like hex", "the facade decade", "the bedded decade"),
          new Pair("upper and lower case", "Timeout waiting", "timeout waiting"),
          new Pair("months as words", "it may fail", "it will fail"),
          new Pair("a day as a word", "the sun is gone", "the moon is gone"),
          new Pair("units as words", "s is missing", "h is missing"),
          new Pair("properties", "missing key retries", "missing key timeout"),
          new Pair("second lines", "Expecting actual:\n true", "Expecting actual:\n false"));

  @TestFactory
  List<DynamicTest> messages_that_differ_only_in_these_are_one_group() {
    return ONE_GROUP.stream()
        .map(
            pair ->
                DynamicTest.dynamicTest(
                    pair.what(), () -> assertThat(key(pair.one())).isEqualTo(key(pair.other()))))
        .toList();
  }

  @TestFactory
  List<DynamicTest> messages_that_differ_in_these_are_two_groups() {
    return TWO_GROUPS.stream()
        .map(
            pair ->
                DynamicTest.dynamicTest(
                    pair.what(), () -> assertThat(key(pair.one())).isNotEqualTo(key(pair.other()))))
        .toList();
  }

  @Test
  void what_is_left_can_still_be_read() {
    assertThat(key("Order 17 of user-42 not found in /tmp/x at 10:15 (after 30 s)"))
        .isEqualTo("Order # of user-# not found in <path> at # (after #)");
  }

  @Test
  void the_shape_of_a_shape_is_the_shape() {
    for (Pair pair : ONE_GROUP) {
      assertThat(key(key(pair.one()))).as(pair.what()).isEqualTo(key(pair.one()));
    }
  }

  @Test
  void a_title_is_one_line_of_at_most_200_characters() {
    String title = MessageShape.of("T", " a\r\n\tb\u0000c " + "x".repeat(500)).title();
    assertThat(title).startsWith("a b c xxx").hasSize(200).endsWith("x…");
    assertThat(MessageShape.of("T", "y".repeat(200)).title()).isEqualTo("y".repeat(200));
  }

  @Test
  void no_character_is_cut_in_half() {
    String smile = "😀";
    String title = MessageShape.of("T", "a" + smile.repeat(300)).title();
    assertThat(title).hasSizeLessThanOrEqualTo(200);
    assertThat(title.chars().filter(c -> Character.isSurrogate((char) c)).count() % 2).isZero();
    assertThat(MessageShape.of("T", "half \uD83D of one").title()).isEqualTo("half \uFFFD of one");
    assertThat(key("half \uD83D of one")).isEqualTo("half \uFFFD of one");
  }

  @Test
  void a_failure_without_message_is_known_by_its_type() {
    assertThat(MessageShape.of("java.lang.NullPointerException", " \n "))
        .isEqualTo(
            new MessageShape("java.lang.NullPointerException", "java.lang.NullPointerException"));
    assertThat(MessageShape.of("", "")).isEqualTo(new MessageShape("", ""));
  }

  @Test
  void any_million_characters_give_a_bounded_key() {
    for (String piece :
        List.of(
            "a", "1", "/", "\\", ":", "-", ".", "@", "#", "a1", "0x", "://", "[", "😀", "1-",
            " 1")) {
      MessageShape shape = MessageShape.of("T", piece.repeat(1_000_000 / piece.length()));
      assertThat(shape.key()).as(piece).isNotEmpty().hasSizeLessThanOrEqualTo(300);
      assertThat(shape.title()).as(piece).isNotEmpty().hasSizeLessThanOrEqualTo(200);
    }
  }

  private static String key(String message) {
    return MessageShape.of("T", message).key();
  }
}
