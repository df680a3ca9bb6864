package dev.mainstay.server.forge;

import dev.mainstay.server.platform.Network;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses at which repositories and their hosts may be asked. Whoever may connect a
 * repository has this node ask what he cannot reach himself: never what only this machine and its
 * cloud may know, nor the node's own ports. Private networks are open unless the operator closed
 * them all but some.
 */
public final class Networks {
  /** Link-local addresses, and those where clouds tell a machine its secrets. */
  private static final List<Network> NEVER =
      all(
          "169.254.0.0/16",
          "fe80::/10",
          "fd00:ec2::254",
          "100.100.100.200",
          "168.63.129.16",
          "192.0.0.192",
          "224.0.0.0/4",
          "255.255.255.255",
          "ff00::/8");

  private static final List<Network> PRIVATE =
      all(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "198.18.0.0/15",
          "::/128",
          "::1",
          "fc00::/7",
          "fec0::/10");

  /** Addresses of the new kind that end in one of the old kind, which is meant. */
  private static final List<Network> WRAPPING = all("::/96", "64:ff9b::/96");

  /** Numbers that are read as an address by some, and by others as another one. */
  private static final Pattern NUMERIC =
      Pattern.compile("(?:0[xX][0-9a-fA-F]*|\\d+)(?:\\.(?:0[xX][0-9a-fA-F]*|\\d+)){0,3}\\.?");

  private static final Pattern PLAIN = Pattern.compile("(?:(?:0|[1-9]\\d{0,2})(?:\\.(?!$)|$)){4}");

  private static final Pattern AUTHORITY =
      Pattern.compile("(?:[^@]*@)?(\\[[^\\[\\]@]+]|[^:@\\[\\]]+)(?::(\\d{1,5}))?");

  private final Optional<List<Network>> open;
  private final Set<Own> own = ConcurrentHashMap.newKeySet();

  private record Own(InetAddress address, int port) {}

  private Networks(Optional<List<Network>> open) {
    this.open = open;
  }

  /** Private networks are open. */
  public static Networks usual() {
    return new Networks(Optional.empty());
  }

  /**
   * Of private networks, only these are open, with commas between them; or {@code none}. Refuses
   * what are no networks by an IllegalArgumentException.
   */
  public static Networks closedBut(String list) {
    return new Networks(Optional.of(list.equals("none") ? List.of() : Network.list(list)));
  }

  private static List<Network> all(String... networks) {
    return Arrays.stream(networks).map(Network::parse).toList();
  }

  /**
   * Something of ours listens there: nobody is sent to it. A name that is not known matters not.
   */
  public void own(String host, int port) {
    resolved(host).forEach(address -> own.add(new Own(address, port)));
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
    return new Place(host, port, allowedAddresses(host, port));
  }

  private List<InetAddress> allowedAddresses(String host, int port) {
    String name = host.replaceAll("^\\[|]$", "");
    if (NUMERIC.matcher(name).matches() && !PLAIN.matcher(name).matches()) {
      throw new ForgeUnavailable(
          "%s is not asked: write an address as four plain numbers, such as 192.0.2.1."
              .formatted(host));
    }
    List<InetAddress> found = resolved(name);
    found.forEach(address -> check(host, meant(address), port));
    return found;
  }

  private static List<InetAddress> resolved(String name) {
    try {
      return List.of(InetAddress.getAllByName(name));
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  private static InetAddress meant(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean wraps =
        WRAPPING.stream().anyMatch(n -> n.holds(address))
            && !address.isAnyLocalAddress()
            && !address.isLoopbackAddress();
    try {
      return wraps ? InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16)) : address;
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private void check(String host, InetAddress address, int port) {
    if (NEVER.stream().anyMatch(n -> n.holds(address))) {
      throw new ForgeUnavailable(
          "%s is not asked: it stands for an address that belongs to one machine or its cloud."
              .formatted(host));
    }
    if (own.stream().anyMatch(o -> o.port() == port && isSame(o.address(), address))) {
      throw new ForgeUnavailable(
          "%s is not asked at port %d: this service itself listens there.".formatted(host, port));
    }
    boolean closed =
        open.isPresent()
            && PRIVATE.stream().anyMatch(n -> n.holds(address))
            && open.get().stream().noneMatch(n -> n.holds(address));
    if (closed) {
      throw new ForgeUnavailable(
          "%s is not asked: it is in a private network that MAINSTAY_GIT_NETWORKS does not name."
              .formatted(host));
    }
  }

  /** All addresses of this machine lead to whatever listens on all of them. */
  private static boolean isSame(InetAddress own, InetAddress asked) {
    return own.equals(asked) || (isHere(own) && isHere(asked));
  }

  private static boolean isHere(InetAddress address) {
    try {
      return address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }
}
