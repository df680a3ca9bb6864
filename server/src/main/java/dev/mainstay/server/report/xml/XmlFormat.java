package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.RunTeller;
import javax.xml.stream.XMLStreamException;

/** Reads one kind of report. */
interface XmlFormat {
  /** Reads from the root element, at which the cursor is. */
  void read(XmlCursor xml, RunTeller teller) throws XMLStreamException;

  /** False where others use the same root: the reader then tells whether it is a report. */
  default boolean isKnownByRoot() {
    return true;
  }
}
