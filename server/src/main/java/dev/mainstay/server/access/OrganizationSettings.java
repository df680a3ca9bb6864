package dev.mainstay.server.access;

import java.util.List;
import java.util.Optional;

/**
 * An organization as its own people see it. {@code ticketUrl} is the address of its tickets with
 * {@code {id}} in it; {@code features} are those that the operator has switched on.
 */
public record OrganizationSettings(
    String slug,
    String name,
    Optional<String> ticketUrl,
    int retentionDays,
    List<String> features) {
  public OrganizationSettings {
    features = List.copyOf(features);
  }
}
