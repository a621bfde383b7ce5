package dev.parlance.relay.http1;

import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.http1.FieldName.FieldKind;
import dev.parlance.relay.net.FlushCoalescer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes HTTP/1.1 messages to a channel without a copy of their bodies; where a body ends is always
 * said, and always by us.
 */
public final class MessageWriter {
  private static final int RESET_CONTENT = 205;

  /** IMF-fixdate of RFC 9110, 5.6.7: the day always has two digits. */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private static final int OK = 200;
  private static final String CONTENT_LENGTH = "content-length";
  private static final String TRANSFER_ENCODING = "transfer-encoding";
  private static final String CHUNKED = "chunked";
  private static final String TRAILER = "trailer";

  /** The second that was written last; most responses of a busy server share theirs. */
  private static volatile Dated dated = new Dated(-1, "");

  private MessageWriter() {}

  /**
   * Writes a whole response: with a length, or in chunks where trailers follow that the client
   * asked for.
   *
   * @param response owned from now on
   * @param form what the request says; a HEAD gets the length of what a GET would bring, no body
   * @param close true if the connection ends after it
   * @return done when all of it is with the operating system
   */
  public static ChannelFuture write(
      Channel channel, WholeResponse response, ResponseForm form, boolean close) {
    int status = response.status();
    ByteBuf body = response.body();
    if (status < 200 || status > 599) {
      body.release();
      throw new IllegalArgumentException("expected a final status, got " + status);
    }
    boolean toHead = form == ResponseForm.HEAD_ONLY;
    HeaderFields fields = HeaderFields.from(response.headers());
    String says = connection(form, close);
    HttpHeaders trailers = trailersFor(delimiter(fields, form), response.trailers());
    if (FieldRules.isBodyless(status) || toHead) {
      // What an origin said about a body that is not sent is passed on; it never frames anything.
      String declared = fields.get(CONTENT_LENGTH);
      boolean known = toHead && status != FieldRules.NOT_MODIFIED && !fields.isPassedOn();
      String length =
          declared != null ? declared : known ? Integer.toString(body.readableBytes()) : "";
      body.release();
      HeadWriter head = begin(status, fields, status == FieldRules.NO_CONTENT ? "" : length, says);
      return last(channel, head.end(channel.alloc()));
    }
    boolean staysOpen =
        fields.isPassedOn() && !fields.hadLength() && form != ResponseForm.TO_THE_END;
    if (!trailers.isEmpty() || staysOpen) {
      HeadWriter head = begin(status, fields, "", says).field(TRANSFER_ENCODING, CHUNKED);
      if (!trailers.isEmpty() && !fields.isPassedOn()) {
        head.field(TRAILER, String.join(", ", trailers.names()));
      }
      return oneChunk(channel, head.end(channel.alloc()), body, trailers);
    }
    boolean endsWithConnection =
        fields.isPassedOn() && !fields.hadLength() && form == ResponseForm.TO_THE_END && close;
    String length = endsWithConnection ? "" : Integer.toString(body.readableBytes());
    HeadWriter head = begin(status, fields, length, says);
    return both(channel, head.end(channel.alloc()), body);
  }

  private static BodyDelimiter delimiter(HeaderFields fields, ResponseForm form) {
    return switch (form) {
      case CHUNKED ->
          fields.isPassedOn() ? BodyDelimiter.LAST_CHUNK_PASSED_ON : BodyDelimiter.BARE_LAST_CHUNK;
      case CHUNKED_WITH_TRAILERS -> BodyDelimiter.LAST_CHUNK;
      case TO_THE_END -> BodyDelimiter.CLOSE;
      case HEAD_ONLY -> BodyDelimiter.NO_BODY;
    };
  }

  /** Those of the fields behind a body that have a place there. */
  public static HttpHeaders trailersFor(BodyDelimiter delimiter, HttpHeaders trailers) {
    return switch (delimiter) {
      case LAST_CHUNK -> FieldRules.trailersToSend(trailers);
      case LAST_CHUNK_PASSED_ON -> FieldRules.trailersOfOrigin(trailers, Set.of());
      case BARE_LAST_CHUNK, CLOSE, LENGTH, NO_BODY -> EmptyHttpHeaders.INSTANCE;
    };
  }

  /** How the end of a streamed response is told. */
  public static BodyDelimiter delimiter(int status, HttpHeaders headers, ResponseForm form) {
    if (status == FieldRules.NO_CONTENT
        || status == RESET_CONTENT
        || status == FieldRules.NOT_MODIFIED) {
      return BodyDelimiter.NO_BODY;
    }
    if (form != ResponseForm.HEAD_ONLY && headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
      return BodyDelimiter.LENGTH;
    }
    return delimiter(HeaderFields.from(headers), form);
  }

