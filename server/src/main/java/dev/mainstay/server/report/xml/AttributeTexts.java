package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.ReportTimes;
import java.util.Arrays;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.XMLStreamReader2;
import org.codehaus.stax2.typed.TypedValueDecoder;

/**
 * The values of attributes. A parser that is asked for one makes a text of all values of its
 * element first; here each is made of its characters, and one that is as the time before is not
 * made again.
 */
final class AttributeTexts extends TypedValueDecoder {
  private final XMLStreamReader2 xml;
  private char[] chars = new char[0];
  private int from;
  private int to;

  AttributeTexts(XMLStreamReader xml) {
    this.xml = (XMLStreamReader2) xml;
  }

  /** A value that is often the same as before. */
  static final class Recent {
    private char[] chars = new char[0];
    private String text = "";
  }

  String text(int index) throws XMLStreamException {
    return isWhole(index) ? new String(chars, from, to - from) : xml.getAttributeValue(index);
  }

  String text(int index, Recent recent) throws XMLStreamException {
    if (!isWhole(index)) {
      return xml.getAttributeValue(index);
    }
    if (!Arrays.equals(chars, from, to, recent.chars, 0, recent.chars.length)) {
      recent.chars = Arrays.copyOfRange(chars, from, to);
      recent.text = new String(recent.chars);
    }
    return recent.text;
  }

  /** A duration, around which blanks mean nothing. */
  int durationMillis(int index) throws XMLStreamException {
    xml.getAttributeAs(index, this);
    return ReportTimes.durationMillis(chars, from, to);
  }

  /** False where blanks may be around the characters, which the parser leaves out. */
  private boolean isWhole(int index) throws XMLStreamException {
    xml.getAttributeAs(index, this);
    return from < to
        && (from == 0 || chars[from - 1] > ' ')
        && (to == chars.length || chars[to] > ' ');
  }

  @Override
  public void decode(char[] buffer, int start, int end) {
    chars = buffer;
    from = start;
    to = end;
  }

  @Override
  public void decode(String value) {
    handleEmptyValue();
  }

  @Override
  public void handleEmptyValue() {
    from = 0;
    to = 0;
  }
}
