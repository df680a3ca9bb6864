/** Reports in XML. {@code XmlReports} is the table of what is known, by its root element. */
package dev.mainstay.server.report.xml;
