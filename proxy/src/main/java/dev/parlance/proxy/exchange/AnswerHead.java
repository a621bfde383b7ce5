package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.exchange.PactStage.Passage;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
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
  static Step choose(ExchangeContext at, Exchange exchange, int status, HttpHeaders headers) {
    String type = mediaType(headers);
    if (at.accepted.isPresent()) {
      return Step.NEXT; // what negotiates a pact is looked at whole
    }
    boolean looksStreamed = type.equals(EVENTS) || type.startsWith(GRPC);
    if (at.asked.isEmpty()) {
      return looksStreamed
          ? unread(at, exchange, status, headers, "unread_request", at.unreadPolicy)
          : Step.NEXT;
    }
    ResponseHead head =
        new ResponseHead(
            status,
            name -> Optional.ofNullable(headers.get(name)),
            at.services.relayed().between(at.keys.parties()),
            at.config.streams().eventBytes());
    Optional<StreamReader> reader =
        BodyHolder.saysTwoTypes(headers) ? Optional.empty() : at.asked.get().readStream(head);
    if (reader.isPresent() && isCoded(headers)) {
      return unread(at, exchange, status, headers, "coded_stream", at.onUnjudged());
    }
    if (reader.isPresent() && at.pact.isPresent()) {
      Optional<Step> against = underPact(at, at.pact.get(), status, headers);
      if (against.isPresent()) {
        return against.get();
      }
    }
    if (reader.isPresent()) {
      at.record.forgedFields(VerdictFields.strip(headers), Leg.RESPONSE);
      return new Step.Stream(new StreamingAnswer(at, exchange, reader.get(), status, headers));
    }
    return type.equals(EVENTS)
        ? unread(at, exchange, status, headers, "stream", at.onUnjudged())
        : Step.NEXT;
  }

  /** A stream is refused at its head if it is not under the pact of its request. */
  private static Optional<Step> underPact(
      ExchangeContext at, Pacts.Held pact, int status, HttpHeaders headers) {
    if (at.direction == Direction.OUTBOUND) {
      List<String> fields = headers.getAll(PactFields.PACT);
      at.saidOfPact = PactFields.reference(headers);
      if (PactStage.goesAgain(at)) {
        headers.set(PactFields.PACT, fields);
        return Optional.of(Step.NEXT); // read as the refusal that it is
      }
    }
    return switch (PactStage.head(at, pact).orElse(PactStage.ON)) {
      case Passage.Stopped(Reason reason, String detail) -> {
        at.responder.refusesPact(reason.code(), true);
        at.record.stoppedUnread(
            reason, Leg.RESPONSE, at.services.gate().newId(), PlainBody.none(), status);
        yield Optional.of(
            new Step.Refuse(
                Notices.pact(reason, detail, Optional.empty()), Optional.empty(), status, ""));
      }
      case Passage.On _, Passage.Held _, Passage.Again _ -> Optional.empty();
    };
  }

  private static Step unread(
      ExchangeContext at,
      Exchange exchange,
      int status,
      HttpHeaders headers,
      String what,
      OnFailure onUnread) {
    // Nothing goes on unread under a pact.
    OnFailure policy = at.pact.isPresent() ? OnFailure.BLOCK : onUnread;
    at.record.forgedFields(VerdictFields.strip(headers), Leg.RESPONSE);
    String id = at.services.gate().newId();
    at.record.unjudged(what, policy, Leg.RESPONSE, id, PlainBody.none(), status);
    if (policy == OnFailure.BLOCK) {
      return new Step.Refuse(Notices.unjudged(what), Optional.empty(), status, "");
    }
    if (policy == OnFailure.WARN) {
      VerdictFields.write(headers, at.unjudged(id));
    }
    return new Step.Stream(new StreamSink.PassThrough(at, exchange, status, headers));
  }

  /** Type and subtype in lower case, empty if there are none. */
  static String mediaType(HttpHeaders headers) {
    String value = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
    int parameters = value.indexOf(';');
    return (parameters < 0 ? value : value.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  private static boolean isCoded(HttpHeaders headers) {
    List<String> codings = headers.getAll(HttpHeaderNames.CONTENT_ENCODING);
    return codings.stream().anyMatch(coding -> !coding.strip().equalsIgnoreCase("identity"));
  }
}
