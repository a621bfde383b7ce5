package dev.parlance.proxy.exchange;

import dev.parlance.policy.pact.PactCheck;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.exchange.PactStage.Passage;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.PactParts;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.json.JsonDocument;
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

  private final ExchangeContext at;
  private final Pacts.Held pact;
  private final boolean own;
  private final boolean waits;
  private final String type;
  private final PactParts parts;

  /** True once it is known what came of the answer. */
  private boolean settled;

  private StreamPact(ExchangeContext at, Pacts.Held pact, HttpHeaders headers) {
    this.at = at;
    this.pact = pact;
    this.own = at.direction == Direction.INBOUND;
    String media = AnswerHead.mediaType(headers);
    // What stands in an event is JSON in every protocol of agents; what is not shows when read.
    this.type = media.equals(EVENTS) ? JSON : media;
    PactCheck check = pact.check();
    this.waits =
        check.needsWholeAnswer()
            || pact.standing() == Pacts.Standing.DISPUTED
            || (own
                && check.mayBeRepaired()
                && at.rule.regenerate()
                && at.asked.orElseThrow().canBeAskedAgain());
    this.parts =
        new PactParts(
            pact,
            own,
            at.config.limits().json(),
            at.record.protocol,
            media,
            PactStage.standards(at, pact));
  }

  /** Of the pact that its request is under; empty if there is none. */
  static Optional<StreamPact> of(ExchangeContext at, HttpHeaders headers) {
    return at.pact.map(pact -> new StreamPact(at, pact, headers));
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
    at.record.under(pact.id());
    Optional<Passage> against =
        PactStage.standing(at, pact, PactStage.NEVER_RELEASED)
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
            PactStage.tookMs(at));
    Passage passage = passage(result);
    if (!(passage instanceof Passage.On)) {
      settled = true;
      parts.observed(result);
    }
    return passage;
  }

  /**
   * Holds the whole answer to the pact, once.
   *
   * @param judgment what came of judging its words
   * @param words true if it has words
   */
  Passage whole(Optional<Judgment> judgment, boolean words) {
    if (settled) {
      return PactStage.ON;
    }
    settled = true;
    at.record.under(pact.id());
    PactCheck.Result result = parts.whole(judgment, words, PactStage.tookMs(at));
    parts.observed(result);
    return PactStage.standing(at, pact, PactStage.NEVER_RELEASED).orElseGet(() -> passage(result));
  }

  private Passage passage(PactCheck.Result result) {
    return PactStage.passage(
        at, pact, own, Leg.RESPONSE, result, parts.faults(), PactStage.NEVER_RELEASED);
  }
}
