package dev.mainstay.bench;

import dev.mainstay.bench.ReaderSamples.Sample;
import dev.mainstay.bench.ReaderSamples.Syntax;
import java.util.List;

/** Samples of the reports in XML. */
final class XmlSamples {
  private static final String JAVA_STACK =
      """
      org.opentest4j.AssertionFailedError: expected: <3> but was: <%d>
      	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
      	at com.example.shop.OrderTest.keeps%d(OrderTest.java:41)
      	at java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
      	at java.base/java.lang.reflect.Method.invoke(Method.java:580)
      	at java.base/java.util.ArrayList.forEach(ArrayList.java:1596)
      """;

  private static final String NET_FAILURE =
      """
      <failure><message><![CDATA[  Expected: 3
        But was:  %d
      ]]></message><stack-trace><![CDATA[   at Shop.Group%gTests.Keeps%d() in /builds/acme/shop/Group%gTests.cs:line 21
         at System.RuntimeMethodHandle.InvokeMethod(Object target, Void** arguments, Signature sig)
      ]]></stack-trace></failure>""";

  private XmlSamples() {}

  static List<Sample> all() {
    return List.of(
        junit("JUnit"),
        junit("JUnit, a file a case").eachAlone(),
        trx(),
        nunit3(),
        nunit2(),
        xunit(),
        testng(),
        catch2(),
        boostLog(),
        boostReport(),
        ctest(),
        robot());
  }

  private static Sample junit(String name) {
    String test =
        "  <testcase name=\"checksThatTheOrderIsKept%d\" classname=\"com.example.shop.module%g.OrderTest\" time=\"0.01%d\"";
    return new Sample(
        name,
        Syntax.XML,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n",
        """
        <testsuite name="com.example.shop.module%g.OrderTest" tests="25" failures="1" timestamp="2026-03-01T%t" time="0.3">
          <properties><property name="java.version" value="25"/></properties>
        """,
        test + "/>\n",
        test
            + "><failure message=\"expected: &lt;3&gt; but was: &lt;%d&gt;\" type=\"org.opentest4j.AssertionFailedError\"><![CDATA["
            + JAVA_STACK
            + "]]></failure></testcase>\n",
        "  <system-out><![CDATA[a line that a test said\n]]></system-out>\n</testsuite>\n",
        "</testsuites>\n");
  }

  private static Sample trx() {
    String result =
        """
            <UnitTestResult executionId="%x-1111-4222-8333-444455556666" testId="%x-aaaa-4bbb-8ccc-ddddeeeeffff" testName="Shop.Group%gTests.Keeps%d" \
        computerName="host" duration="00:00:00.0125000" startTime="2026-03-01T%t0000+00:00" endTime="2026-03-01T%t0000+00:00" \
        testType="13cdc9d9-ddb5-4fa4-a97d-d965ccfa6d4b" outcome="%o" testListId="8c84fa94-04c1-424b-9868-57a2d4851a1d" relativeResultsDirectory="%x"\
        """;
    return new Sample(
        "TRX",
        Syntax.XML,
        "<TestRun id=\"1\" xmlns=\"http://microsoft.com/schemas/VisualStudio/TeamTest/2010\"><Results>\n",
        "",
        result.replace("%o", "Passed") + "/>\n",
        result.replace("%o", "Failed")
            + "><Output><ErrorInfo><Message>Expected 3 but was %d</Message><StackTrace>   at Shop.Keeps%d() in Order.cs:line 7\n"
            + "   at System.Reflection.MethodInvoker.Invoke()\n</StackTrace></ErrorInfo></Output></UnitTestResult>\n",
        "",
        "</Results></TestRun>\n");
  }

  private static Sample nunit3() {
    String test =
        """
        <test-case id="0-%d" name="Keeps%d" fullname="Shop.Group%gTests.Keeps%d" methodname="Keeps%d" classname="Shop.Group%gTests" \
        runstate="Runnable" seed="1" result="%o" start-time="2026-03-01 %tZ" end-time="2026-03-01 %tZ" duration="0.012500" asserts="1"\
        """;
    return new Sample(
        "NUnit 3",
        Syntax.XML,
        "<test-run id=\"2\" testcasecount=\"1\" result=\"Failed\" total=\"1\">\n<test-suite type=\"Assembly\" name=\"Shop.dll\" fullname=\"/shop/Shop.dll\">\n",
        "<test-suite type=\"TestFixture\" id=\"0-%d\" name=\"Group%gTests\" fullname=\"Shop.Group%gTests\" classname=\"Shop.Group%gTests\" result=\"Failed\" site=\"Child\">\n",
        test.replace("%o", "Passed") + "/>\n",
        test.replace("%o", "Failed") + ">" + NET_FAILURE + "</test-case>\n",
        "</test-suite>\n",
        "</test-suite>\n</test-run>\n");
  }

