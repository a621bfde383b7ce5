package dev.parlance.demo.agent;

/**
 * URIs under which metadata of A2A messages, tasks and artifacts carries what the demonstration
 * needs.
 */
public final class Extensions {
  /** What an answer was written from: {@code {question, context:[{id,text}], citations}}. */
  public static final String EVIDENCE = "https://w3id.org/parlance/ext/evidence/v1";

  /** What a sidecar found. */
  public static final String VERDICT = "https://w3id.org/parlance/ext/asp/v1";

  /** What an audit asks about the use of words, and what an agent answers. */
  static final String AUDIT = "https://w3id.org/parlance/ext/audit/v1";

  /** A proposal in a round, a claim that a round has ended, and how a round stands. */
  public static final String ROUND = "https://w3id.org/parlance/ext/round/v1";

  /** Under which id the review queue holds an answer that was not delivered. */
  static final String REVIEW_ID = VERDICT + "/review";

  /** Why a sidecar ended a task in the agent's place. */
  static final String CODE = VERDICT + "/code";

  /** What a sidecar wants changed of an answer that it did not let through. */
  static final String REPAIR = VERDICT + "/repair";

  /** What the officer received and decided; only the demonstration uses it. */
  public static final String RECEIPT = "https://w3id.org/parlance/ext/demo-receipt/v1";

  private Extensions() {}
}
