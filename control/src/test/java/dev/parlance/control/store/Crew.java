package dev.parlance.control.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Threads that begin the same work at the same moment. */
final class Crew {
  private static final int PATIENCE_S = 240;

  private Crew() {}

  /**
   * Runs the tasks at once, one thread each; their results, in no order. If one fails the others
   * are interrupted: whoever loops asks {@link #goesOn}.
   */
  static <T> List<T> run(List<? extends Callable<T>> tasks) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(tasks.size());
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      ExecutorCompletionService<T> done = new ExecutorCompletionService<>(threads);
      for (Callable<T> task : tasks) {
        Future<T> _ =
            done.submit(() -> {
              ready.countDown();
              ready.await();
              return task.call();
            });
      }
      try {
        List<T> results = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
          @Nullable Future<T> next = done.poll(PATIENCE_S, TimeUnit.SECONDS);
          if (next == null) {
            throw new AssertionError("a thread of the crew did not end");
          }
          results.add(next.get());
        }
        return results;
      } catch (ExecutionException e) {
        throw new AssertionError("a thread of the crew failed", e.getCause());
      } finally {
        threads.shutdownNow();
      }
    }
  }

  /** False once another thread has failed. */
  static boolean goesOn() {
    return !Thread.currentThread().isInterrupted();
  }
}
