package dev.mainstay.server.platform;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The addresses that this node goes to for others. Whoever names an address has the node ask what
 * he cannot reach himself: never what only this machine and its cloud may know, nor the node's own
 * ports. Private networks are open as the operator says.
 */
public final class OpenNetworks {
  /** Link-local addresses, and those where clouds tell a machine its secrets. */
  private static final List<Network> NEVER =
      parsed(
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
      parsed(
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
          "fec0::/10",
          "64:ff9b:1::/48");

  /** Addresses of the new kind that hold one of the old kind, which is meant, from this byte on. */
  private static final Map<Network, Integer> WRAPPING =
      Map.of(
          Network.parse("::/96"),
          12,
          Network.parse("64:ff9b::/96"),
          12,
          Network.parse("2002::/16"),
          2);

  /** Addresses that hold one of the old kind with all its bits turned over. */
  private static final Network TEREDO = Network.parse("2001::/32");

  /** Numbers that are read as an address by some, and by others as another one. */
  private static final Pattern NUMERIC =
      Pattern.compile("(?:0[xX][0-9a-fA-F]*|\\d+)(?:\\.(?:0[xX][0-9a-fA-F]*|\\d+)){0,3}\\.?");

  private static final Pattern PLAIN = Pattern.compile("(?:(?:0|[1-9]\\d{0,2})(?:\\.(?!$)|$)){4}");

  private final String variable;
  private final Optional<List<Network>> open;
  private final Set<Own> own = ConcurrentHashMap.newKeySet();

  private record Own(InetAddress address, int port) {}

  private OpenNetworks(String variable, Optional<List<Network>> open) {
    this.variable = variable;
    this.open = open;
  }

  /** Private networks are open; the variable is the one by which an operator closes them. */
  public static OpenNetworks all(String variable) {
    return new OpenNetworks(variable, Optional.empty());
  }

  /** Of private networks, only these are open, which the variable names. */
  public static OpenNetworks closedBut(String variable, List<Network> open) {
    return new OpenNetworks(variable, Optional.of(open));
  }

  private static List<Network> parsed(String... networks) {
    return Arrays.stream(networks).map(Network::parse).toList();
  }

  /**
   * Something of ours listens there: nobody is sent to it. A name that is not known matters not.
   */
  public void own(String host, int port) {
    resolved(host).forEach(address -> own.add(new Own(address, port)));
  }

  /**
   * The addresses that a host stands for, none where nobody here knows it; or a sentence that says
   * why it is not asked, which one forbidden address among others is enough for.
   */
  public record Found(List<InetAddress> addresses, Optional<String> fault) {
    public Found {
      addresses = List.copyOf(addresses);
    }
  }

  /** What a host stands for; without a port, nothing is known of the node's own. */
  public Found look(String host, OptionalInt port) {
    String name = host.replaceAll("^\\[|]$", "");
    if (NUMERIC.matcher(name).matches() && !PLAIN.matcher(name).matches()) {
      return new Found(
          List.of(),
          Optional.of(
              "%s is not asked: write an address as four plain numbers, such as 192.0.2.1."
                  .formatted(host)));
    }
    List<InetAddress> found = resolved(name);
    Optional<String> fault =
        found.stream().flatMap(address -> fault(host, meant(address), port).stream()).findFirst();
    return new Found(fault.isPresent() ? List.of() : found, fault);
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
    if (TEREDO.holds(address)) {
      byte[] turned = Arrays.copyOfRange(bytes, 12, 16);
      for (int i = 0; i < turned.length; i++) {
        turned[i] = (byte) ~turned[i];
      }
      return address(turned);
    }
    boolean plain = address.isAnyLocalAddress() || address.isLoopbackAddress();
    return WRAPPING.entrySet().stream()
        .filter(wrapping -> !plain && wrapping.getKey().holds(address))
        .map(Map.Entry::getValue)
        .map(from -> address(Arrays.copyOfRange(bytes, from, from + 4)))
        .findFirst()
        .orElse(address);
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private Optional<String> fault(String host, InetAddress address, OptionalInt port) {
    if (NEVER.stream().anyMatch(n -> n.holds(address))) {
      return Optional.of(
          "%s is not asked: it stands for an address that belongs to one machine or its cloud."
              .formatted(host));
    }
    if (port.isPresent()
        && own.stream()
            .anyMatch(o -> o.port() == port.getAsInt() && isSame(o.address(), address))) {
      return Optional.of(
          "%s is not asked at port %d: this service itself listens there."
              .formatted(host, port.getAsInt()));
    }
    boolean closed =
        open.isPresent()
            && (isHere(address) || PRIVATE.stream().anyMatch(n -> n.holds(address)))
            && open.get().stream().noneMatch(n -> n.holds(address));
    return closed
        ? Optional.of(
            "%s is not asked: it is in a private network that %s does not name."
                .formatted(host, variable))
        : Optional.empty();
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
