package dev.parlance.control.publish;

import dev.parlance.control.publish.api.SidecarHello.AnnouncedKey;
import dev.parlance.control.publish.api.StoredQuestion;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.ReviewRow;
import java.util.List;

/**
 * The way to one sidecar. Calls come one at a time.
 *
 * <p>{@link #isReady} says whether a message would go out at once; whoever asks first never fills
 * memory with what a slow sidecar does not read.
 */
public interface SidecarLink {
  /** True if a message would not have to wait. */
  boolean isReady();

  /** Says who serves it, and how often it is to report. */
  void welcome(String replica, int reportIntervalMs);

  /** Sends a core. */
  void push(PublishedCore core);

  /** Sends a board. */
  void push(PublishedBoard board);

  /** Sends a person's decision. */
  void push(ReviewRow decision);

  /** Sends whom the mesh believes, as it is now. */
  void pushTrust();

  /** Sends the keys of all sidecars' verdicts. */
  void push(List<AnnouncedKey> verdictKeys);

  /**
   * Says that a decision of its own is in the store.
   *
   * @param refused code of why it never will be; empty if it is
   */
  void taken(String item, String refused);

  /** Sends a call of a person at the console. */
  void call(String id, PersonCall call);

  /** Sends a question to its agent. */
  void ask(StoredQuestion question);

  /** Ends the stream. */
  void end(StreamEnd why, String detail);

  /** Why the control plane ends a sidecar's stream. The codes are stable. */
  enum StreamEnd {
    /** Old enough to spread anew; the sidecar comes back at once. */
    AGED("stream_aged"),
    /** This replica stops. */
    DRAINING("draining"),
    /** The same sidecar has attached again. */
    REPLACED("replaced"),
    /** No Hello in time. */
    HELLO_LATE("hello_late"),
    /** Something came before Hello. */
    HELLO_FIRST("hello_first"),
    /** A second Hello. */
    HELLO_TWICE("hello_twice"),
    /** A Hello that cannot be true. */
    BAD_HELLO("bad_hello"),
    /** The token is not the one of the agent in Hello. */
    WRONG_TOKEN("token_of_another_agent"),
    /** A core or a board was neither accepted nor refused for too long. */
    PUSH_UNANSWERED("push_unanswered"),
    /** Too many streams are open here. */
    TOO_MANY("too_many_streams");

    private final String code;

    StreamEnd(String code) {
      this.code = code;
    }

    /** The stable name. */
    public String code() {
      return code;
    }
  }

  /**
   * A published core.
   *
   * @param seenNs {@link System#nanoTime} when this replica saw it
   */
  record PublishedCore(CoreRow row, long seenNs) {
    String key() {
      return row.coreKey();
    }

    long version() {
      return row.version();
    }
  }

  /**
   * A board as it is signed.
   *
   * @param revision counts up with every change of the board
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record PublishedBoard(String board, long revision, byte[] note) {}
}
