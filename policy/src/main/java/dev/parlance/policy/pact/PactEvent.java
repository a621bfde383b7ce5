package dev.parlance.policy.pact;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What can happen to a negotiation and its pact. */
public sealed interface PactEvent {
  /** When, in milliseconds. Events come in the order of their time. */
  long atMs();

  /**
   * Time passes.
   *
   * @param atMs when
   * @param unreachable the party that the orchestrator cannot reach
   */
  record Clock(long atMs, Optional<String> unreachable) implements PactEvent {}

  /**
   * A message of a party or of the arbiter.
   *
   * @param atMs when it came
   * @param from who sent it
   * @param canonical the whole of it as canonical JSON, which the history binds
   * @param body what it says
   */
  record Message(long atMs, String from, String canonical, Body body) implements PactEvent {}

  /** What a message says. */
  sealed interface Body {}

  /** A body that belongs to a negotiation. */
  sealed interface Negotiating extends Body {
    /** Id of the negotiation. */
    String negotiation();
  }

  /**
   * Opens a negotiation.
   *
   * @param source who sends it
   * @param target who is asked
   * @param timeoutMs how long the negotiation may take, from this message
   * @param maxDurationMs how long the pact may hold
   * @param templates references of templates, in the order of preference
   */
  record Invocation(
      String negotiation,
      String source,
      String target,
      long timeoutMs,
      long maxDurationMs,
      List<String> templates)
      implements Negotiating {
    /** Copies the list. */
    public Invocation {
      templates = List.copyOf(templates);
    }
  }

  /**
   * The first position, or the arbiter's last one.
   *
   * @param deadlineMs until when an answer counts
   */
  record Proposal(String negotiation, List<Predicate> predicates, OptionalLong deadlineMs)
      implements Negotiating {
    /** Copies the list. */
    public Proposal {
      predicates = List.copyOf(predicates);
    }
  }

  /** A counter of any kind. */
  sealed interface Counter extends Negotiating {}

  /**
   * Responses to predicates.
   *
   * @param deadlineMs until when an answer counts
   */
  record Position(String negotiation, List<Response> responses, OptionalLong deadlineMs)
      implements Counter {
    /** Copies the list. */
    public Position {
      responses = List.copyOf(responses);
    }
  }

  /**
   * A response to one predicate.
   *
   * @param action accept, reject, modify or add
   * @param category of a predicate that is added, else empty
   * @param body of one that is modified or added, else empty
   * @param rationale why; may be empty but for a rejection
   */
  record Response(String id, String action, String category, String body, String rationale) {}

  /**
   * What the responder makes of the templates.
   *
   * @param reference which one; empty if all are rejected
   * @param decision accept, start or reject_all
   * @param rationale why
   */
  record TemplateChoice(String negotiation, String reference, String decision, String rationale)
      implements Counter {}

  /** Asks for the arbiter. */
  record Escalation(String negotiation) implements Counter {}

  /** Accepts all that the arbiter proposed. */
  record AcceptAll(String negotiation) implements Counter {}

  /**
   * Signs what was agreed.
   *
   * @param pact id of the pact
   * @param predicatesHash hex SHA-256 of the final predicates
   * @param history hex SHA-256 of the negotiation
   * @param startMs when it begins to hold
   * @param endMs when it has ended
   * @param signatures by signer: whether the signature holds
   */
  record Ratification(
      String negotiation,
      String pact,
      String predicatesHash,
      String history,
      long startMs,
      long endMs,
      Map<String, Boolean> signatures)
      implements Negotiating {
    /** Copies the map. */
    public Ratification {
      signatures = Map.copyOf(signatures);
    }
  }

  /** Ends the negotiation without a pact. */
  record Walkaway(String negotiation, String reason) implements Negotiating {}

  /**
   * Ends the pact.
   *
   * @param reason code
   * @param failurePredicate id of the predicate that governs a failure
   * @param effectiveMs from when a withdrawal counts
   */
  record Dissolution(
      String pact, String reason, Optional<String> failurePredicate, OptionalLong effectiveMs)
      implements Body {}

  /** A type that there is not. */
  record Unknown(String type) implements Body {}
}
