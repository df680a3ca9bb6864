package dev.mainstay.server.forge;

/** The credentials of a connection, in the form that its kind gave them. Never printed. */
public record Credentials(String text) {
  @Override
  public String toString() {
    return "(kept secret)";
  }
}
