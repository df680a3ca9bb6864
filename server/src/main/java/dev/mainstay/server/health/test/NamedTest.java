package dev.mainstay.server.health.test;

import java.util.List;

/** A test by its id and by its names. */
public record NamedTest(
    String id, String name, String parent, String className, String file, String variant) {

  public List<String> names() {
    return List.of(name, parent, className, file, variant);
  }

  public List<String> namesWithoutFile() {
    return List.of(name, parent, className, variant);
  }
}
