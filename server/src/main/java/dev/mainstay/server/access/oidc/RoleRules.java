package dev.mainstay.server.access.oidc;

import dev.mainstay.server.access.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which values of a claim give which role, written {@code admin=ops,member=eng,viewer=*}: whoever
 * has several gets the highest, and {@code *} is everybody whom the provider signs in. The claim is
 * a text or a list of texts, by its whole name or by a path with dots.
 */
public record RoleRules(String claim, List<Rule> rules) {
  private static final String EVERYBODY = "*";

  /** One value, and the role of those who have it. */
  public record Rule(Role role, String value) {}

  public RoleRules {
    rules = List.copyOf(rules);
  }

  /** Throws {@link IllegalArgumentException} where a text says no rules. */
  public static List<Rule> read(String text) {
    var rules = new ArrayList<Rule>();
    for (String one : text.split(",", -1)) {
      String[] parts = one.strip().split("=", 2);
      if (parts.length < 2 || parts[1].isBlank()) {
        throw new IllegalArgumentException("no rule: " + one);
      }
      Role role = Role.of(parts[0].strip()).orElseThrow(IllegalArgumentException::new);
      rules.add(new Rule(role, parts[1].strip()));
    }
    return rules;
  }

  Optional<Role> role(Map<String, ?> claims) {
    List<String> values = values(claims);
    return rules.stream()
        .filter(rule -> rule.value().equals(EVERYBODY) || values.contains(rule.value()))
        .map(Rule::role)
        .max(Role::compareTo);
  }

  private List<String> values(Map<String, ?> claims) {
    Object found =
        claims.containsKey(claim)
            ? claims.get(claim)
            : descend(claims, Arrays.asList(claim.split("\\.", -1)));
    Stream<?> all = found instanceof Collection<?> list ? list.stream() : Stream.ofNullable(found);
    return all.filter(String.class::isInstance).map(String.class::cast).toList();
  }

  private static @Nullable Object descend(Map<String, ?> claims, List<String> path) {
    Object at = claims;
    for (String name : path) {
      if (!(at instanceof Map<?, ?> map)) {
        return null;
      }
      at = map.get(name);
    }
    return at;
  }
}
