package dev.mainstay.bench;

import dev.mainstay.bench.ReaderSamples.Sample;
import dev.mainstay.bench.ReaderSamples.Syntax;
import java.util.List;

/** Samples of the reports that are one JSON document. */
final class JsonSamples {
  private static final String STACK =
      "Error: expected 3 but was %d\\n    at Object.toBe (/builds/acme/shop/src/group%g.test.js:3:35)"
          + "\\n    at Promise.then.completed (/builds/acme/shop/node_modules/jest-circus/build/utils.js:298:28)"
          + "\\n    at callAsyncCircusFn (/builds/acme/shop/node_modules/jest-circus/build/utils.js:231:10)"
          + "\\n    at processTicksAndRejections (node:internal/process/task_queues:95:5)";

  private JsonSamples() {}

  static List<Sample> all() {
    return List.of(
        jest(), mocha(), playwright(), ctrf(), rspec(), cucumber(), allure().eachAlone());
  }

  private static Sample jest() {
    String test =
        """
        {"ancestorTitles":["cart","orders"],"duration":3,"failing":false,"failureDetails":[],"failureMessages":[%e],"fullName":"cart orders keeps the order %d",\
        "invocations":1,"location":null,"numPassingAsserts":1,"retryReasons":[],"startAt":%m,"status":"%o","title":"keeps the order %d"}\
        """;
    return new Sample(
        "Jest, Vitest",
        Syntax.JSON,
        "{\"numFailedTestSuites\":1,\"numTotalTests\":1,\"startTime\":1772359200000,\"success\":false,\"testResults\":[",
        "{\"assertionResults\":[",
        test.replace("%o", "passed").replace("%e", ""),
        test.replace("%o", "failed").replace("%e", "\"" + STACK + "\""),
        "],\"endTime\":%m,\"message\":\"\",\"name\":\"/builds/acme/shop/src/group%g.test.js\",\"startTime\":%m,\"status\":\"passed\",\"summary\":\"\"}",
        "],\"wasInterrupted\":false}");
  }

  private static Sample mocha() {
    String test =
        """
            {
              "title": "keeps the order %d",
              "fullTitle": "cart orders keeps the order %d",
              "file": "/builds/acme/shop/test/group%g.spec.js",
              "duration": 1,
              "currentRetry": 0,
              "speed": "fast",
              "err": {%e}
            }
        """;
    return new Sample(
        "Mocha",
        Syntax.JSON,
        "{\n  \"stats\": {\n    \"suites\": 5,\n    \"failures\": 0\n  },\n  \"tests\": [\n",
        "",
        test.replace("%e", ""),
        test.replace(
            "%e",
            "\n\"stack\": \""
                + STACK
                + "\",\n\"message\": \"expected 3 but was %d\",\n\"code\": \"ERR_ASSERTION\"\n"),
        "",
        "  ],\n  \"pending\": [],\n  \"failures\": [],\n  \"passes\": []\n}\n");
  }

  private static Sample playwright() {
    String test =
        """
        {
              "title": "keeps the order %d",
              "ok": true,
              "tags": [],
              "tests": [
                {
                  "timeout": 30000,
                  "annotations": [],
                  "expectedStatus": "passed",
                  "projectId": "chromium",
                  "projectName": "chromium",
                  "results": [
                    {
                      "workerIndex": 0,
                      "parallelIndex": 0,
                      "status": "%o",
                      "duration": 412,
                      %e"stdout": [],
                      "stderr": [],
                      "retry": 0,
                      "startTime": "2026-03-01T%tZ",
                      "annotations": [],
                      "attachments": []
                    }
                  ],
                  "status": "expected"
                }
              ],
              "id": "a30a6eba6312f6b87ea5-%x",
              "file": "group%g.spec.ts",
              "line": 3,
              "column": 1
            }""";
    return new Sample(
        "Playwright",
        Syntax.JSON,
        "{\n  \"config\": {\n    \"rootDir\": \"/builds/acme/shop\",\n    \"version\": \"1.56.0\"\n  },\n  \"suites\": [\n",
        "{\"title\": \"group%g.spec.ts\", \"file\": \"group%g.spec.ts\", \"column\": 0, \"line\": 0, \"specs\": [",
        test.replace("%o", "passed").replace("%e", ""),
        test.replace("%o", "failed")
            .replace(
                "%e",
                "\"error\": {\"message\": \"expected 3 but was %d\", \"stack\": \""
                    + STACK
                    + "\"},\n\"errors\": [{\"message\": \""
                    + STACK
                    + "\"}],\n"),
        "]}",
        "  ],\n  \"errors\": []\n}\n");
  }

