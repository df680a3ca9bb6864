package dev.mainstay.server.report.xml;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.exc.WstxLazyException;
import com.ctc.wstx.stax.WstxInputFactory;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.Texts;
import dev.mainstay.server.report.UnpackedTooMuch;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.function.Supplier;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** The reports in XML that are read: the root element tells the kind. */
public final class XmlReports {
  private static final XMLInputFactory FACTORY = factory();

  private static final int INPUT_BUFFER = 4 * 1024;

  private static final Map<String, Supplier<XmlFormat>> FORMATS =
      Map.ofEntries(
          Map.entry("test-run", NUnit3::new),
          Map.entry("test-results", NUnit2::new),
          Map.entry("assemblies", XUnitNet::new),
          Map.entry("assembly", XUnitNet::new),
          Map.entry("testng-results", TestNg::new),
          Map.entry("Catch", Catch2::new),
          Map.entry("Catch2TestRun", Catch2::new),
          Map.entry("Site", CTest::new),
          Map.entry("TestLog", BoostTest::new),
          Map.entry("TestResult", BoostTest::new),
          Map.entry("robot", RobotXml::new));

  private XmlReports() {}

  /** Tells what it finds to the sink; a broken file gives what came before the break. */
  public static void read(InputStream in, String file, ReportSink sink) throws IOException {
    try {
      readRoot(FACTORY.createXMLStreamReader(new XmlText(in)), file, sink);
    } catch (XMLStreamException e) {
      breaks(e, file, sink);
    } catch (WstxLazyException e) {
      // What breaks in a text that is read when it is asked for.
      if (!(e.getCause() instanceof XMLStreamException cause)) {
        throw e;
      }
      breaks(cause, file, sink);
    }
  }

  private static void breaks(XMLStreamException e, String file, ReportSink sink)
      throws UnpackedTooMuch {
    if (e.getNestedException() instanceof UnpackedTooMuch tooMuch) {
      throw tooMuch;
    }
    sink.skipped(broken(file, e.getLocation(), e.getMessage()));
  }

  private static void readRoot(XMLStreamReader xml, String file, ReportSink sink)
      throws XMLStreamException {
    while (xml.hasNext()) {
      if (xml.next() == XMLStreamConstants.START_ELEMENT) {
        String root = Texts.localName(xml.getLocalName());
        switch (root) {
          case "testsuites", "testsuite", "testcase" -> {
            sink.isReport(file);
            new JunitXml(xml, file, sink).read();
          }
          case "TestRun" -> new Trx(xml, file, sink).read();
          default -> {
            Supplier<XmlFormat> format = FORMATS.get(root);
            if (format == null) {
              sink.skipped(OtherRoots.find(file, cut(root)));
            } else {
              read(format.get(), new XmlCursor(xml), new RunTeller(file, sink));
            }
          }
        }
        return;
      }
    }
    sink.skipped(Skipped.unreadable(file, 0, "there is no element in it"));
  }

  private static void read(XmlFormat format, XmlCursor xml, RunTeller teller)
      throws XMLStreamException {
    if (format.isKnownByRoot()) {
      teller.isReport();
    }
    format.read(xml, teller);
    teller.ends();
  }

  private static Skipped broken(String file, @Nullable Location at, @Nullable String message) {
    String reason = Texts.clean(Texts.firstLine(message == null ? "not readable" : message));
    int place = reason.indexOf(" at [row,col");
    return Skipped.unreadable(
        file, line(at), "not well-formed: " + cut(place < 0 ? reason : reason.substring(0, place)));
  }

  private static int line(@Nullable Location at) {
    return at == null ? 0 : Math.max(0, at.getLineNumber());
  }

  private static String cut(String text) {
    return text.length() <= 200 ? text : text.substring(0, 199) + "…";
  }

  /** Document types are skipped unread, and {@link XmlText} leaves no entity to resolve. */
  private static XMLInputFactory factory() {
    var factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    factory.setProperty(WstxInputProperties.P_MAX_ELEMENT_DEPTH, Limits.XML_DEPTH);
    factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTES_PER_ELEMENT, Limits.XML_ATTRIBUTES);
    factory.setProperty(WstxInputProperties.P_MAX_ATTRIBUTE_SIZE, Limits.XML_ATTRIBUTE_LENGTH);
    factory.setProperty(WstxInputProperties.P_INPUT_BUFFER_LENGTH, INPUT_BUFFER);
    factory.setProperty(WstxInputProperties.P_ALLOW_XML11_ESCAPED_CHARS_IN_XML10, true);
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("external entities are not read");
        });
    return factory;
  }
}
