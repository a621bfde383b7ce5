package dev.parlance.wire.sse;

import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Optional;

/**
 * Cuts a stream of server-sent events (WHATWG HTML, section 9.2) into frames. Lines end with LF,
 * CRLF or CR; an event ends with a blank line; a comment that stands outside an event is a frame of
 * its own, so that what keeps a connection alive is not held until the next event.
 *
 * <p>A CR may be half of a CRLF that is still under way. A blank line that ends in CR therefore
 * waits for one byte more, unless the line before it ended in a lone CR: an agent that writes no LF
 * would otherwise have each of its events delayed until the next one. A LF that comes all the same
 * is a blank line by itself, which means nothing. So the frames depend on the bytes only, never on
 * how they were cut into reads.
 *
 * <p>A byte order mark at the beginning belongs to the first event and means nothing. An event
 * whose blank line is missing at the end of the stream is one all the same: the standard drops it,
 * and readers that go line by line do not. Refused: an event over the bound, and a line that only
 * some readers take for data.
 */
public final class SseFraming implements StreamFraming {
  private static final int FIRST_BYTES = 4096;

  /** A larger buffer is given back once nothing is in it. */
  private static final int KEPT_BYTES = 128 * 1024;

  private static final byte[] HEARTBEAT = Texts.utf8(": \n\n");
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final int maxEventBytes;
  private byte[] buffer = {};

  /** First byte that no frame has taken, and the end of what has arrived. */
  private int start;

  private int end;

  /** First byte that was not looked at, and the first of its line. */
  private int scanned;

  private int lineStart;

  /** Ends of whole frames that nobody has taken, as indexes into the buffer. */
  private int[] ends = new int[16];

  private int firstEnd;
  private int lastEnd;

  /** First byte behind the last whole frame. */
  private int eventStart;

  private boolean inEvent;
  private boolean loneCarriageReturns;
  private boolean begun;

  /** Bytes of the mark before the first line of the first event. */
  private int markBytes;

  private Optional<StreamFraming.Fault> fault = Optional.empty();

  /**
   * Frames for one stream.
   *
   * @param maxEventBytes largest event, its field names and line ends included
   */
  public SseFraming(int maxEventBytes) {
    this.maxEventBytes = maxEventBytes;
  }

  @Override
  public Optional<StreamFraming.Fault> feed(ByteBuf bytes) {
    int from = bytes.readerIndex();
    int left = bytes.readableBytes();
    // In pieces no larger than an event, so that a fault is found before all of it was copied.
    while (left > 0 && fault.isEmpty()) {
      int piece = Math.min(left, Math.max(FIRST_BYTES, maxEventBytes));
      makeRoom(piece);
      bytes.getBytes(from, buffer, end, piece);
      end += piece;
      from += piece;
      left -= piece;
      scan(false);
    }
    return fault;
  }

  @Override
  public Optional<Frame> next() {
    if (firstEnd == lastEnd) {
      return Optional.empty();
    }
    int to = ends[firstEnd++];
    byte[] event = Arrays.copyOfRange(buffer, start, to);
    Frame frame = new SseFrame(event, markBytes);
    markBytes = 0;
    start = to;
    return Optional.of(frame);
  }

  @Override
  public Optional<StreamFraming.Fault> end() {
    if (fault.isEmpty()) {
      scan(true);
    }
    if (fault.isEmpty() && eventStart < end) {
      if (lineStart < end && SseFrame.onlyLooksLikeData(buffer, lineStart, end)) {
        return looksLikeData();
      }
      endFrame(end);
    }
    return fault;
  }

  @Override
  public byte[] frame(byte[] payload) {
    byte[] framed = new byte[payload.length + 8];
    int at = data(framed, 0);
    for (int i = 0; i < payload.length; i++) {
      boolean lineEnd = payload[i] == '\n' || payload[i] == '\r';
      if (framed.length - at < 9) {
        framed = Arrays.copyOf(framed, framed.length * 2 + 16);
      }
      framed[at++] = lineEnd ? (byte) '\n' : payload[i];
      if (lineEnd) {
        at = data(framed, at);
      }
    }
    framed = Arrays.copyOf(framed, at + 2);
    framed[at] = '\n';
    framed[at + 1] = '\n';
    return framed;
  }

