package dev.mainstay.bench;

import java.util.List;

/** Small reports with what is rare in them: attempts, groups in groups, failures of suites. */
final class HardReports {
  static final List<String> ALL =
      List.of(
          """
          <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE t [<!ENTITY e "x">]>
          <testsuites name="all"><testsuite name="s" file="f" timestamp="2026-01-02T03:04:05Z"><properties>
          <property name="a" value="b"/></properties><testcase classname="c" name="n&amp;&#x41;" time="1,5">
          <failure message="m" type="t"><![CDATA[stack ]]&gt;]]></failure><system-out>out</system-out></testcase>
          <testcase name="flaky"><flakyFailure><stackTrace>at</stackTrace></flakyFailure></testcase>
          <testcase name="again"><error/><rerunError/></testcase><testsuite name="in"><testcase name="x"><skipped/>
          </testcase></testsuite><error>suite</error></testsuite></testsuites>
          """,
          """
          <TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results><UnitTestResult
          testId="1" testName="A.b" duration="00:00:01.5" startTime="2026-01-02T03:04:05+02:00" outcome="Failed">
          <Output><ErrorInfo><Message>m</Message><StackTrace>s</StackTrace></ErrorInfo></Output></UnitTestResult>
          </Results><TestDefinitions><UnitTest id="1"><TestMethod className="A" name="b"/></UnitTest>
          </TestDefinitions></TestRun>
          """,
          """
          {"Time":"2026-01-02T03:04:05Z","Action":"run","Package":"p","Test":"T"}
          {"Action":"output","Package":"p","Test":"T","Output":"x_test.go:1: no\\n"}
          {"Action":"fail","Package":"p","Test":"T","Elapsed":0.5}
          {"Action":"fail","Package":"q","Elapsed":0.5}
          """,
          """
          {"numTotalTests":2,"testResults":[{"assertionResults":[{"ancestorTitles":["c"],"duration":1,"invocations":2,
          "failureMessages":["Error: no\\n    at x"],"status":"failed","title":"t"}],"name":"/a.js","status":"failed","message":"m"}]}
          """,
          """
          {"config":{"rootDir":"/"},"suites":[{"title":"a","file":"a","suites":[{"title":"g","specs":[{"title":"t","tests":[
          {"expectedStatus":"passed","projectName":"p","results":[{"status":"failed","duration":1,"error":{"message":"m",
          "stack":"s"},"startTime":"2026-01-02T03:04:05Z"}]}]}]}]}],"errors":[{"message":"m"}]}
          """,
          """
          {"results":{"tool":{"name":"x"},"summary":{"failed":1},"tests":[{"name":"t","status":"failed","retries":1,
          "retryAttempts":[{"status":"failed"}],"suite":["a","b"],"filePath":"f","start":1772359200}]}}
          """,
          """
          [{"uri":"a","keyword":"Feature","name":"f","elements":[{"name":"s","type":"scenario","steps":[{"keyword":"When ",
          "name":"x","result":{"status":"failed","duration":5,"error_message":"no"}}]}]}]
          """,
          """
          <test-run failed="1"><test-suite name="a" fullname="a" site="SetUp"><failure><message>m</message></failure><test-case
          name="t" classname="c" result="Failed" duration="1"><failure><message>m</message></failure></test-case></test-suite></test-run>
          """,
          """
          <testng-results failed="1"><suite name="s"><test><class name="c"><test-method name="m" status="SKIP" retried="true"
          duration-ms="1"><params><param><value>v</value></param></params></test-method></class></test></suite></testng-results>
          """,
          """
          <robot><suite name="s" source="/a"><test name="t" line="1"><status status="FAIL" starttime="20260102 03:04:05.678"
          endtime="20260102 03:04:06.000">m</status></test></suite><statistics><total><stat fail="1">All</stat></total></statistics></robot>
          """,
          """
          TAP version 13
              ok 1 - a
              not ok 2 - b {
                  1..1
              }
          not ok 1 - c # time=5ms
            ---
            message: 'm'
            ...
          1..1
          """,
          """
          <test-results name="a.dll" errors="1" failures="1" date="2026-01-02" time="03:04:05"><test-suite name="a"><results><test-suite
          name="b"><results><test-case name="c.d(&quot;1.5&quot;)" executed="True" success="False" time="1.5"><failure><message>m</message>
          </failure></test-case></results></test-suite></results></test-suite></test-results>
          """,
          """
          <assemblies><assembly name="a.dll" failed="1" errors="1" run-date="2026-01-02" run-time="03:04:05"><errors><error name="e"><failure>
          <message>m</message></failure></error></errors><collection><test name="c.d" type="c" time="1" result="Fail" source-file="f">
          <failure exception-type="t"><message>m</message></failure></test></collection></assembly></assemblies>
          """,
          """
          <Catch2TestRun name="c"><TestCase name="t" filename="f" line="1"><Section name="s"><Section name="s"><Expression success="false"
          type="CHECK" filename="f" line="2"><Original>a</Original><Expanded>b</Expanded><Exception>e</Exception></Expression></Section>
          </Section><OverallResult success="false" skips="1" durationInSeconds="1e-05"/></TestCase><OverallResultsCases failures="1"/></Catch2TestRun>
          """,
          """
          <TestLog><Error file="f" line="1">e</Error><TestSuite name="m"><TestSuite name="s"><TestCase name="t" skipped="yes"/><TestCase
          name="u"><Exception file="unknown location">e<LastCheckpoint file="f"/></Exception><TestingTime>5</TestingTime></TestCase>
          </TestSuite></TestSuite></TestLog>
          """,
          """
          <Site><Testing><StartTestTime>1772359200</StartTestTime><Test Status="notrun"><Name>n</Name><Path>./p</Path><Results>
          <NamedMeasurement name="Exit Code"><Value>SEGFAULT</Value></NamedMeasurement><Measurement><Value compression="gzip"
          encoding="base64">x</Value></Measurement></Results></Test></Testing></Site>
          """,
          """
          {"stats":{"failures":1},"tests":[{"title":"t","fullTitle":"s t","file":"f","duration":1,"currentRetry":2,"err":{"message":"m",
          "stack":"s"}}],"failures":[{"title":"\\"before all\\" hook","err":{"message":"m"}}]}
          """,
          """
          {"version":"3","messages":["m"],"examples":[{"description":"t","full_description":"s t","status":"failed","file_path":"./f","run_time":1,
          "exception":{"class":"c","message":"m","backtrace":["a","b"]}}],"summary":{"failure_count":1,"errors_outside_of_examples_count":1}}
          """,
          """
          {"meta":{"protocolVersion":"1"}}
          {"gherkinDocument":{"uri":"u","feature":{"name":"f"}}}
          {"pickle":{"id":"p","uri":"u","name":"n"}}
          {"testCase":{"id":"c","pickleId":"p"}}
          {"testCaseStarted":{"id":"s","testCaseId":"c","timestamp":{"seconds":1772359200,"nanos":5}}}
          {"testStepFinished":{"testCaseStartedId":"s","testStepResult":{"status":"FAILED","message":"m","duration":{"seconds":1,"nanos":1}}}}
          {"testCaseFinished":{"testCaseStartedId":"s","willBeRetried":true}}
          {"testCaseStarted":{"id":"t","testCaseId":"c"}}
          """,
          """
          { "type": "suite", "event": "started", "test_count": 2 }
          { "type": "test", "event": "started", "name": "a::b" }
          { "type": "test", "event": "failed", "name": "a::b", "exec_time": 0.1, "stdout": "panicked at src/lib.rs:4:28:\\nassertion\\n  left: 1\\n right: 2" }
          { "type": "test", "event": "started", "name": "c" }
          """,
          """
          {"protocolVersion":"0.1.1","runnerVersion":"1","type":"start","time":0}
          {"suite":{"id":0,"path":"p"},"type":"suite","time":0}
          {"group":{"id":2,"name":"g"},"type":"group","time":1}
          {"test":{"id":4,"name":"g t","suiteID":0,"groupIDs":[1,2]},"type":"testStart","time":905}
          {"testID":4,"error":"e","stackTrace":"s","type":"error","time":940}
          {"testID":4,"result":"failure","skipped":false,"hidden":false,"type":"testDone","time":941}
          """,
          """
          {"id":{"started":{}},"started":{}}
          {"id":{"testResult":{"label":"//a:b","run":2,"shard":3,"attempt":1}},"testResult":{"status":"FAILED","testAttemptDurationMillis":"5",
          "testAttemptStart":"2026-01-02T03:04:05Z"}}
          {"id":{"testResult":{"label":"//a:b","run":2,"shard":3,"attempt":2}},"testResult":{"status":"PASSED"}}
          {"id":{"testSummary":{"label":"//a:b"}}}
          """,
          """
          {"uuid":"u","name":"n","fullName":"a.b#n","status":"broken","statusDetails":{"message":"m","trace":"t"},"start":1772359200000,
          "stop":1772359200005,"historyId":"h","testCaseId":"c","parameters":[{"name":"p","value":"v","excluded":true}],
          "labels":[{"name":"suite","value":"s"}]}
          """);

  private HardReports() {}
}
