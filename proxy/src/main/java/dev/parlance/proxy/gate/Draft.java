package dev.parlance.proxy.gate;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.VerdictNote;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A message to be judged.
 *
 * @param leg which half of the exchange it is
 * @param message what it says
 * @param beside words that go with it, are read for terms and not measured; usually empty
 * @param grounding what is asked of it where it has no evidence
 * @param key whose budget it draws on
 * @param attempt which draft this is within one exchange, from 1
 * @param peerAuthority {@code host:port} of the agent that the local one asks; empty where the
 *     local agent is the one that is asked, because an address does not say who the caller is
 * @param leftOut how many lines of it are beside it because they are no claims
 * @param untested keys of terms that it uses and that are governed in a meaning that no audit has
 *     decided on yet
 * @param missesResults true if it has no evidence, and results of tools have passed its author that
 *     nothing joins with it
 * @param scanned the governed terms of a text that may be its answer, if they are known already
 */
public record Draft(
    Leg leg,
    AgentMessage message,
    Utf8Span beside,
    Grounding grounding,
    FlowKey key,
    int attempt,
    Optional<String> peerAuthority,
    int leftOut,
    Set<String> untested,
    boolean missesResults,
    Optional<ScannedText> scanned) {
  private static final List<VerdictNote> NO_CLAIM = List.of(VerdictNote.NO_CLAIM);
  private static final List<VerdictNote> NOT_JOINED = List.of(VerdictNote.EVIDENCE_NOT_JOINED);

  /** Refuses an attempt below 1. */
  public Draft {
    untested = Set.copyOf(untested);
    if (attempt < 1) {
      throw new IllegalArgumentException("attempts count from 1, got " + attempt);
    }
  }

  /** A draft with nothing beside it. */
  public Draft(
      Leg leg,
      AgentMessage message,
      Grounding grounding,
      FlowKey key,
      int attempt,
      Optional<String> peerAuthority) {
    this(
        leg,
        message,
        Utf8Span.EMPTY,
        grounding,
        key,
        attempt,
        peerAuthority,
        0,
        Set.of(),
        false,
        Optional.empty());
  }

  /** The same with evidence that was found beside it. */
  public Draft with(Evidence evidence) {
    return new Draft(
        leg,
        new AgentMessage(message.answer(), message.question(), evidence),
        beside,
        grounding,
        key,
        attempt,
        peerAuthority,
        leftOut,
        untested,
        false,
        scanned);
  }

  /** What explains its verdict and decides nothing. */
  List<VerdictNote> notes() {
    if (message.evidence().isPresent()) {
      return List.of();
    }
    return grounding == Grounding.NONE ? NO_CLAIM : missesResults ? NOT_JOINED : List.of();
  }

  /**
   * What an error budget belongs to (PROTOCOLS, section 6 f): a flow alone would let one author
   * spend another's budget, and a task id changes on every regeneration.
   *
   * @param flow the flow id
   * @param author who wrote the draft: the asked agent's address with the caller's whom it answers,
   *     or the caller's
   * @param question what was asked; empty for the caller's own messages
   */
  public record FlowKey(String flow, String author, Utf8Span question) {}
}