  private static Sample nunit2() {
    String test =
        "<test-case name=\"Shop.Group%gTests.Keeps%d\" executed=\"True\" result=\"%o\" success=\"True\" time=\"0.010\" asserts=\"1\"";
    return new Sample(
        "NUnit 2",
        Syntax.XML,
        "<test-results name=\"Shop.dll\" total=\"1\" date=\"2026-03-01\" time=\"10:00:00\">\n<test-suite type=\"Assembly\" name=\"Shop.dll\"><results>\n",
        "<test-suite type=\"TestFixture\" name=\"Group%gTests\" executed=\"True\" result=\"Failure\" success=\"False\" time=\"0.208\" asserts=\"0\"><results>\n",
        test.replace("%o", "Success") + " />\n",
        test.replace("%o", "Failure") + ">" + NET_FAILURE + "</test-case>\n",
        "</results></test-suite>\n",
        "</results></test-suite>\n</test-results>\n");
  }

  private static Sample xunit() {
    String test =
        "<test name=\"Shop.Group%gTests.Keeps%d\" type=\"Shop.Group%gTests\" method=\"Keeps%d\" time=\"0.0125\" result=\"%o\" "
            + "source-file=\"/builds/acme/shop/Group%gTests.cs\" source-line=\"9\"";
    return new Sample(
        "xUnit.net",
        Syntax.XML,
        "<assemblies>\n<assembly name=\"/builds/acme/shop/Shop.dll\" run-date=\"2026-03-01\" run-time=\"10:00:00\" total=\"1\">\n",
        "<collection total=\"25\" passed=\"24\" failed=\"1\" skipped=\"0\" name=\"Test collection for Shop.Group%gTests\" time=\"0.018\">\n",
        test.replace("%o", "Pass") + "><traits/></test>\n",
        test.replace("%o", "Fail") + ">" + NET_FAILURE + "</test>\n",
        "</collection>\n",
        "</assembly>\n</assemblies>\n");
  }

  private static Sample testng() {
    String test =
        """
                <test-method signature="keeps%d()[pri:0, instance:shop.Order%gTest@1d7acb34]" started-at="2026-03-01T%t UTC" name="keeps%d" \
        finished-at="2026-03-01T%t UTC" duration-ms="6" status="%o">
        """;
    String end =
        """
                  <reporter-output>
                  </reporter-output>
                </test-method> <!-- keeps%d -->
        """;
    return new Sample(
        "TestNG",
        Syntax.XML,
        "<testng-results>\n<suite name=\"s\">\n<test name=\"t\">\n",
        "      <class name=\"shop.Order%gTest\">\n",
        test.replace("%o", "PASS") + end,
        test.replace("%o", "FAIL")
            + "<exception class=\"java.lang.AssertionError\"><message>\n<![CDATA[expected [3] but found [%d]]]>\n</message>\n<full-stacktrace>\n<![CDATA["
            + JAVA_STACK
            + "]]>\n</full-stacktrace></exception>\n"
            + end,
        "      </class> <!-- shop.Order%gTest -->\n",
        "</test>\n</suite>\n</testng-results>\n");
  }

  private static Sample catch2() {
    String test =
        "    <TestCase name=\"keeps the order %d\" tags=\"[cart]\" filename=\"/builds/acme/shop/group%g.cpp\" line=\"8\">\n";
    return new Sample(
        "Catch2",
        Syntax.XML,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Catch name=\"catch\">\n  <Group name=\"catch\">\n",
        "",
        test
            + "      <OverallResult success=\"true\" durationInSeconds=\"0.009104\"/>\n    </TestCase>\n",
        test
            + """
                  <Expression success="false" type="CHECK" filename="/builds/acme/shop/group%g.cpp" line="9">
                    <Original>
                      count == 3
                    </Original>
                    <Expanded>
                      %d == 3
                    </Expanded>
                  </Expression>
                  <OverallResult success="false" durationInSeconds="0.000162"/>
                </TestCase>
            """,
        "",
        "  </Group>\n</Catch>\n");
  }

