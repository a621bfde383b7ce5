package dev.parlance.demo.debate;

import com.fasterxml.jackson.annotation.JsonCreator;
import dev.parlance.policy.text.Coded;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What becomes of a claim under clauses, as in FOLIO. */
public enum ProofStatus implements Coded {
  /** The clauses grant it. */
  FOLLOWS,
  /** The clauses deny it. */
  CONTRADICTED,
  /** They do neither. */
  OPEN;

  private static final Pattern VERDICT = Pattern.compile("Verdict: ([a-z]+)\\.");

  /** The status of that name. */
  @JsonCreator
  static ProofStatus named(String code) {
    return Coded.find(values(), code)
        .orElseThrow(() -> new IllegalArgumentException("no status: " + code));
  }

  /** What an answer finds; empty if it finds nothing. */
  public static Optional<ProofStatus> in(String answer) {
    Matcher verdict = VERDICT.matcher(answer);
    return verdict.find() ? Coded.find(values(), verdict.group(1)) : Optional.empty();
  }

  String verdict() {
    return "Verdict: " + code() + ".";
  }
}
