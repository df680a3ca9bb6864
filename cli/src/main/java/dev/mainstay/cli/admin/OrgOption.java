package dev.mainstay.cli.admin;

import picocli.CommandLine.Option;

/** The organization that a command is about. */
final class OrgOption {
  @Option(
      names = "--org",
      paramLabel = "SLUG",
      defaultValue = "default",
      description = "The organization (default).")
  private String slug;

  String slug() {
    return slug;
  }
}
