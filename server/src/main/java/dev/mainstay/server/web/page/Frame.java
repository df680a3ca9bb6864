package dev.mainstay.server.web.page;

import java.util.List;
import java.util.Optional;

/**
 * What every page has around its content. Nothing in it is one visitor's own: visitors of the same
 * organization with the same rights share what is drawn. {@code live} is the address of the stream
 * that the page follows.
 */
public record Frame(
    String title,
    String organization,
    Address address,
    List<Crumb> crumbs,
    List<Tab> tabs,
    Rights rights,
    boolean openWire,
    Optional<String> live,
    String formToken,
    Optional<String> notice,
    Assets assets) {

  public record Crumb(String text, String href) {}

  public record Tab(String text, String href, boolean here) {}

  /** Rights of the reader, which decide the actions that a page offers. */
  public record Rights(boolean signedIn, boolean queue, boolean admin) {
    static final Rights NONE = new Rights(false, false, false);
  }

  /** The frame of a page that shows nothing of any organization. */
  public static Frame bare(String title, Assets assets) {
    return bare(title, List.of(), assets);
  }

  static Frame bare(String title, List<Crumb> crumbs, Assets assets) {
    return new Frame(
        title,
        "",
        new Address(""),
        crumbs,
        List.of(),
        Rights.NONE,
        false,
        Optional.empty(),
        "",
        Optional.empty(),
        assets);
  }
}
