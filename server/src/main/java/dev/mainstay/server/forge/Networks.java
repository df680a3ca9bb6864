package dev.mainstay.server.forge;

import dev.mainstay.server.platform.Network;
import dev.mainstay.server.platform.OpenNetworks;
import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses at which repositories and their hosts may be asked. Private networks are open
 * unless the operator closed them all but some.
 */
public final class Networks {
  private static final String VARIABLE = "MAINSTAY_GIT_NETWORKS";

  private static final Pattern AUTHORITY =
      Pattern.compile("(?:[^@]*@)?(\\[[^\\[\\]@]+]|[^:@\\[\\]]+)(?::(\\d{1,5}))?");

  private final OpenNetworks networks;

  private Networks(OpenNetworks networks) {
    this.networks = networks;
  }

  /** Private networks are open. */
  public static Networks usual() {
    return new Networks(OpenNetworks.all(VARIABLE));
  }

  /**
   * Of private networks, only these are open, with commas between them; or {@code none}. Refuses
   * what are no networks by an IllegalArgumentException.
   */
  public static Networks closedBut(String list) {
    return new Networks(
        OpenNetworks.closedBut(VARIABLE, list.equals("none") ? List.of() : Network.list(list)));
  }

  /**
   * Something of ours listens there: nobody is sent to it. A name that is not known matters not.
   */
  public void own(String host, int port) {
    networks.own(host, port);
  }

  /**
   * A host, a port, and the addresses that the host stands for; none where nobody here knows it.
   */
  public record Place(String host, int port, List<InetAddress> addresses) {}

  /**
   * The place that {@code host:port} stands for. One that may not be asked is a {@link
   * ForgeUnavailable}, and so is a name that stands for one among others.
   */
  public Place allowed(String authority, int usualPort) {
    Matcher parts = AUTHORITY.matcher(authority);
    if (!parts.matches()) {
      throw new ForgeUnavailable("%s is not asked: it names no host.".formatted(authority));
    }
    String host = parts.group(1);
    int port = parts.group(2) == null ? usualPort : Integer.parseInt(parts.group(2));
    OpenNetworks.Found found = networks.look(host, OptionalInt.of(port));
    if (found.fault().isPresent()) {
      throw new ForgeUnavailable(found.fault().get());
    }
    return new Place(host, port, found.addresses());
  }
}