  /**
   * The head of a response whose body follows piece by piece.
   *
   * @param connection what it says of its connection
   */
  public static ByteBuf streamHead(
      ByteBufAllocator allocator,
      int status,
      HttpHeaders given,
      BodyDelimiter delimiter,
      String connection) {
    String declared = given.get(HttpHeaderNames.CONTENT_LENGTH);
    boolean isTold =
        (delimiter == BodyDelimiter.LENGTH || delimiter == BodyDelimiter.NO_BODY)
            && declared != null
            && status != FieldRules.NO_CONTENT;
    HeaderFields fields = HeaderFields.from(given);
    HeadWriter head = begin(status, fields, isTold ? declared : "", connection);
    switch (delimiter) {
      case BARE_LAST_CHUNK, LAST_CHUNK_PASSED_ON -> head.field(TRANSFER_ENCODING, CHUNKED);
      case LAST_CHUNK -> {
        head.field(TRANSFER_ENCODING, CHUNKED);
        // Which trailers may come, says whoever will write them.
        for (String names :
            fields.isPassedOn() ? List.<String>of() : fields.all(FieldKind.TRAILER)) {
          head.field(TRAILER, names);
        }
      }
      case LENGTH, NO_BODY, CLOSE -> {}
    }
    return head.end(allocator);
  }

  /** A head before the final one. */
  public static ByteBuf interim(ByteBufAllocator allocator, int status, HttpHeaders given) {
    HeaderFields fields = HeaderFields.from(given);
    return HeadWriter.response(statusLine(status, fields)).endToEnd(fields, "", "").end(allocator);
  }

  /** What a response says of its connection; empty where nothing has to be said. */
  public static String connection(ResponseForm form, boolean close) {
    return close ? "close" : form == ResponseForm.TO_THE_END ? "keep-alive" : "";
  }

  private static HeadWriter begin(
      int status, HeaderFields fields, String length, String connection) {
    HeadWriter head = HeadWriter.response(statusLine(status, fields)).endToEnd(fields, "", length);
    // RFC 9110, 6.6.1: whoever forwards or makes a response without a date adds one.
    if (!fields.isPassedOn() && !fields.has(FieldKind.DATE)) {
      head.field("date", dateNow());
    }
    return connection.isEmpty() ? head : head.field("connection", connection);
  }

  private static String statusLine(int status, HeaderFields fields) {
    return fields.statusLine().isEmpty() ? statusLine(status) : fields.statusLine();
  }

  /** A status and the phrase that it usually has. */
  static String statusLine(int status) {
    return status == OK ? "200 OK" : HttpResponseStatus.valueOf(status).toString();
  }

  /** The present time as a Date field says it. */
  public static String dateNow() {
    long second = System.currentTimeMillis() / 1000;
    Dated last = dated;
    if (last.second != second) {
      last = new Dated(second, HTTP_DATE.format(Instant.ofEpochSecond(second)));
      dated = last;
    }
    return last.text;
  }

  private record Dated(long second, String text) {}

  private static final ByteBuf LINE_END = constant("\r\n");
  private static final ByteBuf LAST_CHUNK = constant("0\r\n\r\n");

