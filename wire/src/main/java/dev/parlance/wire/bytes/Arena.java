package dev.parlance.wire.bytes;

import java.util.Arrays;

/**
 * The memory of one exchange: the copies of its bodies that are read, the texts in them without
 * their escapes, and where everything lies in them. It belongs to one thread, whose {@link
 * ArrayPool} the arrays come from, and goes back as a whole:
 *
 * <pre>
 *   open --release--> released: the arrays are the next exchange's; nothing of this one may look
 *     |                         at them again, and asking for more, or releasing again, throws
 *     +----let go---> let go:   what lies in the arrays stays as it is; the collector has them
 * </pre>
 *
 * Whoever keeps bytes longer than their exchange copies them. Whoever cannot tell whether somebody
 * still looks lets go: that costs garbage, where a release at the wrong time would have a message
 * judged by the bytes of another.
 */
public final class Arena {
  private static final byte[] NOTHING = {};
  private static final int[] NO_INTS = {};

  /** What an arena has that never gives anything back. */
  private static final ArrayPool NO_POOL = new ArrayPool(false);

  /** Chunks for texts are as large as all before them, up to here. */
  private static final int LARGE_CHUNK_BYTES = 16 * 1024;

  private enum State {
    OPEN,
    RELEASED,
    LET_GO
  }

  private final ArrayPool pool;
  private State state;
  private byte[][] chunks = {};
  private int chunkCount;
  private int[][] tapes = {};
  private int tapeCount;
  private int chunkBytes;

  private byte[] chunk = NOTHING;
  private int at;

  private Arena(ArrayPool pool, State state) {
    this.pool = pool;
    this.state = state;
  }

  /** One whose arrays are this thread's, until it is released on this thread. */
  public static Arena ofThread() {
    return new Arena(ArrayPool.ofThread(), State.OPEN);
  }

  /** One that is let go from the beginning: every array is new, and as long as was asked for. */
  public static Arena unpooled() {
    return new Arena(NO_POOL, State.LET_GO);
  }

  /** An array of at least so many bytes, of which the first are the caller's. */
  public byte[] fresh(int bytes) {
    if (state == State.LET_GO) {
      return bytes == 0 ? NOTHING : new byte[bytes];
    }
    takeChunk(bytes);
    at = bytes;
    return chunk;
  }

  /**
   * Sets bytes aside in {@link #array()}.
   *
   * @return the index of the first
   */
  public int reserve(int bytes) {
    if (state == State.LET_GO) {
      chunk = new byte[bytes];
      at = 0;
    } else if (state == State.RELEASED || chunk.length - at < bytes) {
      takeChunk(Math.max(bytes, Math.min(chunkBytes, LARGE_CHUNK_BYTES)));
    }
    int start = at;
    at += bytes;
    return start;
  }

  /** Where the bytes that were {@linkplain #reserve set aside} last lie. */
  public byte[] array() {
    return chunk;
  }

  /** Of the bytes that were set aside last, those from this index of {@link #array()} are free. */
  public void freeFrom(int index) {
    at = index;
  }

  /** At least so many ints, whatever is in them. */
  public int[] ints(int count) {
    if (state == State.LET_GO) {
      return new int[count];
    }
    checkOpen();
    int[] tape = pool.ints(count);
    if (!pool.wants(tape.length)) {
      return tape;
    }
    if (tapeCount == tapes.length) {
      tapes = Arrays.copyOf(tapes, 2 * tapeCount + 2);
    }
    tapes[tapeCount++] = tape;
    return tape;
  }

  private void takeChunk(int bytes) {
    checkOpen();
    chunk = pool.bytes(bytes);
    at = 0;
    if (!pool.wants(chunk.length)) {
      return; // the collector has it once nobody looks at it, which may be long before the end
    }
    chunkBytes += chunk.length;
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunkCount + 4);
    }
    chunks[chunkCount++] = chunk;
  }

  private void checkOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException("the arena has been released");
    }
  }

  /**
   * Gives the arrays to the exchanges that come. Nothing that was made of them may be used again.
   *
   * @throws IllegalStateException if it is not open, which is a fault of the caller
   */
  public void release() {
    if (state != State.OPEN) {
      throw new IllegalStateException("released once more, or after it was let go");
    }
    state = State.RELEASED;
    for (int i = 0; i < chunkCount; i++) {
      pool.giveBack(chunks[i]);
    }
    for (int i = 0; i < tapeCount; i++) {
      pool.giveBack(tapes[i]);
    }
    forget();
  }

  /**
   * Leaves the arrays to whoever still looks at them, and later to the collector.
   *
   * @throws IllegalStateException if it has been released, so that they are somebody else's
   */
  public void letGo() {
    if (state == State.RELEASED) {
      throw new IllegalStateException("let go after it was released");
    }
    state = State.LET_GO;
    forget();
  }

  /** True until it is released or let go. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  private void forget() {
    Arrays.fill(chunks, 0, chunkCount, NOTHING);
    chunkCount = 0;
    Arrays.fill(tapes, 0, tapeCount, NO_INTS);
    tapeCount = 0;
    chunk = NOTHING;
    at = 0;
  }
}
