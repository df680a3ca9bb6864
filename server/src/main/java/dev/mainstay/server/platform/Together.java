package dev.mainstay.server.platform;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Questions that come at the same moment, asked as one: whoever comes while one is asked shares the
 * next. An answer is never older than its question.
 */
public final class Together<K, V> {
  /** Threads of the system: a virtual one would be told of each answer by yet another thread. */
  private static final Executor THREADS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("together").factory());

  private final Function<Set<K>, Map<K, V>> ask;
  private final Semaphore turn = new Semaphore(1);
  private Round<K, V> next = new Round<>();

  private static final class Round<K, V> {
    final Set<K> keys = new LinkedHashSet<>();
    final CompletableFuture<Map<K, V>> answers = new CompletableFuture<>();
  }

  /** {@code ask} finds the values of these keys, as far as they have any. */
  public Together(Function<Set<K>, Map<K, V>> ask) {
    this.ask = ask;
  }

  public Optional<V> find(K key) {
    Round<K, V> round;
    boolean leads;
    synchronized (this) {
      round = next;
      leads = round.keys.isEmpty();
      round.keys.add(key);
    }
    if (leads) {
      THREADS.execute(() -> askInTurn(round));
    }
    return Optional.ofNullable(answers(round).get(key));
  }

  private void askInTurn(Round<K, V> round) {
    turn.acquireUninterruptibly();
    try {
      ask(round);
    } finally {
      turn.release();
    }
  }

  /** From here on, whoever comes is of the next round. */
  private synchronized void close() {
    next = new Round<>();
  }

  private void ask(Round<K, V> round) {
    close();
    try {
      round.answers.complete(ask.apply(round.keys));
    } catch (RuntimeException | Error fault) {
      LastWords.ifFatal(fault);
      round.answers.completeExceptionally(fault);
    }
  }

  private static <K, V> Map<K, V> answers(Round<K, V> round) {
    try {
      return round.answers.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException fault) {
        throw fault;
      }
      throw e;
    }
  }
}
