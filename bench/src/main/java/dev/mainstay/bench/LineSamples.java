package dev.mainstay.bench;

import dev.mainstay.bench.ReaderSamples.Sample;
import dev.mainstay.bench.ReaderSamples.Syntax;
import java.util.List;

/** Samples of the reports that are lines: of JSON, or of text. */
final class LineSamples {
  private LineSamples() {}

  static List<Sample> all() {
    return List.of(go(), cucumberMessages(), rust(), dart(), bazel(), tap(), nodeTap());
  }

  private static Sample go() {
    String of = "\"Package\":\"example.com/shop/group%g\",\"Test\":\"TestKeepsTheOrder%d\"";
    String time = "{\"Time\":\"2026-03-01T%t712834Z\",";
    String said = time + "\"Action\":\"output\"," + of + ",\"Output\":\"%w\\n\"}\n";
    String begins =
        time
            + "\"Action\":\"run\","
            + of
            + "}\n"
            + said.replace("%w", "=== RUN   TestKeepsTheOrder%d");
    return new Sample(
        "Go",
        Syntax.JSON_LINES,
        "",
        time + "\"Action\":\"start\",\"Package\":\"example.com/shop/group%g\"}\n",
        begins
            + said.replace("%w", "--- PASS: TestKeepsTheOrder%d (0.00s)")
            + time
            + "\"Action\":\"pass\","
            + of
            + ",\"Elapsed\":0.01}\n",
        begins
            + said.replace("%w", "    group_test.go:7: expected 3")
            + said.replace("%w", "        but was %d")
            + said.replace("%w", "--- FAIL: TestKeepsTheOrder%d (0.00s)")
            + time
            + "\"Action\":\"fail\","
            + of
            + ",\"Elapsed\":0.01}\n",
        time
            + "\"Action\":\"output\",\"Package\":\"example.com/shop/group%g\",\"Output\":\"FAIL\\texample.com/shop/group%g\\t0.002s\\n\"}\n"
            + time
            + "\"Action\":\"fail\",\"Package\":\"example.com/shop/group%g\",\"Elapsed\":0.2}\n",
        "");
  }

  private static Sample cucumberMessages() {
    String pickle =
        """
        {"pickle":{"id":"%x-1e1c-4d98-a8c6-3015ed556fc0","uri":"features/group%g.feature","location":{"line":6,"column":3},\
        "astNodeIds":["%x-58c3-4666-a1b2-4c5b2de5d12b"],"tags":[{"name":"@shop","astNodeId":"c9824739-970c-4e20-bf05-1c10a05f92e2"}],\
        "name":"keeps the order %d","language":"en","steps":[{"id":"%x-93d7-4012-91e5-93e1c5b5aba2","text":"an empty cart","type":"Context",\
        "astNodeIds":["985fa694-c3bd-48ae-a0bf-a05a5d6dd306"]}]}}
        {"testCase":{"testRunStartedId":"4fb7753b-9d2d-43da-8900-c4c4f6f35e9b","pickleId":"%x-1e1c-4d98-a8c6-3015ed556fc0",\
        "id":"%x-78f0-4532-9b3b-25d4b6db6d0c","testSteps":[{"id":"%x-3e3e-434e-8c9b-d4219f5dd953","hookId":"7ee1fb7c-acbe-4245-b53b-a7b0a105eb12"}]}}
        {"testCaseStarted":{"attempt":0,"testCaseId":"%x-78f0-4532-9b3b-25d4b6db6d0c","id":"%x-5bd3-4532-8e2d-b3aa5bc54171",\
        "timestamp":{"seconds":1794907342,"nanos":209000000}}}
        """;
    String step =
        """
        {"testStepStarted":{"testCaseStartedId":"%x-5bd3-4532-8e2d-b3aa5bc54171","testStepId":"%x-3e3e-434e-8c9b-d4219f5dd953",\
        "timestamp":{"seconds":1794907342,"nanos":209000000}}}
        {"testStepFinished":{"testCaseStartedId":"%x-5bd3-4532-8e2d-b3aa5bc54171","testStepId":"%x-3e3e-434e-8c9b-d4219f5dd953",\
        "testStepResult":{"duration":{"seconds":0,"nanos":789042},%e"status":"%o"},"timestamp":{"seconds":1794907342,"nanos":210000000}}}
        """;
    String passed = step.replace("%o", "PASSED").replace("%e", "");
    String ends =
        """
        {"testCaseFinished":{"testCaseStartedId":"%x-5bd3-4532-8e2d-b3aa5bc54171","timestamp":{"seconds":1794907342,"nanos":212000000},"willBeRetried":false}}
        """;
    return new Sample(
        "Cucumber messages",
        Syntax.JSON_LINES,
        "{\"meta\":{\"protocolVersion\":\"32.2.0\",\"implementation\":{\"version\":\"12.9.0\",\"name\":\"cucumber-js\"}}}\n",
        "",
        pickle + passed.repeat(3) + ends,
        pickle
            + passed.repeat(2)
            + step.replace("%o", "FAILED")
                .replace(
                    "%e",
                    "\"message\":\"Error: expected 3 but was %d\\n    at World.<anonymous> (features/steps.js:7:9)\",")
            + ends,
        "",
        "{\"testRunFinished\":{\"success\":false}}\n");
  }

