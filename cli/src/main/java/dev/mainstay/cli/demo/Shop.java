package dev.mainstay.cli.demo;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The project the demo works on: a shop in a few shell functions, each with its tests, and the
 * twelve pull requests that are open when the demo begins.
 */
final class Shop {
  /** Somebody's pull request: the files it changes, the parts it touches, and why it is here. */
  record PullRequest(
      int number,
      String author,
      String title,
      Set<String> targets,
      String priority,
      Map<String, String> files,
      String story) {}

  static final int FLAKY = 6;
  static final int URGENT = 12;

  private static final String RUN_TESTS =
      """
      #!/bin/sh
      # Runs every test, says how each went, and writes a JUnit report where $REPORT says.
      cd "$(dirname "$0")" || exit 2
      cases='' failed=0
      for test in test/*.sh; do
        name=$(basename "$test" .sh)
        sleep "${PAUSE:-0}" # so that there is something to watch
        if message=$(sh -eu "$test" 2>&1); then
          echo "ok      $name"
          cases="$cases<testcase classname='shop' name='$name'/>"
        else
          echo "not ok  $name: $message"
          cases="$cases<testcase classname='shop' name='$name'><failure message='$message'/></testcase>"
          failed=1
        fi
      done
      [ -z "${REPORT:-}" ] || echo "<testsuite name='shop'>$cases</testsuite>" >"$REPORT"
      exit $failed
      """;

  private static final String CHECK =
      """
      # check WHAT WANTED GOT
      check() {
        [ "$2" = "$3" ] || { echo "$1: wanted $2, got $3"; exit 1; }
      }
      """;

  private static final String PRICE =
      """
      # price CENTS: as customers read it
      price() {
        echo "$(($1 / 100)).$(printf %02d $(($1 % 100)))"
      }
      """;

  private static final String CART =
      """
      # cart_total CENTS...: the sum
      cart_total() {
        sum=0
        for cents in "$@"; do
          sum=$((sum + cents))
        done
        echo $sum
      }
      """;

  private static final String STOCK =
      """
      # reserve LEFT WANTED: what is left then, or a refusal
      reserve() {
        [ "$2" -le "$1" ] || return 1
        echo $(($1 - $2))
      }
      """;

  private static final String MAIL =
      """
      # greeting NAME
      greeting() {
        echo "Hello $1,"
      }
      """;

  private Shop() {}

  /** The files on main at first. */
  static Map<String, String> files() {
    var files = new TreeMap<String, String>();
    files.put("README.md", "# Shop\n\nPrices, carts, stock and mail.\n");
    files.put("run-tests", RUN_TESTS);
    files.put("test/lib/check.sh", CHECK);
    files.put("lib/price.sh", PRICE);
    files.put("lib/cart.sh", CART);
    files.put("lib/stock.sh", STOCK);
    files.put("lib/mail.sh", MAIL);
    files.put("test/price.sh", test("price", "check price 12.05 \"$(price 1205)\""));
    files.put("test/cart.sh", test("cart", "check total 30 \"$(cart_total 10 20)\""));
    files.put("test/stock.sh", test("stock", "check left 3 \"$(reserve 5 2)\""));
    files.put("test/mail.sh", test("mail", "check greeting 'Hello Ada,' \"$(greeting Ada)\""));
    return files;
  }

