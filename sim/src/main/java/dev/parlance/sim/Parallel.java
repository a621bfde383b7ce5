package dev.parlance.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Computes numbered pieces on several threads and hands them over in order, on the caller's thread.
 * So what is made of them does not depend on the number of threads.
 */
public final class Parallel {
  private static final int AHEAD_PER_THREAD = 4;

  private Parallel() {}

  /** Computes a piece; called on any thread. */
  @FunctionalInterface
  public interface Piece<T> {
    T compute(int number);
  }

  /** Takes a piece; called on the caller's thread, in order. */
  @FunctionalInterface
  public interface Consumer<T, E extends Exception> {
    void take(int number, T piece) throws E;
  }

  /**
   * Computes pieces 0 to count - 1, only a few ahead of the one that is taken.
   *
   * @throws CancellationException if the caller is interrupted
   */
  public static <T, E extends Exception> void inOrder(
      int count, int threads, Piece<T> piece, Consumer<T, E> consumer) throws E {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon(true).name("simulation-", 0).factory());
    try {
      Deque<Future<T>> ahead = new ArrayDeque<>();
      int next = 0;
      for (int number = 0; number < count; number++) {
        for (; next < count && ahead.size() < AHEAD_PER_THREAD * threads; next++) {
          int started = next;
          ahead.add(pool.submit(() -> piece.compute(started)));
        }
        consumer.take(number, await(ahead.removeFirst()));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      CancellationException cancelled = new CancellationException("interrupted");
      cancelled.initCause(e);
      throw cancelled;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a piece of the simulation failed", e.getCause());
    }
  }
}
