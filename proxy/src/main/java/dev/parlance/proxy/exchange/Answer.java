package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.RouteRule;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.ResponseStream;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.function.Supplier;

/** The one answer that a caller gets, in its own protocol. */
final class Answer {
  private static final int FIRST_ERROR_STATUS = 400;

  private final ServerCall exchange;
  private final Codecs codecs;
  private final RouteRule rule;
  private final RequestHead head;
  private final Trail trail;
  private PlainBody body = PlainBody.none();
  private Supplier<Optional<RoundStatus>> round = Optional::empty;
  private boolean given;

  Answer(ServerCall exchange, Codecs codecs, RouteRule rule, RequestHead head, Trail trail) {
    this.exchange = exchange;
    this.codecs = codecs;
    this.rule = rule;
    this.head = head;
    this.trail = trail;
  }

  /** The request's body as it was read, for the ids that a refusal repeats; kept, not copied. */
  void to(PlainBody requestBody) {
    body = requestBody;
  }

  /** How the round stands that the exchange has to do with; asked when the answer is given. */
  void beside(Supplier<Optional<RoundStatus>> status) {
    round = status;
  }

  /** True once it is given, or nobody is there any more to take it. */
  boolean isGiven() {
    return given;
  }

  /** The caller has gone. */
  void abandon() {
    given = true;
  }

  void give(WholeResponse reply) {
    given = true;
    round.get().ifPresent(found -> RoundField.write(reply.headers(), found));
    trail.answered(reply.status());
    exchange.respond(reply, false);
  }

  /** Begins an answer that is given piece by piece. */
  ResponseStream begin(int status, HttpHeaders headers) {
    given = true;
    trail.begun();
    round.get().ifPresent(found -> RoundField.write(headers, found));
    if (exchange.protocol() == HttpProtocol.HTTP1) {
      headers.set(HttpHeaderNames.TRAILER, VerdictFields.TRAILERS);
    }
    return exchange.begin(status, headers);
  }

  /** A typed refusal; nothing if the caller has gone. */
  void refuse(Optional<RequestView> asked, Notice notice, Optional<ResponseView> rejected) {
    if (!given) {
      give(Replies.of(refusal(asked, notice, rejected), notice));
    }
  }

  /** As above; an error of the origin keeps its status, which tells the caller something. */
  void refuse(Optional<RequestView> asked, Notice notice, int originStatus) {
    Refusal refusal = refusal(asked, notice, Optional.empty());
    give(
        Replies.of(
            originStatus >= FIRST_ERROR_STATUS
                ? Replies.withStatus(refusal, originStatus)
                : refusal,
            notice));
  }

  void giveInternalError(String decisionId) {
    give(Replies.internalError(decisionId));
  }

  private Refusal refusal(
      Optional<RequestView> asked, Notice notice, Optional<ResponseView> rejected) {
    if (asked.isEmpty()) {
      return codecs.refuseUnread(rule.codec().code(), head, body, notice);
    }
    return rejected.isPresent()
        ? asked.get().refuse(notice, rejected.get())
        : asked.get().refuse(notice);
  }
}
