package dev.parlance.demo;

import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.policy.pact.Predicate;
import java.util.List;
import java.util.OptionalInt;

/** What the demonstration of pacts is about; what each side would sign stands in its policy. */
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
}
