package dev.mainstay.server.platform.http;

/**
 * The memory for what clients send and are sent: for bytes on their way in or out, and for what is
 * made of JSON. These are two, so that nobody who holds bytes waits for others that do. Bodies of
 * callers who have proven nothing yet, as those of hooks, have a little of their own.
 */
public final class Memory {
  /** What is made of one body may be this many times the budget, and then is alone. */
  private static final int MOST_FOR_ONE = 2;

  private final Budget bodies;
  private final Budget strangers;
  private final Budget trees;

  Memory(long heapBytes) {
    bodies = new Budget(heapBytes / 4);
    strangers = new Budget(heapBytes / 16);
    trees = new Budget(heapBytes / 4);
  }

  public static Memory ofProcess() {
    return new Memory(Runtime.getRuntime().maxMemory());
  }

  Budget answers() {
    return bodies;
  }

  Budget bodiesOf(boolean proven) {
    return proven ? bodies : strangers;
  }

  /** Room for what is made of a JSON text, or an error that says what to do. */
  Budget.Room forTree(long weight) {
    if (weight > MOST_FOR_ONE * trees.bytes()) {
      throw ApiError.of(
          413,
          "body_too_large",
          "The body holds so many values that this server has not the memory for them: send them in"
              + " several requests.");
    }
    return trees.take(weight);
  }

  /** What is free of the room for bodies and answers, and for what is made of JSON. */
  public long freeForBodies() {
    return bodies.freeBytes();
  }

  public long freeForTrees() {
    return trees.freeBytes();
  }
}
