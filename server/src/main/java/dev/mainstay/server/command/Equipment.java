package dev.mainstay.server.command;

import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The equipment of test commands on one node: how they are kept away from it, the address by which
 * they reach it, the command line that starts {@code mainstay} again, and the variables that the
 * operator hands in, which are for commands of one organization alone.
 */
public record Equipment(
    Confinement confinement,
    Optional<URI> server,
    List<String> program,
    String organization,
    Map<String, String> handedIn) {
  /** A variable of the service with this prefix is handed in without it. */
  public static final String PREFIX = "MAINSTAY_TEST_ENV_";

  public static final Equipment NONE =
      new Equipment(Confinement.NONE, Optional.empty(), List.of(), "", Map.of());

  public Equipment {
    program = List.copyOf(program);
    handedIn = Map.copyOf(handedIn);
  }

  /** Those of the service's variables that are meant for test commands, under their own names. */
  public static Map<String, String> handedIn(Map<String, String> environment) {
    return environment.entrySet().stream()
        .filter(e -> e.getKey().startsWith(PREFIX) && e.getKey().length() > PREFIX.length())
        .collect(Collectors.toMap(e -> e.getKey().substring(PREFIX.length()), Map.Entry::getValue));
  }

  /** The kit of a command of an organization, with a key by which it sends its results. */
  public Kit kit(String of, String key) {
    if (server.isEmpty()) {
      return Kit.NOTHING;
    }
    var variables = new HashMap<String, String>();
    if (of.equals(organization)) {
      variables.putAll(handedIn);
    }
    var secrets = new HashSet<>(variables.values());
    secrets.add(key);
    variables.put("MAINSTAY_URL", server.get().toString());
    variables.put("MAINSTAY_API_TOKEN", key);
    return new Kit(variables, secrets, program);
  }

  @Override
  public String toString() {
    return "Equipment[%s, %s]".formatted(server, handedIn.keySet());
  }
}
