package dev.parlance.proxy.stream;

import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.config.DecisionLogSettings.BodyDigest;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.bytes.Edit;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The memory of one streamed answer: events that wait for a verdict, bytes that no event has taken
 * yet, and a transcript for the review queue. Counts what has come, and says to all streams
 * together what this one holds.
 */
public final class StreamBuffer {
  /** How much of the transcript is kept of a stream that flows. */
  static final int FLOWING_BYTES = 64 * 1024;

  /**
   * An event on its way.
   *
   * @param edits where a verdict can stand; empty for what nobody reads
   * @param isSaid whether it holds words of the answer
   */
  public record Held(Frame frame, Optional<Annotatable> edits, boolean isSaid) {
    /** An event that nobody reads. */
    public static Held unread(Frame frame) {
      return new Held(frame, Optional.empty(), false);
    }

    /** Its bytes. */
    public int length() {
      return frame.bytes().length;
    }

    /** The event without what its sender may not assert. */
    public byte[] stripped() {
      return edits.isEmpty() ? frame.bytes() : with(edits.get().strip());
    }

    /** The event with these edits in its payload. */
    public byte[] with(List<Edit> edits) {
      return edits.isEmpty() || frame.equals(NO_FRAME) ? frame.bytes() : frame.edited(edits);
    }
  }

  /** What trailers say has no event of its own. */
  public static final Frame NO_FRAME =
      new Frame() {
        @Override
        public byte[] bytes() {
          return new byte[0];
        }

        @Override
        public Optional<byte[]> payload() {
          return Optional.empty();
        }

        @Override
        public byte[] edited(List<Edit> edits) {
          return new byte[0];
        }
      };

  private final StreamMode mode;
  private final boolean keepsRest;
  private final HeldBytes.Share share;

  /** Of all events; empty where lines of the decision log have none. */
  private final Optional<MessageDigest> digest;

  private final Deque<Held> waiting = new ArrayDeque<>();
  private final int maxTranscriptBytes;

  /** Every event from the first, without forged verdicts; empty once it is given up. */
  private Optional<List<byte[]>> transcript = Optional.of(new ArrayList<>());

  private int transcriptBytes;

  /** Bytes from {@code restFrom} to {@code restTo} are in no whole event yet. */
  private byte[] rest = {};

  private int restFrom;
  private int restTo;
  private long unframedBytes;
  private long events;
  private long bytes;

  /**
   * Nothing has arrived.
   *
   * @param maxTranscriptBytes most that is kept for the review queue
   * @param keepsRest whether bytes that are no event are kept to go on as they are
   * @param bodyDigest which digest of the events the decision log has
   */
  public StreamBuffer(
      StreamMode mode,
      int maxTranscriptBytes,
      boolean keepsRest,
      HeldBytes.Share share,
      BodyDigest bodyDigest) {
    this.digest =
        bodyDigest == BodyDigest.SHA256 ? Optional.of(Digests.sha256()) : Optional.empty();
    this.mode = mode;
    this.maxTranscriptBytes = maxTranscriptBytes;
    this.keepsRest = keepsRest;
    this.share = share;
  }

  // ---- bytes ----

  /** Bytes have arrived; the buffer stays with the caller. */
  public void arrived(ByteBuf piece) {
    int more = piece.readableBytes();
    unframedBytes += more;
    if (!keepsRest) {
      return;
    }
    if (restTo + more > rest.length) {
      byte[] into = new byte[Math.max(restTo - restFrom + more, 2 * (restTo - restFrom))];
      System.arraycopy(rest, restFrom, into, 0, restTo - restFrom);
      rest = into;
      restTo -= restFrom;
      restFrom = 0;
    }
    piece.getBytes(piece.readerIndex(), rest, restTo, more);
    restTo += more;
  }

  /** An event has taken its bytes. */
  public void framed(Frame event) {
    byte[] taken = event.bytes();
    unframedBytes -= taken.length;
    restFrom = Math.min(restTo, restFrom + taken.length);
    if (restFrom == restTo) {
      restFrom = 0;
      restTo = 0;
    }
    events++;
    bytes += taken.length;
    if (digest.isPresent()) {
      digest.get().update(taken);
    }
  }

  /** The bytes that no event has taken. */
  public byte[] rest() {
    return Arrays.copyOfRange(rest, restFrom, restTo);
  }

  // ---- what waits ----

  /** True if nothing waits. */
  public boolean isIdle() {
    return waiting.isEmpty();
  }

  /** An event waits for a verdict. */
  public void add(Held held) {
    waiting.add(held);
    transcribe(held.stripped());
  }

  /** The last event that waits and has words: there the verdict stands. */
  public Optional<Held> lastSaid() {
    Optional<Held> last = Optional.empty();
    for (Held held : waiting) {
      last = held.isSaid() ? Optional.of(held) : last;
    }
    return last;
  }

  /** The next event that goes on; empty if none waits any more. */
  public Optional<Held> next() {
    return Optional.ofNullable(waiting.poll());
  }

  // ---- the transcript, so that a release delivers a whole valid stream ----

  /** An event has gone on or waits. */
  public void transcribe(byte[] event) {
    transcript.ifPresent(list -> list.add(event));
    transcriptBytes += event.length;
    if (transcript.isEmpty() || transcriptBytes > maxTranscriptBytes) {
      giveUpTranscript();
    }
  }

  /** A judged part has gone out. */
  public void released() {
    if (mode == StreamMode.WINDOW || transcriptBytes > FLOWING_BYTES) {
      giveUpTranscript();
    }
  }

  /** The stream can be held for a person no more. */
  public void giveUpTranscript() {
    transcript = Optional.empty();
    transcriptBytes = 0;
  }

  /** The stream so far; empty if that was given up. */
  public Optional<byte[]> transcript() {
    return transcript.map(list -> {
      ByteArrayOutputStream all = new ByteArrayOutputStream(transcriptBytes);
      list.forEach(all::writeBytes);
      return all.toByteArray();
    });
  }

  // ---- accounts ----

  /**
   * Says what this stream holds. What is only kept for a release that may never come is the first
   * to go.
   *
   * @param waitingBytes what waits for a verdict
   * @return false if all streams together would hold too much
   */
  public boolean account(long waitingBytes) {
    if (share.set(memoryBytes(waitingBytes))) {
      return true;
    }
    giveUpTranscript();
    return share.set(memoryBytes(waitingBytes));
  }

  private long memoryBytes(long waitingBytes) {
    return Math.max(transcriptBytes, waitingBytes) + Math.max(0, unframedBytes);
  }

  /** What waits goes nowhere. */
  public void close() {
    waiting.clear();
    boolean _ = share.set(0);
  }

  /** What has come so far, for the decision log. */
  public DecisionEvent.Stream counted(long heldMs) {
    return new DecisionEvent.Stream(mode.code(), events, bytes, heldMs);
  }

  /** SHA-256 of all events so far, in hex; empty where lines have none. */
  public String sha256() {
    if (digest.isEmpty()) {
      return "";
    }
    try {
      return HexFormat.of().formatHex(((MessageDigest) digest.get().clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the platform's SHA-256 can be copied", e);
    }
  }
}
