package dev.mainstay.server.report.xml;

import javax.xml.stream.XMLStreamException;

/** What the reports of .NET have in common. */
final class NetNames {
  private NetNames() {}

  /** The name of an assembly without the folder it was in. */
  static String file(String path) {
    return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  }

  /** The class of {@code Shop.Carts.Adds(1.5)}: what stands before the method. */
  static String className(String test) {
    int arguments = test.indexOf('(');
    int end = test.lastIndexOf('.', arguments < 0 ? test.length() : arguments);
    return end < 0 ? "" : test.substring(0, end);
  }

  static String withoutClass(String test, String className) {
    return !className.isEmpty() && test.startsWith(className + ".")
        ? test.substring(className.length() + 1)
        : test;
  }

  /** The message and the stack of the failure element here. */
  static String[] failure(XmlCursor xml) throws XMLStreamException {
    String[] words = {"", ""};
    xml.children(
        child -> {
          switch (child) {
            case "message" -> words[0] = xml.text();
            case "stack-trace" -> words[1] = xml.text();
            default -> {}
          }
        });
    return words;
  }
}
