package dev.parlance.control.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that begin the same work at the same moment. */
final class Crew {
  private static final int PATIENCE_S = 120;

  private Crew() {}

  /** Runs the tasks at once, one thread each; their results, in their order. */
  static <T> List<T> run(List<? extends Callable<T>> tasks) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(tasks.size());
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> task : tasks) {
        futures.add(
            threads.submit(() -> {
              ready.countDown();
              ready.await();
              return task.call();
            }));
      }
      try {
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
          results.add(future.get(PATIENCE_S, TimeUnit.SECONDS));
        }
        return results;
      } catch (ExecutionException e) {
        throw new AssertionError("a thread of the crew failed", e.getCause());
      } catch (TimeoutException e) {
        throw new AssertionError("a thread of the crew did not end", e);
      } finally {
        threads.shutdownNow();
      }
    }
  }
}
