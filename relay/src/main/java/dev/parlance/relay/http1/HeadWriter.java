package dev.parlance.relay.http1;

import dev.parlance.relay.http1.FieldName.FieldKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts a head together in the array of its thread and copies it into one buffer. Only one is
 * written at a time on a thread, and nothing else uses the array before {@link #end}.
 */
public final class HeadWriter {
  private static final String VERSION = "HTTP/1.1";

  private final HeadScratch scratch;
  private byte[] out;
  private int at;

  private HeadWriter() {
    scratch = HeadScratch.get();
    out = scratch.bytes(0);
  }

  /** Begins the head of a request. */
  static HeadWriter request(String method, String target) {
    HeadWriter writer = new HeadWriter();
    writer.text(method);
    writer.character(' ');
    writer.text(target);
    writer.character(' ');
    writer.text(VERSION);
    writer.lineEnd();
    return writer;
  }

  /** Begins the head of a response. */
  static HeadWriter response(String statusLine) {
    HeadWriter writer = new HeadWriter();
    writer.text(VERSION);
    writer.character(' ');
    writer.text(statusLine);
    writer.lineEnd();
    return writer;
  }

  /** Begins with a last chunk: fields behind a body. */
  static HeadWriter lastChunk() {
    HeadWriter writer = new HeadWriter();
    writer.text("0");
    writer.lineEnd();
    return writer;
  }

  /** A name and a value that hold no line ends. */
  HeadWriter field(String name, String value) {
    text(name);
    character(':');
    character(' ');
    text(value);
    lineEnd();
    return this;
  }

  /** Fields that were looked at, as they were written. */
  HeadWriter all(HeaderFields fields) {
    for (int i = 0; i < fields.size(); i++) {
      field(fields.nameAt(i).text(), fields.valueAt(i), fields.writtenAt(i));
    }
    return this;
  }

  private static boolean isEndToEnd(FieldKind kind, boolean passedOn) {
    return switch (kind) {
      case EXPECT, TRAILER -> passedOn;
      default -> kind.passesOn();
    };
  }

  /** As it was written, if it still says the same. */
  private void field(String name, String value, @Nullable String written) {
    if (written == null || !written.strip().equals(value)) {
      var _ = field(name, value);
    } else {
      text(name);
      character(':');
      text(written);
      lineEnd();
    }
  }

  /**
   * Those fields that go from end to end, in their order; what the relay itself says or has dealt
   * with is left out.
   *
   * @param host what Host says, where it stood, or else before all others; empty to leave it out
   * @param length what Content-Length says, where it stood, or else behind all others; empty to
   *     leave it out
   */
  HeadWriter endToEnd(HttpHeaders given, String host, String length) {
    HeaderFields fields = HeaderFields.from(given);
    Set<String> named = FieldRules.connectionTokens(fields);
    if (!host.isEmpty() && !fields.has(FieldKind.HOST)) {
      field("host", host);
    }
    int lengthAt = length.isEmpty() ? -1 : fields.lengthAt();
    for (int i = 0; i < fields.size(); i++) {
      if (i == lengthAt) {
        field(fields.lengthName(), length, fields.lengthWritten());
      }
      FieldName name = fields.nameAt(i);
      FieldKind kind = name.kind();
      if (kind == FieldKind.HOST) {
        if (!host.isEmpty()) {
          field(name.text(), host, fields.writtenAt(i));
        }
      } else if (isEndToEnd(kind, fields.isPassedOn()) && !FieldRules.isNamed(named, name.text())) {
        String written = fields.writtenAt(i);
        if (written == null) {
          checkedField(name.text(), fields.valueAt(i));
        } else {
          field(name.text(), fields.valueAt(i), written);
        }
      }
    }
    if (!length.isEmpty() && (lengthAt < 0 || lengthAt >= fields.size())) {
      field(fields.lengthName(), length, fields.lengthWritten());
    }
    return this;
  }

  /** Ends the head and hands it over. */
  ByteBuf end(ByteBufAllocator allocator) {
    lineEnd();
    return allocator.ioBuffer(at).writeBytes(out, 0, at);
  }

  /** A field that came out of {@link HeaderFields}, whose characters are all bytes of a head. */
  @SuppressWarnings("deprecation") // The only copy of a string's bytes into an array of ours.
  private void checkedField(String name, String value) {
    int nameLength = name.length();
    int valueLength = value.length();
    room(nameLength + valueLength + 4);
    byte[] to = out;
    int next = at;
    name.getBytes(0, nameLength, to, next);
    next += nameLength;
    to[next] = ':';
    to[next + 1] = ' ';
    next += 2;
    value.getBytes(0, valueLength, to, next);
    next += valueLength;
    to[next] = '\r';
    to[next + 1] = '\n';
    at = next + 2;
  }

  private void text(String text) {
    int length = text.length();
    room(length);
    byte[] to = out;
    int from = at;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      // What has no place in a head becomes a mark of its own, never half of itself.
      to[from + i] = c > 0xff || (c < ' ' && c != '\t') ? (byte) '?' : (byte) c;
    }
    at = from + length;
  }

  private void character(char c) {
    room(1);
    out[at] = (byte) c;
    at++;
  }

  private void lineEnd() {
    room(2);
    out[at] = '\r';
    out[at + 1] = '\n';
    at += 2;
  }

  private void room(int more) {
    if (out.length - at < more) {
      out = scratch.bytes(at + more);
    }
  }
}
