package dev.parlance.proxy.exchange.body;

import dev.parlance.proxy.config.StreamSettings;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.sse.SseFraming;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Turns an answer of the review queue into the answer to the request that collects it. A stream is
 * held as the bytes of its events and delivered whole, each event under the ids of the new request;
 * to a client that is the stream it asked for, all at once. Where the first request wanted a stream
 * and this one does not, or the other way round, the answer takes the other form.
 */
public final class HeldBodies {
  private HeldBodies() {}

  /** The answer in the form that this request wants; empty if it cannot be had in that. */
  public static Optional<HeldMessage> inForm(
      RequestView asked, HeldMessage held, StreamSettings streams) {
    boolean streamed = isStream(held);
    return switch (asked.answerForm()) {
      case EITHER -> Optional.of(held);
      case STREAM ->
          streamed
              ? Optional.of(held)
              : asked
                  .asStream(held.content().body())
                  .map(payloads -> held.with("text/event-stream", events(payloads, streams)));
      case WHOLE ->
          streamed
              ? payloads(held, streams)
                  .flatMap(asked::asWhole)
                  .map(body -> held.with("application/json", body))
              : Optional.of(held);
    };
  }

  private static byte[] events(List<byte[]> payloads, StreamSettings streams) {
    SseFraming framing = new SseFraming(streams.eventBytes());
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    payloads.forEach(payload -> events.writeBytes(framing.frame(payload)));
    return events.toByteArray();
  }

  private static Optional<List<byte[]>> payloads(HeldMessage held, StreamSettings streams) {
    SseFraming framing = new SseFraming(streams.eventBytes());
    if (framing.feed(Unpooled.wrappedBuffer(held.content().body())).isPresent()
        || framing.end().isPresent()) {
      return Optional.empty();
    }
    List<byte[]> payloads = new ArrayList<>();
    for (Optional<Frame> next = framing.next(); next.isPresent(); next = framing.next()) {
      next.get().payload().ifPresent(payloads::add);
    }
    return Optional.of(payloads);
  }

  /** The body to deliver; empty if the held one cannot answer this request. */
  public static Optional<byte[]> adopt(
      RequestView asked, HeldMessage held, StreamSettings streams) {
    return isStream(held)
        ? adoptEvents(asked, held.content().body(), streams)
        : asked.adopt(held.content().body());
  }

  /**
   * The answer as its receiver reads it; empty for a stream, in which nothing is believed, and for
   * what nobody can read.
   *
   * @param body as {@link #adopt} made it
   */
  public static Optional<ResponseView> view(RequestView asked, HeldMessage held, byte[] body) {
    if (isStream(held)) {
      return Optional.empty();
    }
    HttpHeaders fields = headers(held);
    HttpHeaders trailers = trailers(held);
    Reading<ResponseView> reading =
        asked.readResponse(
            new ResponseHead(
                held.content().status(),
                name -> Optional.ofNullable(fields.get(name)),
                Relayed.NOTHING,
                ResponseHead.EVENT_BYTES,
                name -> Optional.ofNullable(trailers.get(name))),
            body);
    return switch (reading) {
      case Reading.Readable<ResponseView>(ResponseView read) -> Optional.of(read);
      case Reading.Unjudged<ResponseView> _, Reading.Malformed<ResponseView> _ -> Optional.empty();
    };
  }

  /** What stands behind the body: a gRPC answer that was held was a good one to its client. */
  public static HttpHeaders trailers(HeldMessage held) {
    HttpHeaders trailers = new DefaultHttpHeaders();
    if (type(held).startsWith("application/grpc")) {
      trailers.set("grpc-status", "0");
    }
    return trailers;
  }

  /** The end-to-end fields of a held response, ready for delivery. */
  public static HttpHeaders headers(HeldMessage held) {
    HttpHeaders headers = new DefaultHttpHeaders();
    held.content().headers().forEach(field -> headers.add(field.name(), field.value()));
    if (!held.content().contentType().isEmpty()) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, held.content().contentType());
    }
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    return headers;
  }

  private static boolean isStream(HeldMessage held) {
    return type(held).startsWith("text/event-stream");
  }

  private static String type(HeldMessage held) {
    return held.content().contentType().strip().toLowerCase(Locale.ROOT);
  }

  private static Optional<byte[]> adoptEvents(
      RequestView asked, byte[] body, StreamSettings streams) {
    SseFraming framing = new SseFraming(streams.eventBytes());
    boolean broken =
        framing.feed(Unpooled.wrappedBuffer(body)).isPresent() || framing.end().isPresent();
    ByteArrayOutputStream adopted = new ByteArrayOutputStream(body.length);
    for (Optional<Frame> next = framing.next(); next.isPresent(); next = framing.next()) {
      Frame frame = next.get();
      Optional<byte[]> bytes =
          frame.payload().isEmpty()
              ? Optional.of(frame.bytes())
              : asked.adopt(frame.payload().get()).map(payload -> renewed(framing, frame, payload));
      if (bytes.isEmpty()) {
        return Optional.empty();
      }
      adopted.writeBytes(bytes.get());
    }
    return broken ? Optional.empty() : Optional.of(adopted.toByteArray());
  }

  private static byte[] renewed(SseFraming framing, Frame frame, byte[] payload) {
    for (byte b : payload) {
      if (b == '\n' || b == '\r') {
        return framing.frame(payload);
      }
    }
    int old = frame.payload().orElseThrow().length;
    return frame.edited(List.of(new Edit(0, old, payload)));
  }
}