  @Override
  public byte[] frame(String name, byte[] payload) {
    byte[] event = frame(payload);
    if (name.isEmpty()) {
      return event;
    }
    byte[] line = Texts.utf8("event: " + name + "\n");
    byte[] named = Arrays.copyOf(line, line.length + event.length);
    System.arraycopy(event, 0, named, line.length, event.length);
    return named;
  }

  private static int data(byte[] to, int at) {
    byte[] field = {'d', 'a', 't', 'a', ':', ' '};
    System.arraycopy(field, 0, to, at, field.length);
    return at + field.length;
  }

  @Override
  public byte[] heartbeat() {
    return HEARTBEAT.clone();
  }

  /** Memory that is kept for the unfinished event, in bytes. */
  int bufferBytes() {
    return buffer.length;
  }

  private void makeRoom(int more) {
    if (buffer.length - end >= more) {
      return;
    }
    int kept = end - start;
    byte[] into =
        kept + more <= buffer.length && (kept > 0 || buffer.length <= KEPT_BYTES)
            ? buffer
            : new byte[Math.max(Math.max(FIRST_BYTES, kept + more), 2 * kept)];
    System.arraycopy(buffer, start, into, 0, kept);
    buffer = into;
    for (int i = firstEnd; i < lastEnd; i++) {
      ends[i - firstEnd] = ends[i] - start;
    }
    lastEnd -= firstEnd;
    firstEnd = 0;
    end = kept;
    scanned -= start;
    lineStart -= start;
    eventStart -= start;
    start = 0;
  }

  private void scan(boolean bodyEnded) {
    if (!begun && (end >= MARK.length || bodyEnded)) {
      begun = true;
      if (end >= MARK.length && Arrays.equals(buffer, 0, MARK.length, MARK, 0, MARK.length)) {
        markBytes = MARK.length;
        scanned = MARK.length;
        lineStart = MARK.length;
      }
    }
    if (!begun) {
      return; // what may be a mark is no line yet
    }
    while (scanned < end && fault.isEmpty()) {
      byte b = buffer[scanned];
      if (b == '\n') {
        line(scanned + 1);
      } else if (b == '\r') {
        boolean blank = scanned == lineStart;
        if (blank && loneCarriageReturns) {
          line(scanned + 1);
        } else if (scanned + 1 < end) {
          boolean pair = buffer[scanned + 1] == '\n';
          loneCarriageReturns = !pair;
          line(pair ? scanned + 2 : scanned + 1);
        } else if (bodyEnded) {
          line(scanned + 1);
        } else {
          break;
        }
      } else {
        scanned++;
        continue;
      }
      if (b == '\n') {
        loneCarriageReturns = false;
      }
    }
    if (fault.isEmpty() && end - eventStart > maxEventBytes) {
      tooLarge();
    }
  }

  /** A line has ended; its line end is at {@code scanned}, and the next one begins behind it. */
  private void line(int next) {
    int lineEnd = scanned;
    if (next - eventStart > maxEventBytes) {
      tooLarge();
    } else if (lineEnd == lineStart) {
      endFrame(next);
    } else if (buffer[lineStart] == ':') {
      if (!inEvent) {
        endFrame(next);
      }
    } else if (SseFrame.onlyLooksLikeData(buffer, lineStart, lineEnd)) {
      looksLikeData();
    } else {
      inEvent = true;
    }
    scanned = next;
    lineStart = next;
  }

  private void endFrame(int next) {
    if (firstEnd == lastEnd) {
      firstEnd = 0;
      lastEnd = 0;
    }
    if (lastEnd == ends.length) {
      ends = Arrays.copyOf(ends, ends.length * 2);
    }
    ends[lastEnd++] = next;
    eventStart = next;
    inEvent = false;
  }

  private Optional<StreamFraming.Fault> looksLikeData() {
    return fail(WireFault.BAD_MESSAGE, "a field that only looks like data; expected data");
  }

  private void tooLarge() {
    fail(WireFault.BODY_TOO_LARGE, "event of more than " + maxEventBytes + " bytes");
  }

  private Optional<StreamFraming.Fault> fail(WireFault what, String detail) {
    fault = Optional.of(new StreamFraming.Fault(what, detail));
    return fault;
  }
}