  private static Sample rust() {
    String started =
        "{ \"type\": \"test\", \"event\": \"started\", \"name\": \"group%g::keeps_the_order_%d\" }\n";
    String ended =
        "{ \"type\": \"test\", \"name\": \"group%g::keeps_the_order_%d\", \"event\": \"%o\", \"exec_time\": 0.000001112%e }\n";
    return new Sample(
        "Rust",
        Syntax.JSON_LINES,
        "",
        "{ \"type\": \"suite\", \"event\": \"started\", \"test_count\": 25 }\n",
        started + ended.replace("%o", "ok").replace("%e", ""),
        started
            + ended
                .replace("%o", "failed")
                .replace(
                    "%e",
                    ", \"stdout\": \"\\nthread 'group%g::keeps_the_order_%d' panicked at src/lib.rs:4:28:\\nassertion `left == right` failed\\n  left: %d\\n right: 3\\n"
                        + "stack backtrace:\\n"
                        + "   0: core::panicking::panic_fmt\\n             at /rustc/59807616e1fa/library/core/src/panicking.rs:80:14\\n"
                            .repeat(5)
                        + "\""),
        "{ \"type\": \"suite\", \"event\": \"failed\", \"passed\": 24, \"failed\": 1, \"ignored\": 0, \"measured\": 0, \"filtered_out\": 0, \"exec_time\": 0.109384894 }\n",
        "");
  }

  private static Sample dart() {
    String begins =
        """
        {"test":{"id":%d,"name":"cart keeps the order %d","suiteID":%g,"groupIDs":[2],"metadata":{"skip":false,"skipReason":null},\
        "line":6,"column":5,"url":"file:///builds/acme/shop/test/group%g_test.dart"},"type":"testStart","time":905}
        """;
    String ends =
        "{\"testID\":%d,\"result\":\"%o\",\"skipped\":false,\"hidden\":false,\"type\":\"testDone\",\"time\":925}\n";
    return new Sample(
        "Dart, Flutter",
        Syntax.JSON_LINES,
        "{\"protocolVersion\":\"0.1.1\",\"runnerVersion\":\"1.25.2\",\"pid\":4021,\"type\":\"start\",\"time\":0}\n",
        "{\"suite\":{\"id\":%g,\"platform\":\"vm\",\"path\":\"/builds/acme/shop/test/group%g_test.dart\"},\"type\":\"suite\",\"time\":0}\n",
        begins + ends.replace("%o", "success"),
        begins
            + "{\"testID\":%d,\"error\":\"Expected: <3>\\n  Actual: <%d>\\n\",\"stackTrace\":\"package:matcher expect\\ntest/group_test.dart 8:7  main.<fn>.<fn>\\n\",\"isFailure\":true,\"type\":\"error\",\"time\":940}\n"
            + ends.replace("%o", "failure"),
        "",
        "{\"success\":false,\"type\":\"done\",\"time\":1955}\n");
  }

  private static Sample bazel() {
    String of =
        "\"label\":\"//group%g:keeps_the_order_%d_test\",%n\"configuration\":{\"id\":\"5f3c\"}";
    String result =
        "{\"id\":{\"testResult\":{"
            + of.replace("%n", "\"run\":1,\"shard\":1,\"attempt\":1,")
            + "}},\"testResult\":{\"testActionOutput\":[{\"name\":\"test.log\",\"uri\":\"file:///srv/shop/bazel-testlogs/group%g/keeps_the_order_%d_test/test.log\"},"
            + "{\"name\":\"test.xml\",\"uri\":\"file:///srv/shop/bazel-testlogs/group%g/keeps_the_order_%d_test/test.xml\"}],\"status\":\"%o\","
            + "\"testAttemptDurationMillis\":\"512\",\"testAttemptStartMillisEpoch\":\"%m\",\"testAttemptStart\":\"2026-03-01T%tZ\",\"testAttemptDuration\":\"0.512s\"}}\n"
            + "{\"id\":{\"testSummary\":{"
            + of.replace("%n", "")
            + "}},\"testSummary\":{\"totalRunCount\":1,\"overallStatus\":\"%o\",\"attemptCount\":1}}\n";
    return new Sample(
        "Bazel events",
        Syntax.JSON_LINES,
        "{\"id\":{\"started\":{}},\"started\":{\"uuid\":\"6b1c\",\"command\":\"test\"}}\n",
        "{\"id\":{\"progress\":{\"opaqueCount\":%g}},\"children\":[],\"progress\":{\"stderr\":\"[%d / 1,000] 25 actions running\\n\"}}\n",
        result.replace("%o", "PASSED"),
        result.replace("%o", "FAILED"),
        "",
        "{\"id\":{\"buildFinished\":{}},\"finished\":{\"exitCode\":{\"name\":\"TESTS_FAILED\",\"code\":3}}}\n");
  }

  private static Sample tap() {
    return new Sample(
        "TAP, Perl",
        Syntax.TEXT,
        "",
        "",
        "ok %d - keeps the order number %d in the cart\n",
        "not ok %d - keeps the order number %d in the cart\n#   Failed test 'keeps the order'\n#   at group%g.t line 2.\n#          got: '%d'\n#     expected: '3'\n",
        "",
        "1..%c\n");
  }

  private static Sample nodeTap() {
    String test = "# Subtest: keeps the order %d\n%o %d - keeps the order %d\n  ---\n%e  ...\n";
    return new Sample(
        "TAP, Node",
        Syntax.TEXT,
        "TAP version 13\n",
        "",
        test.replace("%o", "ok").replace("%e", "  duration_ms: 3.510391\n"),
        test.replace("%o", "not ok")
            .replace(
                "%e",
                """
                  duration_ms: 1.464941
                  location: '/builds/acme/shop/group%g.test.js:2:69'
                  failureType: 'testCodeFailure'
                  error: |-
                    Expected values to be strictly equal:

                    %d !== 3

                  code: 'ERR_ASSERTION'
                  stack: |-
                    TestContext.<anonymous> (/builds/acme/shop/group%g.test.js:2:100)
                    Test.runInAsyncScope (node:async_hooks:206:9)
                    Test.run (node:internal/test_runner/test:796:25)
                """),
        "",
        "1..%c\n# tests %c\n");
  }
}
