package dev.parlance.control.testing;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A sidecar that attaches to the next replica whenever its stream ends. */
public final class Roamer implements AutoCloseable {
  private static final int BACK_OFF_MS = 100;

  private final AtomicReference<FakeSidecar> now;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread thread;

  /**
   * Attaches.
   *
   * @param ports listeners to try in turn; asked anew each time
   */
  public Roamer(Supplier<List<Integer>> ports, String token, String agent, FakeSidecar.Mind mind) {
    now = new AtomicReference<>(FakeSidecar.attach(ports.get().getFirst(), token, agent, mind));
    thread =
        Thread.ofPlatform()
            .daemon(true)
            .name("roamer-" + agent)
            .start(() -> {
              for (int turn = 1; !closed.get(); turn++) {
                FakeSidecar here = now.get();
                here.ended.join();
                here.close();
                if (!closed.get()) {
                  pause();
                  List<Integer> known = ports.get();
                  now.set(FakeSidecar.attach(known.get(turn % known.size()), token, agent, mind));
                  if (closed.get()) {
                    now.get().close();
                  }
                }
              }
            });
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(BACK_OFF_MS); // a sidecar's back-off, not a wait for a result
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** The sidecar as it is attached now. */
  public FakeSidecar sidecar() {
    return now.get();
  }

  @Override
  public void close() {
    closed.set(true);
    now.get().close();
    try {
      if (!thread.join(java.time.Duration.ofSeconds(10))) {
        throw new IllegalStateException("the roamer does not end");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
