package dev.parlance.wire.bytes;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pool of the arrays of one thread, by size: {@value #SMALLEST} elements, half as many more,
 * twice as many, and so on to {@value #LARGEST}. What is larger is made new and dropped, and so is
 * what comes back while {@value #MOST_BYTES} bytes, or a sixty-fourth of the heap, are kept
 * already.
 *
 * <p>Where buffers are watched for leaks at every access, as in tests, what comes back is written
 * over, so that who still reads it reads nonsense that no message holds; and what was written to
 * meanwhile is found when it is taken again.
 */
public final class ArrayPool {
  /** Elements of the smallest arrays. */
  public static final int SMALLEST = 512;

  /** Elements of the largest arrays that are kept. */
  public static final int LARGEST = 256 * 1024;

  /** Most bytes kept for each thread, however large the heap is. */
  public static final int MOST_BYTES = 2 * 1024 * 1024;

  /** No byte of UTF-8, and no place in a body. */
  private static final byte POISON = (byte) 0xff;

  private static final int POISON_INT = 0xf0f0f0f0;

  private static final boolean POISONED =
      ResourceLeakDetector.getLevel() == ResourceLeakDetector.Level.PARANOID;

  private static final FastThreadLocal<ArrayPool> OF_THREAD =
      new FastThreadLocal<>() {
        @Override
        protected ArrayPool initialValue() {
          return new ArrayPool(POISONED);
        }
      };

  private static final int SHARE_OF_HEAP = 64;

  private final Thread owner = Thread.currentThread();
  private final boolean poisoned;
  private final List<ArrayDeque<byte[]>> bytes = shelves();
  private final List<ArrayDeque<int[]>> ints = shelves();
  private final long mostBytes =
      Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  private int keptBytes;

  /**
   * An empty one, of the thread that makes it.
   *
   * @param poisoned true if what comes back is written over
   */
  public ArrayPool(boolean poisoned) {
    this.poisoned = poisoned;
  }

  static ArrayPool ofThread() {
    return OF_THREAD.get();
  }

  private static <T> List<ArrayDeque<T>> shelves() {
    List<ArrayDeque<T>> shelves = new ArrayList<>();
    for (int shelf = 0; shelf <= shelfFor(LARGEST); shelf++) {
      shelves.add(new ArrayDeque<>());
    }
    return shelves;
  }

  /** The shelf of the smallest arrays that hold so many elements. */
  private static int shelfFor(int elements) {
    if (elements <= SMALLEST) {
      return 0;
    }
    int below = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(elements - 1);
    int doublings = below - Integer.numberOfTrailingZeros(SMALLEST);
    boolean half = elements <= (1 << below) + (1 << (below - 1));
    return 2 * doublings + (half ? 1 : 2);
  }

  /** Elements of the arrays on a shelf. */
  private static int elements(int shelf) {
    int base = SMALLEST << (shelf >> 1);
    return (shelf & 1) == 0 ? base : base + (base >> 1);
  }

  /** False if there is no sense in giving an array back that has so many elements. */
  boolean wants(int elements) {
    return elements <= LARGEST || poisoned;
  }

  /** An array of at least so many bytes, whatever is in them. */
  public byte[] bytes(int atLeast) {
    if (atLeast > LARGEST) {
      return new byte[atLeast];
    }
    int shelf = shelfFor(atLeast);
    byte[] kept = bytes.get(shelf).pollLast();
    if (kept == null) {
      return new byte[elements(shelf)];
    }
    keptBytes -= kept.length;
    if (poisoned) {
      for (byte b : kept) {
        check(b == POISON);
      }
    }
    return kept;
  }

  /** An array of at least so many ints, whatever is in them. */
  public int[] ints(int atLeast) {
    if (atLeast > LARGEST) {
      return new int[atLeast];
    }
    int shelf = shelfFor(atLeast);
    int[] kept = ints.get(shelf).pollLast();
    if (kept == null) {
      return new int[elements(shelf)];
    }
    keptBytes -= kept.length * Integer.BYTES;
    if (poisoned) {
      for (int value : kept) {
        check(value == POISON_INT);
      }
    }
    return kept;
  }

  private static void check(boolean untouched) {
    if (!untouched) {
      throw new IllegalStateException("an array was written to after it had been released");
    }
  }

  /** Takes back what {@link #bytes(int)} gave. */
  public void giveBack(byte[] array) {
    if (poisoned) {
      Arrays.fill(array, POISON);
    }
    if (hasRoom(array.length, array.length)) {
      bytes.get(shelfFor(array.length)).addLast(array);
    }
  }

  /** Takes back what {@link #ints(int)} gave. */
  public void giveBack(int[] array) {
    if (poisoned) {
      Arrays.fill(array, POISON_INT);
    }
    if (hasRoom(array.length, (long) array.length * Integer.BYTES)) {
      ints.get(shelfFor(array.length)).addLast(array);
    }
  }

  private boolean hasRoom(int elements, long size) {
    boolean room =
        elements <= LARGEST
            && keptBytes + size <= mostBytes
            && Thread.currentThread().equals(owner); // another thread must not touch the shelves
    keptBytes += room ? (int) size : 0;
    return room;
  }

  /** Bytes that are kept. */
  public int keptBytes() {
    return keptBytes;
  }
}