  private static Sample boostLog() {
    String test = "<TestCase name=\"keeps%d\" file=\"group%g.cpp\" line=\"5\">";
    return new Sample(
        "Boost.Test, log",
        Syntax.XML,
        "<TestLog><TestSuite name=\"shop\">",
        "<TestSuite name=\"group%g\" file=\"group%g.cpp\" line=\"4\">",
        test
            + "<Info file=\"group%g.cpp\" line=\"5\"><![CDATA[check 1 + 1 == 2 has passed]]></Info><TestingTime>55</TestingTime></TestCase>",
        test
            + "<Error file=\"group%g.cpp\" line=\"6\"><![CDATA[check %d == 2 has failed [%d != 2]]]></Error><TestingTime>133</TestingTime></TestCase>",
        "</TestSuite>",
        "</TestSuite></TestLog>");
  }

  private static Sample boostReport() {
    String test =
        "<TestCase name=\"keeps%d\" result=\"%o\" assertions_passed=\"1\" assertions_failed=\"0\" warnings_failed=\"0\" expected_failures=\"0\"></TestCase>";
    return new Sample(
        "Boost.Test, report",
        Syntax.XML,
        "<TestResult><TestSuite name=\"shop\">",
        "<TestSuite name=\"group%g\" result=\"failed\" assertions_passed=\"2\" assertions_failed=\"3\" warnings_failed=\"1\" test_cases_passed=\"1\">",
        test.replace("%o", "passed"),
        test.replace("%o", "failed"),
        "</TestSuite>",
        "</TestSuite></TestResult>");
  }

  private static Sample ctest() {
    String test =
        """
        		<Test Status="%o">
        			<Name>keeps%d</Name>
        			<Path>./group%g</Path>
        			<FullName>./group%g/keeps%d</FullName>
        			<FullCommandLine>/builds/acme/shop/build/group%g/keeps%d "--quick"</FullCommandLine>
        			<Results>
        				%e<NamedMeasurement type="numeric/double" name="Execution Time">
        					<Value>0.00815912</Value>
        				</NamedMeasurement>
        				<NamedMeasurement type="numeric/double" name="Processors">
        					<Value>1</Value>
        				</NamedMeasurement>
        				<NamedMeasurement type="text/string" name="Completion Status">
        					<Value>Completed</Value>
        				</NamedMeasurement>
        				<NamedMeasurement type="text/string" name="Command Line">
        					<Value>/builds/acme/shop/build/group%g/keeps%d "--quick"</Value>
        				</NamedMeasurement>
        				<NamedMeasurement type="text/string" name="Environment">
        					<Value>#CTEST_RESOURCE_GROUP_COUNT=</Value>
        				</NamedMeasurement>
        				<Measurement>
        					<Value>the order is kept: %d
        all is well
        </Value>
        				</Measurement>
        			</Results>
        		</Test>
        """;
    return new Sample(
        "CTest",
        Syntax.XML,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Site Name=\"host\">\n\t<Testing>\n\t\t<StartTestTime>1794907408</StartTestTime>\n",
        "",
        test.replace("%o", "passed").replace("%e", ""),
        test.replace("%o", "failed")
            .replace(
                "%e",
                """
                <NamedMeasurement type="text/string" name="Exit Code"><Value>Failed</Value></NamedMeasurement>
                <NamedMeasurement type="text/string" name="Exit Value"><Value>3</Value></NamedMeasurement>
                """),
        "",
        "\t</Testing>\n</Site>\n");
  }

  private static Sample robot() {
    String test =
        """
        <test id="s1-s%g-t%d" name="Keeps The Order %d" line="4">
        <kw name="Should Be Equal" owner="BuiltIn">
        %e<arg>1</arg>
        <arg>1</arg>
        <doc>Fails if the given objects are unequal.</doc>
        <status status="%o" start="2026-03-01T%t098" elapsed="0.000617"/>
        </kw>
        <status status="%o" start="2026-03-01T%t973" elapsed="0.001955">%w</status>
        </test>
        """;
    return new Sample(
        "Robot Framework",
        Syntax.XML,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot generator=\"Robot 7.5\">\n<suite id=\"s1\" name=\"Robot\" source=\"/builds/acme/shop\">\n",
        "<suite id=\"s1-s%g\" name=\"Group %g\" source=\"/builds/acme/shop/group%g.robot\">\n",
        test.replace("%o", "PASS").replace("%e", "").replace("%w", ""),
        test.replace("%o", "FAIL")
            .replace(
                "%e", "<msg time=\"2026-03-01T%t120\" level=\"FAIL\">wrong number: %d != 2</msg>\n")
            .replace("%w", "wrong number: %d != 2"),
        "</suite>\n",
        "</suite>\n</robot>\n");
  }
}
