package dev.parlance.service.testing;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Every buffer that is open now, and where it was made. Unlike Netty's own detector this one does
 * not wait for the garbage collector: a buffer that nobody released is known at once.
 */
final class OpenBuffers {
  private static final AtomicLong SEQUENCE = new AtomicLong();
  private static final Set<Tracker<?>> OPEN = ConcurrentHashMap.newKeySet();

  private OpenBuffers() {}

  /** Makes Netty use this detector; classes that were loaded before keep the one they have. */
  static void install() {
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
  }

  /** A point in time, as far as allocations are concerned. */
  static long mark() {
    return SEQUENCE.get();
  }

  /** Where the buffers were made that were made since the mark and are still open, oldest first. */
  static List<Throwable> openSince(long mark) {
    return OPEN.stream()
        .filter(tracker -> tracker.sequence > mark)
        .sorted(Comparator.comparingLong((Tracker<?> tracker) -> tracker.sequence))
        .<Throwable>map(tracker -> tracker.made)
        .filter(made -> !isConstant(made))
        .toList();
  }

  /** Buffers of static initialisers live as long as their class. */
  private static boolean isConstant(Throwable made) {
    for (StackTraceElement frame : made.getStackTrace()) {
      if (frame.getMethodName().equals("<clinit>")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Where a buffer was made. The frames get their names when somebody asks, which is dear, and done
   * for those alone that are open at a check.
   */
  private static final class Made extends Throwable {
    private static final long serialVersionUID = 1L;

    Made() {
      super("a buffer made on " + Thread.currentThread().getName());
    }
  }

  private static final class Tracker<T> implements ResourceLeakTracker<T> {
    private final long sequence = SEQUENCE.incrementAndGet();
    private final Made made;

    Tracker(Made made) {
      this.made = made;
    }

    @Override
    public void record() {}

    @Override
    public void record(Object hint) {}

    @Override
    public boolean close(T trackedObject) {
      return OPEN.remove(this);
    }
  }

  private static final class Detector<T> extends ResourceLeakDetector<T> {
    Detector(Class<?> resource) {
      super(resource, 1);
    }

    @Override
    public ResourceLeakTracker<T> track(T resource) {
      return trackForcibly(resource);
    }

    @Override
    public ResourceLeakTracker<T> trackForcibly(T resource) {
      Tracker<T> tracker = new Tracker<>(new Made());
      OPEN.add(tracker);
      return tracker;
    }
  }

  private static final class Factory extends ResourceLeakDetectorFactory {
    @Override
    @SuppressWarnings("deprecation") // Netty declares the method abstract and deprecated at once.
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
        Class<T> resource, int samplingInterval, long maxActive) {
      return new Detector<>(resource);
    }

    @Override
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
        Class<T> resource, int samplingInterval) {
      return new Detector<>(resource);
    }
  }
}
