package dev.parlance.wire.bytes;

/**
 * The outcome of reading a body: a view of it, or why there is none.
 *
 * @param <V> the view on a body that could be read
 */
public sealed interface Reading<V> {
  /**
   * Read.
   *
   * @param view what was found
   */
  @SuppressWarnings("AvoidCommonTypeNames") // always written Reading.Readable; nothing reads chars
  record Readable<V>(V view) implements Reading<V> {}

  /** Not read, and so the same whatever view was asked for. */
  sealed interface Unread<V> extends Reading<V> {
    /** The same outcome for another view. */
    @SuppressWarnings("unchecked") // neither of them holds a view
    default <W> Reading<W> as() {
      return (Reading<W>) this;
    }
  }

  /**
   * Well-formed as far as anybody can tell, but no codec knows what it says: the route's {@code
   * onUnjudged} policy decides.
   *
   * @param what a stable code of what it was: {@code content_type}, {@code method}, {@code stream},
   *     {@code batch}, {@code binary_part}, {@code shape}, {@code pointer}
   */
  record Unjudged<V>(String what) implements Unread<V> {}

  /**
   * Broken; always refused.
   *
   * @param fault what is wrong
   * @param detail for the peer: the bad value and what was expected, at most 200 characters, no
   *     body text
   */
  record Malformed<V>(WireFault fault, String detail) implements Unread<V> {}
}