  private static Sample ctrf() {
    String test =
        """
              {
                "name": "cart orders keeps the order %d",
                "status": "%o",
                "duration": 3,
                "start": %m,
                "stop": %m,
                "suite": ["group%g.spec.js", "cart"],
                "rawStatus": "%o",
                "retries": 0,
                "flaky": false,
                %e"filePath": "/builds/acme/shop/test/group%g.spec.js"
              }
        """;
    return new Sample(
        "CTRF",
        Syntax.JSON,
        "{\n  \"reportFormat\": \"CTRF\",\n  \"results\": {\n    \"tool\": {\"name\": \"mocha\"},\n    \"tests\": [\n",
        "",
        test.replace("%o", "passed").replace("%e", ""),
        test.replace("%o", "failed")
            .replace(
                "%e", "\"message\": \"expected 3 but was %d\",\n\"trace\": \"" + STACK + "\",\n"),
        "",
        "    ]\n  }\n}\n");
  }

  private static Sample rspec() {
    String test =
        """
        {"id":"./spec/group%g_spec.rb[1:%d]","description":"keeps the order %d","full_description":"Cart orders keeps the order %d","status":"%o",\
        "file_path":"./spec/group%g_spec.rb","line_number":2,"run_time":0.000107662,"pending_message":null%e}\
        """;
    String frame = "\"/gems/rspec-core-3.12.0/lib/rspec/core/example.rb:263:in `instance_exec'\",";
    return new Sample(
        "RSpec",
        Syntax.JSON,
        "{\"version\":\"3.12.0\",\"examples\":[",
        "",
        test.replace("%o", "passed").replace("%e", ""),
        test.replace("%o", "failed")
            .replace(
                "%e",
                ",\"exception\":{\"class\":\"RSpec::Expectations::ExpectationNotMetError\",\"message\":\"\\nexpected: 3\\n     got: %d\\n\",\"backtrace\":["
                    + frame.repeat(20)
                    + "\"/builds/acme/shop/spec/group%g_spec.rb:3:in `block'\"]}"),
        "",
        "],\"summary\":{\"duration\":0.1,\"errors_outside_of_examples_count\":0},\"summary_line\":\"\"}");
  }

  private static Sample cucumber() {
    String step =
        """
                  {
                    "arguments": [],
                    "keyword": "When ",
                    "line": 7,
                    "name": "I add %d",
                    "match": {
                      "location": "features/step_definitions/steps.js:6"
                    },
                    "result": {
                      "status": "passed",
                      "duration": 111584
                    }
                  },
        """;
    String test =
        """
              {
                "description": "",
                "id": "cart;keeps-the-order-%d",
                "keyword": "Scenario",
                "line": 6,
                "name": "keeps the order %d",
                "steps": [
        """
            + step
            + step
            + """
                      {
                        "keyword": "Then ",
                        "line": 8,
                        "name": "it has %d",
                        "result": {
                          "status": "%o",
                          %e"duration": 71977
                        }
                      }
                    ],
                    "tags": [{"name": "@shop", "line": 1}],
                    "type": "scenario"
                  }
            """;
    return new Sample(
        "Cucumber JSON",
        Syntax.JSON,
        "[\n",
        "  {\n    \"description\": \"\",\n    \"uri\": \"features/group%g.feature\",\n    \"keyword\": \"Feature\",\n    \"name\": \"Group %g\",\n    \"elements\": [\n",
        test.replace("%o", "passed").replace("%e", ""),
        test.replace("%o", "failed").replace("%e", "\"error_message\": \"" + STACK + "\",\n"),
        "    ]\n  }\n",
        "]\n");
  }

  private static Sample allure() {
    String test =
        """
        {"name": "keeps the order %d", "status": "%o", %e"start": %m, "stop": %m, "uuid": "%x-f76f-4f00-8bae-d7c1b79bb693", \
        "historyId": "%x15c74d1d2a7ae039ff23b6be", "testCaseId": "%x15c74d1d2a7ae039ff23b6be", "fullName": "shop.group%g#keeps%d", \
        "labels": [{"name": "suite", "value": "group%g"}, {"name": "host", "value": "host"}, {"name": "thread", "value": "1-MainThread"}, \
        {"name": "framework", "value": "pytest"}, {"name": "language", "value": "cpython3"}, {"name": "package", "value": "shop.group%g"}], \
        "steps": [{"name": "adds %d", "status": "passed", "start": %m, "stop": %m}], "titlePath": ["shop", "group%g.py"]}\
        """;
    return new Sample(
        "Allure, a file a case",
        Syntax.JSON,
        "",
        "",
        test.replace("%o", "passed").replace("%e", ""),
        test.replace("%o", "failed")
            .replace(
                "%e",
                "\"statusDetails\": {\"message\": \"expected 3 but was %d\", \"trace\": \""
                    + STACK
                    + "\"}, "),
        "",
        "");
  }
}
