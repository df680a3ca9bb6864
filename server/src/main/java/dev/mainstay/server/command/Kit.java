package dev.mainstay.server.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Things that a command is given besides the facts about its test: variables, some of whose values
 * are secrets and never shown, and the program that it may call as {@code mainstay}.
 */
public record Kit(Map<String, String> variables, Set<String> secrets, List<String> program) {
  public static final Kit NOTHING = new Kit(Map.of(), Set.of(), List.of());
  static final int SHORTEST_SECRET = 6;

  public Kit {
    variables = Map.copyOf(variables);
    secrets = Set.copyOf(secrets);
    program = List.copyOf(program);
  }

  /**
   * The texts that are blotted out of the output: each secret, and each line of one that has
   * several. Very short ones stay, since they would blot out half of everything.
   */
  List<String> blottedOut() {
    var texts = new ArrayList<String>();
    for (String secret : secrets) {
      texts.add(secret.strip());
      secret.lines().map(String::strip).forEach(texts::add);
    }
    return texts.stream().filter(text -> text.length() >= SHORTEST_SECRET).distinct().toList();
  }

  @Override
  public String toString() {
    return "Kit" + variables.keySet();
  }
}
