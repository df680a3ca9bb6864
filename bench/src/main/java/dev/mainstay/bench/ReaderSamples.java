package dev.mainstay.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A large report of each kind: one case, with one failure in ten, over and over. */
final class ReaderSamples {
  static final int CASES = 40_000;

  private static final String STACK = "at shop.Order.check(Order.java:41)\\n".repeat(8);
  private static final String XML_STACK = STACK.replace("\\n", "\n");

  private ReaderSamples() {}

  /** How the bytes of a sample are parsed without any reader. */
  enum Syntax {
    XML,
    JSON,
    JSON_LINES,
    TEXT
  }

  /**
   * A kind of report.
   *
   * @param pass a case, with its number as {@code %d}
   */
  record Sample(String name, Syntax syntax, String head, String pass, String fail, String tail) {
    byte[] bytes() {
      var text = new StringBuilder(head);
      for (int i = 0; i < CASES; i++) {
        boolean comma = syntax == Syntax.JSON && i > 0;
        text.append(comma ? "," : "")
            .append((i % 10 == 9 ? fail : pass).replace("%d", Integer.toString(i)));
      }
      return text.append(tail).toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  static List<Sample> all() {
    return List.of(
        new Sample(
            "Jest",
            Syntax.JSON,
            "{\"numTotalTests\":1,\"testResults\":[{\"assertionResults\":[",
            """
            {"ancestorTitles":["cart"],"duration":3,"failureMessages":[],"fullName":"cart adds %d",
            "invocations":1,"location":null,"numPassingAsserts":1,"status":"passed","title":"adds %d"}""",
            """
            {"ancestorTitles":["cart"],"duration":3,"failureMessages":["Error: no\\n    %s"],
            "fullName":"cart takes %d","invocations":1,"status":"failed","title":"takes %d"}"""
                .replace("%s", STACK),
            "],\"name\":\"/srv/shop/cart.test.js\",\"status\":\"passed\"}]}"),
        new Sample(
            "Playwright",
            Syntax.JSON,
            "{\"config\":{\"rootDir\":\"/work\"},\"suites\":[{\"title\":\"a.js\",\"file\":\"a.js\",\"specs\":[",
            """
            {"title":"adds %d","ok":true,"tags":[],"tests":[{"timeout":30000,"annotations":[],"expectedStatus":"passed",
            "projectName":"one","results":[{"workerIndex":0,"status":"passed","duration":4,"errors":[],"stdout":[],
            "retry":0,"startTime":"2026-03-01T10:00:00.000Z"}],"status":"expected"}],"id":"%d","line":3}""",
            """
            {"title":"takes %d","ok":false,"tests":[{"expectedStatus":"passed","projectName":"one","results":[
            {"status":"failed","duration":4,"error":{"message":"no","stack":"%s"},"errors":[{"message":"no"}],
            "startTime":"2026-03-01T10:00:00.000Z"}],"status":"unexpected"}]}"""
                .replace("%s", STACK),
            "]}]}"),
        new Sample(
            "CTRF",
            Syntax.JSON,
            "{\"results\":{\"tool\":{\"name\":\"x\"},\"tests\":[",
            """
            {"name":"adds %d","status":"passed","duration":3,"start":1772359200000,"suite":["cart"],"filePath":"a.py"}""",
            """
            {"name":"takes %d","status":"failed","duration":3,"message":"no","trace":"%s","suite":["cart"]}"""
                .replace("%s", STACK),
            "]}}"),
        new Sample(
            "Go",
            Syntax.JSON_LINES,
            "",
            """
            {"Time":"2026-03-01T10:00:00Z","Action":"run","Package":"shop","Test":"TestAdds%d"}
            {"Time":"2026-03-01T10:00:00Z","Action":"output","Package":"shop","Test":"TestAdds%d","Output":"=== RUN\\n"}
            {"Time":"2026-03-01T10:00:00Z","Action":"pass","Package":"shop","Test":"TestAdds%d","Elapsed":0.01}
            """,
            """
            {"Time":"2026-03-01T10:00:00Z","Action":"run","Package":"shop","Test":"TestTakes%d"}
            {"Time":"2026-03-01T10:00:00Z","Action":"output","Package":"shop","Test":"TestTakes%d","Output":"a_test.go:7: no\\n"}
            {"Time":"2026-03-01T10:00:00Z","Action":"fail","Package":"shop","Test":"TestTakes%d","Elapsed":0.01}
            """,
            "{\"Action\":\"fail\",\"Package\":\"shop\"}\n"),
        new Sample(
            "NUnit 3",
            Syntax.XML,
            "<test-run><test-suite name='Shop.dll'>",
            """
            <test-case id="%d" name="Adds%d" fullname="Shop.Carts.Adds%d" classname="Shop.Carts" result="Passed"
              start-time="2026-03-01 10:00:00Z" duration="0.012500" asserts="1"/>
            """,
            """
            <test-case id="%d" name="Takes%d" classname="Shop.Carts" result="Failed" duration="0.0125"><failure>
            <message>no</message><stack-trace>%s</stack-trace></failure></test-case>
            """
                .replace("%s", XML_STACK),
            "</test-suite></test-run>"),
        new Sample(
            "TestNG",
            Syntax.XML,
            "<testng-results><suite name='s'><test name='t'><class name='shop.Cart'>",
            """
            <test-method signature="adds%d()" started-at="2026-03-01T10:00:00 UTC" name="adds%d" duration-ms="6"
              status="PASS"><reporter-output></reporter-output></test-method>
            """,
            """
            <test-method name="takes%d" duration-ms="6" status="FAIL"><exception class="E"><message>no</message>
            <full-stacktrace><![CDATA[%s]]></full-stacktrace></exception></test-method>
            """
                .replace("%s", XML_STACK),
            "</class></test></suite></testng-results>"),
        new Sample(
            "Robot",
            Syntax.XML,
            "<robot><suite name='s' source='/srv/a.robot'>",
            """
            <test id="s1-t%d" name="Adds %d" line="4"><kw name="Log" owner="BuiltIn"><arg>1</arg><doc>Logs.</doc>
            <status status="PASS" start="2026-03-01T10:00:00.000000" elapsed="0.000617"/></kw>
            <status status="PASS" start="2026-03-01T10:00:00.000000" elapsed="0.001955"/></test>
            """,
            """
            <test id="s1-t%d" name="Takes %d" line="4"><kw name="Log"><msg level="FAIL">%s</msg>
            <status status="FAIL" elapsed="0.000617">no</status></kw><status status="FAIL" elapsed="0.002">no</status></test>
            """
                .replace("%s", XML_STACK),
            "</suite></robot>"),
        new Sample(
            "TAP",
            Syntax.TEXT,
            "TAP version 13\n",
            "ok %d - adds the order number %d to the cart\n",
            "not ok %d - takes %d\n  ---\n  message: 'no'\n  stack: |-\n    "
                + XML_STACK
                + "  ...\n",
            "1.." + CASES + "\n"));
  }
}
