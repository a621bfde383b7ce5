package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.exchange.body.BodyHolder;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.BodyDecoder;
import dev.parlance.wire.bytes.Inflation;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;

/**
 * Chooses by the head of an answer how its body is taken: gathered whole, read event by event, or
 * passed on unread.
 */
final class AnswerHead {
  private static final int OK = 200;
  private static final String EVENTS = "text/event-stream";

  /** What the media types of gRPC begin with. */
  static final String GRPC = "application/grpc";

  private AnswerHead() {}

  /** True if the answer to this request may be a stream of events. */
  static boolean mayStream(RequestView asked) {
    return asked
        .readStream(
            new ResponseHead(
                OK,
                name ->
                    name.equalsIgnoreCase("content-type") ? Optional.of(EVENTS) : Optional.empty()))
        .isPresent();
  }

  /**
   * How the body is taken: {@link Step#NEXT} to have it gathered whole.
   *
   * @param headers fields of the head; the stream changes and keeps them
   */
  static Step choose(ExchangeContext exchange, int status, HttpHeaders headers) {
    String type = ExchangeContext.mediaType(headers);
    boolean isRead = exchange.asked.isPresent();
    if ((isRead && ResponseHead.isError(status)) || exchange.checks.any(Check::needsWhole)) {
      return Step.NEXT;
    }
    if (exchange.plumbing.isPresent() && !type.equals(EVENTS)) {
      return exchange.plumbing.get().isWatch() ? watch(exchange, status, headers) : Step.NEXT;
    }
    boolean looksStreamed = type.equals(EVENTS) || type.startsWith(GRPC);
    if (!isRead) {
      return looksStreamed
          ? unread(exchange, status, headers, "unread_request", exchange.unreadPolicy)
          : Step.NEXT;
    }
    ResponseHead head =
        new ResponseHead(
            status,
            name -> Optional.ofNullable(headers.get(name)),
            exchange.services.relayed().between(exchange.keys.parties()),
            exchange.config.streams().eventBytes());
    Optional<StreamReader> reader =
        BodyHolder.saysTwoTypes(headers) ? Optional.empty() : exchange.asked.get().readStream(head);
    if (reader.isPresent()) {
      Optional<Inflation> coding =
          exchange.observing() || type.startsWith(GRPC)
              ? Optional.empty()
              : coding(headers, exchange.config.limits().http());
      if (coding.isEmpty() && isCoded(headers)) {
        return unread(exchange, status, headers, "coded_stream", exchange.onUnjudged());
      }
      Optional<ExchangeChecks.Stop> stop = exchange.checks.head(headers);
      if (exchange.checks.refusedUnread().isPresent()) {
        return Step.NEXT;
      }
      if (stop.isPresent() && stop.get().passage() instanceof Passage.Stopped stopped) {
        return stopped(exchange, stop.get().check(), stopped, status);
      }
      exchange.peerWord = PeerVerdict.take(exchange, Leg.RESPONSE, headers);
      coding.ifPresent(_ -> headers.remove(HttpHeaderNames.CONTENT_ENCODING));
      return new Step.Stream(new StreamingAnswer(exchange, reader.get(), status, headers, coding));
    }
    return type.equals(EVENTS)
        ? unread(exchange, status, headers, "stream", exchange.onUnjudged())
        : Step.NEXT;
  }

  /** A stream that is refused at its head. */
  private static Step stopped(
      ExchangeContext exchange, Check check, Passage.Stopped stopped, int status) {
    check.stopped(stopped.reason(), Leg.RESPONSE);
    exchange.record.stoppedUnread(
        stopped.reason(), Leg.RESPONSE, exchange.services.gate().newId(), PlainBody.none(), status);
    return new Step.Refuse(Notices.stopped(stopped, Optional.empty()), Optional.empty());
  }

  private static Step watch(ExchangeContext exchange, int status, HttpHeaders headers) {
    exchange.stripFields(headers, Leg.RESPONSE);
    PassedFields.boundStatus(headers);
    return new Step.Stream(
        new StreamSink.PassThrough(exchange, status, headers, !exchange.observing()));
  }

  private static Step unread(
      ExchangeContext exchange, int status, HttpHeaders headers, String what, OnFailure onUnread) {
    boolean isBound = exchange.checks.any(check -> check.binds(Leg.RESPONSE));
    OnFailure policy = isBound ? OnFailure.BLOCK : onUnread;
    exchange.stripFields(headers, Leg.RESPONSE);
    String id = exchange.services.gate().newId();
    exchange.record.unjudged(what, policy, Leg.RESPONSE, id, PlainBody.none(), status);
    if (policy == OnFailure.BLOCK) {
      return new Step.Refuse(Notices.unjudged(what, Leg.RESPONSE, exchange), Optional.empty());
    }
    if (policy == OnFailure.WARN) {
      exchange.annotate(headers, exchange.unjudged(id));
    }
    return new Step.Stream(
        new StreamSink.PassThrough(exchange, status, headers, /* isWatch= */ false));
  }

  private static Optional<Inflation> coding(HttpHeaders headers, HttpMessageLimits limits) {
    return BodyDecoder.pieces(
        headers.getAll(HttpHeaderNames.CONTENT_ENCODING),
        limits.bodyBytes(),
        limits.inflationRatio());
  }

  private static boolean isCoded(HttpHeaders headers) {
    List<String> codings = headers.getAll(HttpHeaderNames.CONTENT_ENCODING);
    return codings.stream().anyMatch(coding -> !coding.strip().equalsIgnoreCase("identity"));
  }
}
