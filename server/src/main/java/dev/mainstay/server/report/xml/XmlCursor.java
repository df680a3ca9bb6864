package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.FailureCount;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.TextCapture;
import dev.mainstay.server.report.Texts;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** An element of an XML document that is read once. What a reader leaves is passed over. */
final class XmlCursor {
  private final XMLStreamReader xml;
  private final TextCapture text = new TextCapture(Limits.STACK_LENGTH);
  private int depth;

  /** At the root element. */
  XmlCursor(XMLStreamReader xml) {
    this.xml = xml;
    this.depth = 1;
  }

  /** Takes a child by its name, with the cursor at it. */
  interface Visit {
    void child(String name) throws XMLStreamException;
  }

  /** Visits the children of the element here, up to its end. */
  void children(Visit visit) throws XMLStreamException {
    int own = depth;
    while (depth >= own) {
      if (next() == XMLStreamConstants.START_ELEMENT) {
        visit.child(Texts.localName(xml.getLocalName()));
        while (depth > own) {
          next();
        }
      }
    }
  }

  /** All text in the element here, up to its end, cut in the middle where it is long. */
  String text() throws XMLStreamException {
    int own = depth;
    while (depth >= own) {
      int event = next();
      if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA) {
        text.append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
      }
    }
    return text.take();
  }

  /** The text of the element here without that of its children, up to its end. */
  String ownText() throws XMLStreamException {
    int own = depth;
    while (depth >= own) {
      int event = next();
      boolean isText = event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA;
      if (isText && depth == own) {
        text.append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
      }
    }
    return text.take();
  }

  /** The value of an attribute; empty where there is none. */
  String attribute(String name) {
    @Nullable String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  /** A count; 0 where there is none. */
  long count(String attribute) {
    return FailureCount.number(attribute(attribute));
  }

  private int next() throws XMLStreamException {
    int event = xml.next();
    if (event == XMLStreamConstants.START_ELEMENT) {
      depth++;
    } else if (event == XMLStreamConstants.END_ELEMENT) {
      depth--;
    }
    return event;
  }
}