  static List<PullRequest> pullRequests() {
    return List.of(
        new PullRequest(
            1,
            "Ada",
            "Show the currency with every price",
            Set.of("price"),
            "medium",
            Map.of(
                "lib/price.sh", PRICE.replace("echo \"$((", "echo \"EUR $(("),
                "test/price.sh", test("price", "check price 'EUR 12.05' \"$(price 1205)\"")),
            "good"),
        new PullRequest(
            2,
            "Ben",
            "Give a discount from ten euros on",
            Set.of("cart", "price"),
            "medium",
            Map.of(
                "lib/discount.sh",
                """
                # discounted CENTS: a tenth less from ten euros on
                discounted() {
                  if [ "$1" -ge 1000 ]; then echo $(($1 * 9 / 10)); else echo "$1"; fi
                }
                """,
                "test/discount.sh",
                test(
                    "discount",
                    "check big 900 \"$(discounted 1000)\"\ncheck small 999 \"$(discounted 999)\"")),
            "good, and stands on #1, as both touch prices"),
        new PullRequest(
            3,
            "Cleo",
            "Allow to reserve what is on its way",
            Set.of("stock"),
            "medium",
            Map.of(
                "lib/stock.sh", STOCK.replace("[ \"$2\" -le \"$1\" ] || return 1\n", ":\n"),
                "test/refusal.sh",
                    test(
                        "stock",
                        "if reserve 1 2 >/dev/null; then echo 'reserved more than there is'; exit 1; fi")),
            "broken: its own test fails"),
        new PullRequest(
            4,
            "Dan",
            "Warn when little is left",
            Set.of("stock"),
            "medium",
            Map.of(
                "lib/warning.sh",
                """
                # is_low LEFT
                is_low() {
                  [ "$1" -lt 3 ]
                }
                """,
                "test/warning.sh",
                test("warning", "is_low 2 || { echo 'two are few'; exit 1; }")),
            "good, but tested on top of #3 at first"),
        new PullRequest(
            5,
            "Eve",
            "Show prices in cents",
            Set.of("price"),
            "medium",
            Map.of(
                "lib/price.sh",
                """
                # price CENTS: as customers read it
                price() {
                  echo "$1 ct"
                }
                """,
                "test/price.sh",
                test("price", "check price '1205 ct' \"$(price 1205)\"")),
            "does not merge with #1"),
        new PullRequest(
            FLAKY,
            "Finn",
            "Say good morning before noon",
            Set.of("mail"),
            "medium",
            Map.of(
                "lib/morning.sh",
                """
                # morning HOUR NAME
                morning() {
                  if [ "$1" -lt 12 ]; then echo "Good morning $2,"; else echo "Hello $2,"; fi
                }
                """,
                "test/morning.sh",
                test(
                    "morning",
                    """
                    # Fails now and then; here, whenever #6 is tested for the first time.
                    if [ "${MAINSTAY_PULL_REQUESTS:-}" = 6 ] && mkdir "${STATE:-/nowhere}/cold" 2>/dev/null; then
                      echo 'the clock service did not answer in time'
                      exit 1
                    fi
                    check morning 'Good morning Ada,' "$(morning 9 Ada)\"""")),
            "good, but its test is flaky"),
        new PullRequest(
            7,
            "Gus",
            "Sign every mail",
            Set.of("mail"),
            "medium",
            Map.of(
                "lib/signature.sh",
                "# signature\nsignature() {\n  echo 'Your shop'\n}\n",
                "test/signature.sh",
                test("signature", "check signature 'Your shop' \"$(signature)\"")),
            "good, and by passing on top of #6 it proves that one too"),
        new PullRequest(
            8,
            "Hana",
            "Tell how to run the tests",
            Set.of("docs"),
            "low",
            Map.of("README.md", "# Shop\n\nPrices, carts, stock and mail. Tests: `./run-tests`.\n"),
            "good, touches nothing that others do: a lane of its own"),
        new PullRequest(
            9,
            "Ivo",
            "Call the sum of a cart what it is",
            Set.of("cart"),
            "medium",
            Map.of(
                "lib/cart.sh", CART.replace("cart_total", "cart_sum"),
                "test/cart.sh", test("cart", "check sum 30 \"$(cart_sum 10 20)\"")),
            "good: renames cart_total"),
        new PullRequest(
            10,
            "Jana",
            "Ship for free from fifty euros on",
            Set.of("cart"),
            "medium",
            Map.of(
                "lib/shipping.sh",
                """
                # shipping CENTS...: what it costs to ship these
                shipping() {
                  if [ "$(cart_total "$@")" -ge 5000 ]; then echo 0; else echo 490; fi
                }
                """,
                "test/shipping.sh",
                test(
                    "shipping",
                    ". lib/cart.sh\ncheck free 0 \"$(shipping 3000 2000)\"\ncheck paid 490 \"$(shipping 100)\"")),
            "green alone, merges cleanly, and breaks main with #9: it still calls cart_total"),
        new PullRequest(
            11,
            "Kim",
            "Count what customers send back",
            Set.of("stock"),
            "medium",
            Map.of(
                "lib/returns.sh",
                "# returned LEFT BACK\nreturned() {\n  echo $(($1 + $2))\n}\n",
                "test/returns.sh",
                test("returns", "check left 7 \"$(returned 5 2)\"")),
            "good"),
        new PullRequest(
            URGENT,
            "Lea",
            "Nothing costs nothing",
            Set.of("price"),
            "urgent",
            Map.of(
                "lib/nothing.sh",
                "# is_free CENTS\nis_free() {\n  [ \"$1\" -eq 0 ]\n}\n",
                "test/nothing.sh",
                test("nothing", "is_free 0 || { echo 'nothing should be free'; exit 1; }")),
            "urgent: submitted while the others are tested, and tested at once"));
  }

  private static String test(String part, String checks) {
    return ". test/lib/check.sh\n. lib/%s.sh\n%s\n".formatted(part, checks);
  }
}
