package dev.parlance.proxy.pact;

import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.PactParts;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.json.JsonDocument;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;

/**
 * Holds an answer that arrives as a stream to the pact of its request: every event before it goes
 * on, and the whole at its end.
 *
 * <pre>
 *   the pact asks for something that only the whole shows (grounding, citations, ...)  waits, whole
 *   the local agent can be asked again for what the pact asks of its output            waits, whole
 *   the pact is in dispute: a person decides about the answer                          waits, whole
 *   else                                                                               flows
 * </pre>
 */
final class StreamPact {
  private static final String EVENTS = "text/event-stream";
  private static final String JSON = "application/json";

  private final PactClauses clauses;
  private final ExchangeContext exchange;
  private final Pacts.Held pact;
  private final boolean own;
  private final boolean waits;
  private final String type;
  private final PactParts parts;
  private final ExchangeProof proof;

  /** True once it is known what came of the answer. */
  private boolean settled;

  /** What came of it, as long as nothing proves that the other party has said it. */
  private Optional<PactCheck.Result> unproven = Optional.empty();

  private HttpHeaders trailers = new DefaultHttpHeaders();
  private long arrivedBytes;
  private boolean arrivedAll;

  StreamPact(
      ExchangeContext exchange,
      PactClauses clauses,
      Pacts.Held pact,
      ExchangeProof proof,
      HttpHeaders headers) {
    this.proof = proof;
    this.exchange = exchange;
    this.clauses = clauses;
    this.pact = pact;
    this.own = exchange.direction() == Direction.INBOUND;
    String media = ExchangeContext.mediaType(headers);
    // What stands in an event is JSON in every protocol of agents; what is not shows when read.
    this.type = media.equals(EVENTS) ? JSON : media;
    PactCheck check = pact.check();
    this.waits =
        check.needsWholeAnswer()
            || pact.standing() == Pacts.Standing.DISPUTED
            || (own
                && check.mayBeRepaired()
                && exchange.rule().mayRepair()
                && exchange.canAskAgain());
    this.parts =
        new PactParts(
            pact,
            proof.number(/* request= */ false),
            exchange.config().limits().json(),
            exchange.protocol(),
            media,
            clauses.standards(pact));
  }

  /** True if nothing of it may go on before all of it has come. */
  boolean waits() {
    return waits;
  }

  /**
   * Holds an event to the pact.
   *
   * @param read for protobuf the JSON that says the same, else empty
   */
  Passage event(Frame frame, JsonDocument read) {
    exchange.record().under(pact.id());
    Optional<Passage> against =
        clauses
            .standing(pact, PactClauses.NEVER_RELEASED)
            .filter(passage -> !waits || !(passage instanceof Passage.Held));
    if (against.isPresent()) {
      return against.get();
    }
    PactCheck.Result result =
        parts.part(
            frame.payload().orElse(new byte[0]),
            read,
            type,
            frame.bytes().length,
            exchange.tookMs());
    Passage passage = passage(result);
    if (!(passage instanceof Passage.On)) {
      settle(result);
    }
    return passage;
  }

  private void settle(PactCheck.Result result) {
    settled = true;
    if (own) {
      clauses.observed(pact, true, result);
    } else if (arrivedAll) {
      count(result);
    } else {
      unproven = Optional.of(result);
    }
  }

  private void count(PactCheck.Result result) {
    if (proof.streamEnd(pact)) {
      clauses.observed(pact, false, result);
    }
  }

  // ---- its bytes, of the other party ----

  void arriving(ByteBuf piece) {
    if (!own) {
      arrivedBytes += piece.readableBytes();
      proof.piece(piece);
    }
  }

  void arrivedAll(HttpHeaders last) {
    trailers = last;
    if (!own) {
      arrivedAll = true;
      proof.ended(last);
      unproven.ifPresent(this::count);
      unproven = Optional.empty();
    }
  }

  /** True if it was stopped, and its end will show whether the other party has said it. */
  boolean wantsRest() {
    return unproven.isPresent() && arrivedBytes <= exchange.config().streams().holdBytes();
  }

  /**
   * Holds the whole answer to the pact, once.
   *
   * @param judgment what came of judging its words
   * @param words true if it has words
   */
  Passage whole(Optional<Judgment> judgment, boolean words) {
    if (settled) {
      return Passage.ON;
    }
    exchange.record().under(pact.id());
    PactCheck.Result result = parts.whole(judgment, words, exchange.tookMs());
    settle(result);
    if (!own && !proof.streamEnd(pact)) {
      return clauses.stop(
          Reason.PACT_UNPROVEN, "nothing proves that all of the answer is of " + pact.peer());
    }
    return clauses
        .standing(pact, PactClauses.NEVER_RELEASED)
        .or(() -> clauses.beside(pact, PactTerms.Leg.ANSWER, trailers))
        .orElseGet(() -> passage(result));
  }

  private Passage passage(PactCheck.Result result) {
    return clauses.passage(
        pact,
        own,
        Leg.RESPONSE,
        result,
        parts.offender(),
        parts.faults(),
        PactClauses.NEVER_RELEASED);
  }
}
