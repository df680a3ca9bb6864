package dev.mainstay.server.queue.store;

/** What the forge says of a pull request that decides nothing; empty where it said nothing. */
public record Caption(String title, String author, String url) {
  public static final Caption NOTHING = new Caption("", "", "");
}
