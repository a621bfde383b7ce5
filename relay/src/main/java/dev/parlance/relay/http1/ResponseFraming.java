package dev.parlance.relay.http1;

import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.field.FieldKind;
import dev.parlance.relay.field.FieldRules;
import dev.parlance.relay.field.HeaderFields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Puts a response on the wire: where its body ends is always said, and always by us. */
public final class ResponseFraming {
  private static final int NO_CONTENT = 204;
  private static final int RESET_CONTENT = 205;
  private static final int NOT_MODIFIED = 304;

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

  private ResponseFraming() {}

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
      Channel channel, WholeResponse response, AnswerForm form, boolean close) {
    int status = response.status();
    ByteBuf body = response.body();
    if (status < 200 || status > 599) {
      body.release();
      throw new IllegalArgumentException("expected a final status, got " + status);
    }
    boolean toHead = form == AnswerForm.HEAD_ONLY;
    HeadWriter head = begin(status, response.headers(), close);
    HttpHeaders trailers =
        form == AnswerForm.CHUNKED_WITH_TRAILERS
            ? FieldRules.trailersToSend(response.trailers())
            : EmptyHttpHeaders.INSTANCE;
    if (status == NO_CONTENT || status == NOT_MODIFIED || toHead) {
      // What an origin said about a body that is not sent is passed on; it never frames anything.
      String declared = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
      if (declared != null && status != NO_CONTENT) {
        head.field(CONTENT_LENGTH, declared);
      } else if (toHead && status != NO_CONTENT && status != NOT_MODIFIED) {
        head.field(CONTENT_LENGTH, Integer.toString(body.readableBytes()));
      }
      body.release();
      return WireWrites.last(channel, head.end(channel.alloc()));
    }
    if (!trailers.isEmpty()) {
      head.field(TRANSFER_ENCODING, CHUNKED).field(TRAILER, String.join(", ", trailers.names()));
      return WireWrites.oneChunk(channel, head.end(channel.alloc()), body, trailers);
    }
    head.field(CONTENT_LENGTH, Integer.toString(body.readableBytes()));
    return WireWrites.both(channel, head.end(channel.alloc()), body);
  }

  /** How the end of a streamed response is told. */
  public static BodyDelimiter delimiter(int status, AnswerForm form) {
    if (status == NO_CONTENT || status == RESET_CONTENT || status == NOT_MODIFIED) {
      return BodyDelimiter.NO_BODY;
    }
    return switch (form) {
      case CHUNKED -> BodyDelimiter.BARE_LAST_CHUNK;
      case CHUNKED_WITH_TRAILERS -> BodyDelimiter.LAST_CHUNK;
      case TO_THE_END -> BodyDelimiter.CLOSE;
      case HEAD_ONLY -> BodyDelimiter.NO_BODY;
    };
  }

  /** The head of a response whose body follows piece by piece. */
  public static ByteBuf streamHead(
      ByteBufAllocator allocator,
      int status,
      HttpHeaders given,
      BodyDelimiter delimiter,
      boolean close) {
    HeadWriter head = begin(status, given, close);
    switch (delimiter) {
      case BARE_LAST_CHUNK -> head.field(TRANSFER_ENCODING, CHUNKED);
      case LAST_CHUNK -> {
        head.field(TRANSFER_ENCODING, CHUNKED);
        // Which trailers may come, says whoever will write them.
        for (String names : given.getAll(HttpHeaderNames.TRAILER)) {
          head.field(TRAILER, names);
        }
      }
      case NO_BODY -> {
        String declared = given.get(HttpHeaderNames.CONTENT_LENGTH);
        if (declared != null && status != NO_CONTENT) {
          head.field(CONTENT_LENGTH, declared);
        }
      }
      case CLOSE -> {}
    }
    return head.end(allocator);
  }

  private static HeadWriter begin(int status, HttpHeaders given, boolean close) {
    HeaderFields fields = given instanceof HeaderFields ready ? ready : HeaderFields.of(given);
    HeadWriter head = HeadWriter.response(statusLine(status)).endToEnd(fields, FieldKind.HOST);
    // RFC 9110, 6.6.1: whoever forwards or makes a response without a date adds one.
    if (!fields.has(FieldKind.DATE)) {
      head.field("date", dateNow());
    }
    return close ? head.field("connection", "close") : head;
  }

  private static String statusLine(int status) {
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
}
