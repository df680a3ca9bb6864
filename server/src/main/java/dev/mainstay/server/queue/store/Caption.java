package dev.mainstay.server.queue.store;

/**
 * The caption of a pull request, which decides nothing; texts are empty where the forge gave none.
 */
public record Caption(String title, String author, String url) {
  public static final Caption NOTHING = new Caption("", "", "");
}