  private static ByteBuf constant(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return Unpooled.unreleasableBuffer(
        Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
  }

  /**
   * Writes two buffers, which it owns, in one go.
   *
   * @return done when both are with the operating system
   */
  static ChannelFuture both(Channel channel, ByteBuf first, ByteBuf second) {
    queue(channel, first);
    return last(channel, second);
  }

  /**
   * Writes the last buffer of a message, which it owns; the message goes to the socket with what
   * else is written in this round of the loop.
   *
   * @return done when all of it is with the operating system
   */
  public static ChannelFuture last(Channel channel, ByteBuf bytes) {
    ChannelFuture written = channel.write(bytes);
    FlushCoalescer.later(channel);
    return written;
  }

  /** Queues a buffer whose fate shows in what is written behind it. */
  private static void queue(Channel channel, ByteBuf bytes) {
    var _ = channel.write(bytes);
  }

  /** A body of one chunk, which it owns, between its head and the fields behind it. */
  static ChannelFuture oneChunk(Channel channel, ByteBuf head, ByteBuf data, HttpHeaders trailers) {
    queue(channel, head);
    if (data.isReadable()) {
      var _ = chunk(channel, data);
    } else {
      data.release();
    }
    return last(channel, lastChunk(channel, trailers));
  }

  /** Queues one chunk, which it owns and which is not empty: an empty one would be the last. */
  public static ChannelFuture chunk(Channel channel, ByteBuf data) {
    byte[] size = Integer.toHexString(data.readableBytes()).getBytes(StandardCharsets.US_ASCII);
    queue(
        channel,
        channel.alloc().ioBuffer(size.length + 2).writeBytes(size).writeByte('\r').writeByte('\n'));
    queue(channel, data);
    return channel.write(LINE_END.duplicate());
  }

  /** The last chunk and the fields behind it. */
  public static ByteBuf lastChunk(Channel channel, HttpHeaders trailers) {
    if (trailers.isEmpty()) {
      return LAST_CHUNK.duplicate();
    }
    return HeadWriter.lastChunk().all(HeaderFields.from(trailers)).end(channel.alloc());
  }

  /** Methods whose body a length announces even if it is empty. */
  public static final Set<HttpMethod> BODY_EXPECTED =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

  /**
   * Writes a request, with a reference to its body of its own.
   *
   * @param asItCame true if its body is framed as it was when it came here over HTTP/1.1: in
   *     chunks, with a length, or not at all, and what stood behind it does again
   * @return done when all of it is with the operating system
   */
  public static ChannelFuture request(Channel channel, WholeRequest request, boolean asItCame) {
    int bytes = request.body().readableBytes();
    HeaderFields fields = HeaderFields.from(request.headers());
    HttpHeaders trailers =
        asItCame ? FieldRules.trailersToSend(fields.trailers()) : EmptyHttpHeaders.INSTANCE;
    boolean inChunks = asItCame && (fields.isInChunks() || !trailers.isEmpty());
    boolean isTold =
        bytes > 0 || (asItCame ? fields.hadLength() : BODY_EXPECTED.contains(request.method()));
    HeadWriter head =
        HeadWriter.request(request.method().name(), request.target())
            .endToEnd(
                fields, request.authority(), isTold && !inChunks ? Integer.toString(bytes) : "");
    if (FieldRules.wantsTrailers(request.headers()) || (asItCame && fields.takesTrailers())) {
      head.field("te", "trailers").field("connection", "te");
    }
    if (inChunks) {
      head.field(TRANSFER_ENCODING, CHUNKED);
    }
    ByteBuf first = head.end(channel.alloc());
    if (inChunks) {
      ByteBuf body = request.body().retainedDuplicate();
      return oneChunk(channel, first, body, trailers);
    }
    return bytes == 0
        ? last(channel, first)
        : both(channel, first, request.body().retainedDuplicate());
  }

  /**
   * The head of a request whose body is passed on as it was framed.
   *
   * @param framing fields that say how, and what the connection is for
   */
  public static ByteBuf head(
      ByteBufAllocator allocator, WholeRequest request, Map<String, String> framing) {
    HeadWriter head =
        HeadWriter.request(request.method().name(), request.target())
            .endToEnd(
                request.headers(), request.authority(), framing.getOrDefault(CONTENT_LENGTH, ""));
    framing.forEach((name, value) -> {
      if (!name.equals(CONTENT_LENGTH)) {
        head.field(name, value);
      }
    });
    return head.end(allocator);
  }

  /** How the end of a response body over HTTP/1.1 is told. */
  public enum BodyDelimiter {
    /** The last chunk; trailers have a place behind it. */
    LAST_CHUNK,
    /**
     * The last chunk; what the origin said behind it has a place there, for whoever was asked in
     * the same words would be sent it.
     */
    LAST_CHUNK_PASSED_ON,
    /**
     * The last chunk and nothing behind it: some clients that did not ask for trailers take them
     * for the beginning of the next response.
     */
    BARE_LAST_CHUNK,
    /** The end of the connection, in order; a broken body ends in a reset instead. */
    CLOSE,
    /** Its length, which the head has told. */
    LENGTH,
    /** There is no body; pieces are dropped. */
    NO_BODY
  }

  /** The forms of response that a request allows. */
  public enum ResponseForm {
    /** HTTP/1.1: a length, or chunks where it is not known. */
    CHUNKED,
    /** HTTP/1.1, and the client asked for trailers. */
    CHUNKED_WITH_TRAILERS,
    /** HTTP/1.0: a length, or the end of the connection. */
    TO_THE_END,
    /** A HEAD: never a body. */
    HEAD_ONLY;

    public static ResponseForm of(HeadReader head) {
      if (head.method().equals(HttpMethod.HEAD)) {
        return HEAD_ONLY;
      }
      if (head.http10()) {
        return TO_THE_END;
      }
      for (String value : head.fields().all(FieldKind.TE)) {
        for (String coding : value.split(",", -1)) {
          if (HttpHeaderValues.TRAILERS.contentEqualsIgnoreCase(coding.strip())) {
            return CHUNKED_WITH_TRAILERS;
          }
        }
      }
      return CHUNKED;
    }
  }
}
