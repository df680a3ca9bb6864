package dev.mainstay.server.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The versions that the build wrote into the jar. */
public final class BuildInfo {
  private static final Properties PROPERTIES = load();

  private BuildInfo() {}

  public static String version() {
    return PROPERTIES.getProperty("version");
  }

  /** The version of the PostgreSQL carried inside the jar. */
  public static String postgresVersion() {
    return PROPERTIES.getProperty("postgres.version");
  }

  private static Properties load() {
    var properties = new Properties();
    try (InputStream file = BuildInfo.class.getResourceAsStream("/mainstay-build.properties")) {
      properties.load(Objects.requireNonNull(file));
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
