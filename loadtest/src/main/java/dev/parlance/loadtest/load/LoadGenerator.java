package dev.parlance.loadtest.load;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Sends load over keep-alive connections from one event loop and checks every answer.
 *
 * <p>In an open loop a slow answer does not delay the requests after it: they fall due on the clock
 * and wait, if they must, with their time running. A generator that only sends after an answer
 * would leave out exactly the requests that a stall hurts (coordinated omission).
 */
public final class LoadGenerator implements AutoCloseable {
  /** One phase uses less than 2^31 ids, so from here it still ends with ten digits. */
  private static final long LAST_START = 7_000_000_000L;

  private final LoadTransport transport = new LoadTransport();
  private long nextId = RequestBytes.FIRST_ID;

  /** {@code epoll} or {@code nio}. */
  public String transportName() {
    return transport.name();
  }

  /**
   * Runs one phase to its end: warm-up, measured window, and at most one time-out more.
   *
   * @throws IOException if a connection could not be opened at the start
   */
  public LoadResult run(LoadPlan plan, List<SampleExchange> exchanges, CpuWatch watch)
      throws IOException, InterruptedException {
    return run(plan, plan.port(), exchanges, watch);
  }

  /**
   * The same through a proxy.
   *
   * @param named the port that requests say they go to
   */
  public synchronized LoadResult run(
      LoadPlan plan, int named, List<SampleExchange> exchanges, CpuWatch watch)
      throws IOException, InterruptedException {
    if (nextId > LAST_START) {
      nextId = RequestBytes.FIRST_ID;
    }
    CompletableFuture<LoadResult> result = new CompletableFuture<>();
    RequestBytes requests = new RequestBytes(exchanges, named, plan.path());
    LoadRun run = new LoadRun(plan, requests, watch, transport, nextId, result);
    transport.loop().execute(run::start);
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw new IOException("load on port " + plan.port() + " failed: " + cause(e), e);
    } finally {
      nextId = run.nextId();
    }
  }

  private static String cause(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause == null ? "unknown" : cause.toString();
  }

  @Override
  public void close() {
    transport.close();
  }
}
