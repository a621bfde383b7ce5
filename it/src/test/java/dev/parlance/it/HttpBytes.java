package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One HTTP/1.1 message as it stood on the wire, without its chunk framing.
 *
 * @param startLine request line or status line
 * @param fields header fields in their order
 * @param body the body's bytes
 * @param trailers fields behind the chunks, in their order
 */
@SuppressWarnings("ArrayRecordComponent") // read only, and compared as bytes where it matters
record HttpBytes(String startLine, List<Field> fields, byte[] body, List<Field> trailers) {
  HttpBytes(String startLine, List<Field> fields, byte[] body) {
    this(startLine, fields, body, List.of());
  }

  /**
   * One field.
   *
   * @param written what stands between colon and line end
   */
  record Field(String name, String written) {
    static Field of(String line) throws IOException {
      int colon = line.indexOf(':');
      if (colon < 1) {
        throw new IOException("no header field: " + line);
      }
      return new Field(line.substring(0, colon), line.substring(colon + 1));
    }

    /** Without the blanks around it, which are no part of it. */
    String value() {
      return written.strip();
    }
  }

  /** The next request; empty if the connection ends before its first byte. */
  static Optional<HttpBytes> readRequest(InputStream in) throws IOException {
    Optional<HttpBytes> head = readHead(in);
    return head.isEmpty() ? head : Optional.of(withBody(head.get(), in, false, false));
  }

  /** The next response; empty if the connection ends before its first byte. */
  static Optional<HttpBytes> readResponse(InputStream in, boolean toHead) throws IOException {
    return readResponse(in, toHead, false);
  }

  /**
   * The next response of a copy of what has passed: who reads a stream may leave when it has heard
   * enough, so the last chunk need not have passed.
   */
  static Optional<HttpBytes> readCopied(InputStream in) throws IOException {
    return readResponse(in, false, true);
  }

  private static Optional<HttpBytes> readResponse(
      InputStream in, boolean toHead, boolean mayEndEarly) throws IOException {
    Optional<HttpBytes> head = readHead(in);
    if (head.isEmpty()) {
      return head;
    }
    int status = head.get().status();
    boolean bodyless = toHead || status < 200 || status == 204 || status == 304;
    return bodyless ? head : Optional.of(withBody(head.get(), in, true, mayEndEarly));
  }

  private static Optional<HttpBytes> readHead(InputStream in) throws IOException {
    Optional<String> start = readLine(in);
    if (start.isEmpty()) {
      return Optional.empty();
    }
    List<Field> fields = new ArrayList<>();
    while (true) {
      String line = readLine(in).orElseThrow(() -> new IOException("closed inside a head"));
      if (line.isEmpty()) {
        return Optional.of(new HttpBytes(start.get(), List.copyOf(fields), new byte[0]));
      }
      fields.add(Field.of(line));
    }
  }

  private static Optional<String> readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(128);
    while (true) {
      int b = in.read();
      if (b < 0) {
        if (line.size() > 0) {
          throw new IOException("closed inside a line: " + line.toString(ISO_8859_1));
        }
        return Optional.empty();
      }
      if (b == '\n') {
        String text = line.toString(ISO_8859_1);
        if (!text.endsWith("\r")) {
          throw new IOException("LF without CR: " + text);
        }
        return Optional.of(text.substring(0, text.length() - 1));
      }
      line.write(b);
    }
  }

  private static HttpBytes withBody(
      HttpBytes head, InputStream in, boolean untilEnd, boolean mayEndEarly) throws IOException {
    Optional<String> length = head.field("content-length");
    if (head.field("transfer-encoding").isPresent()) {
      List<Field> trailers = new ArrayList<>();
      byte[] body = readChunks(in, mayEndEarly, trailers);
      return new HttpBytes(head.startLine, head.fields, body, List.copyOf(trailers));
    }
    if (length.isEmpty()) {
      return untilEnd ? new HttpBytes(head.startLine, head.fields, in.readAllBytes()) : head;
    }
    int bytes = Integer.parseInt(length.get());
    byte[] body = in.readNBytes(bytes);
    if (body.length != bytes) {
      throw new IOException("closed inside a body: " + body.length + " of " + bytes);
    }
    return new HttpBytes(head.startLine, head.fields, body);
  }

  private static byte[] readChunks(InputStream in, boolean mayEndEarly, List<Field> trailers)
      throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      Optional<String> next = readLine(in);
      if (next.isEmpty() && mayEndEarly) {
        return body.toByteArray();
      }
      String line = next.orElseThrow(() -> new IOException("closed inside a chunk"));
      int size = Integer.parseInt(line, 16);
      byte[] chunk = in.readNBytes(size);
      body.write(chunk);
      Optional<String> end = readLine(in);
      while (size == 0 && end.filter(trailer -> !trailer.isEmpty()).isPresent()) {
        trailers.add(Field.of(end.get()));
        end = readLine(in);
      }
      if (chunk.length != size || !end.equals(Optional.of(""))) {
        throw new IOException("chunk of another length than it says: " + size);
      }
      if (size == 0) {
        return body.toByteArray();
      }
    }
  }

  /** The only value of a field. */
  Optional<String> field(String name) {
    List<String> values = values(name);
    if (values.size() > 1) {
      throw new IllegalStateException(name + " stands there " + values.size() + " times");
    }
    return values.stream().findFirst();
  }

  /** All values of a field. */
  List<String> values(String name) {
    return fields.stream()
        .filter(field -> field.name().equalsIgnoreCase(name))
        .map(Field::value)
        .toList();
  }

  /** Status of a response. */
  int status() {
    return Integer.parseInt(startLine.substring(9, 12));
  }

  /** The body as text. */
  String text() {
    return new String(body, UTF_8);
  }
}
