package dev.parlance.demo;

import dev.parlance.demo.license.LicensePlan;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.policy.pact.Predicate;
import java.util.List;
import java.util.OptionalInt;

/** What the demonstration of pacts is about: a template, and what each side would sign. */
final class PactScript {
  /** Who has written the template. */
  static final String AUTHOR = "platform";

  /** Who decides disputes. */
  static final String ARBITER = "board";

  /** The person at the sidecars. */
  static final String PERSON = "ada";

  /** How long before its effect a withdrawal is said at least. */
  static final int NOTICE_MS = 1500;

  /** Most of an answer under the template. */
  static final int MAX_KB = 8;

  /** The field that is agreed. */
  static final String FIELD = "topic";

  /** The field that is not. */
  static final String FORBIDDEN = "reader";

  static final String REFERENCE = "ask-license@1";

  private PactScript() {}

  static PactStatement.Template template() {
    return new PactStatement.Template(
        AUTHOR,
        "ask-license",
        1,
        OptionalInt.empty(),
        List.of(
            new Predicate("scope", "scope", "fields=" + FIELD),
            new Predicate("action", "action", "rate_per_min=600"),
            new Predicate("output", "output", "max_kb=" + MAX_KB),
            new Predicate("success", "success", "answers_the_question"),
            new Predicate("failure", "failure", "report=within_60s"),
            new Predicate("dispute", "dispute", "arbiter=" + ARBITER),
            new Predicate("audit", "audit", "retain_days=30"),
            new Predicate("termination", "termination", "notice_ms=" + NOTICE_MS)));
  }

  /** The officer offers the template, and takes orders within bounds. */
  static String officerPolicy() {
    return """
        - peers: [%s]
          accept: [%s]
          offer: [%s]
          propose:
            - { id: audit, category: audit, body: "retain_days=365" }
          bounds:
            fields: { subsetOf: [%s] }
            max_kb: { atMost: 16 }
            notice_ms: { atLeast: %d }
    """
        .formatted(LicensePlan.SCHOLAR, REFERENCE, REFERENCE, FIELD, NOTICE_MS);
  }

  /** The scholar takes the template, and has a position of its own where it gives orders. */
  static String scholarPolicy() {
    return """
        - peers: [%s]
          accept: [%s]
          propose:
            - { id: scope, category: scope, body: "fields=%s,%s" }
            - { id: action, category: action, body: "rate_per_min=600" }
            - { id: output, category: output, body: "max_kb=64" }
            - { id: success, category: success, body: "confirmed" }
            - { id: failure, category: failure, body: "report=within_60s" }
            - { id: dispute, category: dispute, body: "arbiter=%s" }
            - { id: termination, category: termination, body: "notice_ms=0" }
          bounds:
            retain_days: { atMost: 90 }
    """
        .formatted(LicensePlan.OFFICER, REFERENCE, FIELD, FORBIDDEN, ARBITER);
  }
}
