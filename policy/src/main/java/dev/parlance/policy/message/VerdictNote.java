package dev.parlance.policy.message;

import dev.parlance.policy.text.Coded;

/** What explains a verdict and decides nothing; the code stands in the verdict and in the log. */
public enum VerdictNote implements Coded {
  /** It has no evidence and needs none. */
  NO_CLAIM("it has no evidence and needs none: a question, or what a tool returns, claims nothing"),

  /** Results of tools have passed its author that nothing joins with it. */
  EVIDENCE_NOT_JOINED(
      "results of tools have passed while it was answered, and nothing joins them with it; have the"
          + " agent send the traceparent of the question on with its calls of tools, as a header"
          + " field or in _meta of MCP");

  /** The field that joins the results of tools with the answer that uses them. */
  public static final String PROPAGATE = "traceparent";

  private final String sentence;

  VerdictNote(String sentence) {
    this.sentence = sentence;
  }

  /** What it means, and what helps. */
  public String sentence() {
    return sentence;
  }
}
