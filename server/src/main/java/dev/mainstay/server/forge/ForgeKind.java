package dev.mainstay.server.forge;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A kind of forge: how its addresses are written, how a repository of it is opened, how its hooks
 * call. The wiring lists the kinds there are; nobody else knows one by name.
 */
public interface ForgeKind {
  /** An address that a user gave, read. */
  sealed interface Given {
    /**
     * A good address: the place that anybody may read, the host that it is on, and the credentials
     * that were part of it.
     */
    record Address(String location, String host, Optional<Credentials> credentials)
        implements Given {}

    /** The fault of the address, as a sentence for that user. */
    record Fault(String sentence) implements Given {}
  }

  /** True where an address is surely one of this kind; the host may be asked. */
  default boolean answersAt(String address) {
    return false;
  }

  /** The name of the kind, as it is stored with a connection. */
  String name();

  Given read(String address);

  /**
   * Opens the repository at a location that {@link #read} gave, and asks it nothing yet. The
   * credentials are asked for at each use, since they may be other ones by then.
   */
  Forge open(String location, Supplier<Optional<Credentials>> credentials);

  /** The name of the copies of a repository on this node's disk, where this kind keeps any. */
  default Optional<String> copyName(String location) {
    return Optional.empty();
  }

  /**
   * True where a check of ours on a head has a say in what people may do with it: queues write none
   * there until somebody asks for it.
   */
  default boolean checksInterfere() {
    return false;
  }

  /** Removes copies that nobody uses and that have none of these names. */
  default void sweep(Set<String> copyNames) {}

  /**
   * The token by which the caller of a hook proves which connection it speaks of; empty where these
   * parameters hold none. A call says that something moved: what, the repository itself is asked.
   */
  default Optional<String> hookToken(Map<String, String> parameters) {
    return Optional.empty();
  }

  /** The claim of a signed call; empty where it holds none that could be proven. */
  default Optional<HookClaim> claim(HookCall call) {
    return Optional.empty();
  }

  /** The button that a proven call tells of; there is no other way to hear of it. */
  default Optional<ButtonPress> pressed(HookCall call) {
    return Optional.empty();
  }
}
