package dev.mainstay.server.queue;

/** What the forge says of a pull request that decides nothing; empty where it said nothing. */
record About(String title, String author, String url) {
  static final About NOTHING = new About("", "", "");
}
