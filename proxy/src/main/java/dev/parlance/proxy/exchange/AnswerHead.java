package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the head of an answer says about how its body is to be taken. */
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
   * Who takes the body piece by piece; empty to have it gathered whole.
   *
   * @param headers fields of the head; the stream changes and keeps them
   */
  static Optional<StreamSink> sink(Case at, Turn turn, int status, HttpHeaders headers) {
    String type = mediaType(headers);
    boolean looksStreamed = type.equals(EVENTS) || type.startsWith(GRPC);
    if (turn.view().isEmpty()) {
      return looksStreamed
          ? Optional.of(raw(at, turn, status, headers, "unread_request", turn.unreadPolicy()))
          : Optional.empty();
    }
    ResponseHead head =
        new ResponseHead(
            status,
            name -> Optional.ofNullable(headers.get(name)),
            at.services.relayed().between(at.keys.parties()),
            at.config.streams().eventBytes());
    Optional<StreamReader> reader =
        Bodies.saysTwoTypes(headers) ? Optional.empty() : turn.view().get().readStream(head);
    if (reader.isPresent() && isCoded(headers)) {
      return Optional.of(unjudged(at, turn, status, headers, "coded_stream"));
    }
    if (reader.isPresent()) {
      at.trail.forgedFields(VerdictFields.strip(headers), Leg.RESPONSE);
      return Optional.of(new StreamedAnswer(at, turn, reader.get(), status, headers));
    }
    return type.equals(EVENTS)
        ? Optional.of(unjudged(at, turn, status, headers, "stream"))
        : Optional.empty();
  }

  private static StreamSink unjudged(
      Case at, Turn turn, int status, HttpHeaders headers, String what) {
    return raw(at, turn, status, headers, what, at.onUnjudged());
  }

  private static StreamSink raw(
      Case at, Turn turn, int status, HttpHeaders headers, String what, OnFailure policy) {
    at.trail.forgedFields(VerdictFields.strip(headers), Leg.RESPONSE);
    String id = at.services.gate().newId();
    at.trail.unjudged(what, policy, Leg.RESPONSE, id, PlainBody.none(), status);
    return switch (policy) {
      case BLOCK -> {
        at.answer.refuse(turn.view(), Notices.unjudged(what), status);
        turn.cancel();
        yield new NoStream();
      }
      case WARN -> {
        VerdictHeader verdict = at.unjudged(id, turn.attempt());
        VerdictFields.write(headers, verdict);
        yield new RawStream(at, turn, status, headers);
      }
      case ALLOW -> new RawStream(at, turn, status, headers);
    };
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
