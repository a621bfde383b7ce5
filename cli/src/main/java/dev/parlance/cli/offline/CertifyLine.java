package dev.parlance.cli.offline;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineFilter;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermDecision;
import dev.parlance.policy.core.TermVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One line of {@code certify}: two agents' verdicts on the same events as strings of {@code A}
 * (assent), {@code D} (dissent) and {@code N} (neutral), and the constants. What comes out are the
 * members of a golden {@code stim-certify} vector's {@code out}: the decision under the paper's
 * Wilson bound and under Clopper-Pearson's.
 */
final class CertifyLine {
  private final JsonNode id;
  private final ObjectNode members;
  private Optional<ObjectNode> error = Optional.empty();

  private CertifyLine(JsonNode id, ObjectNode members) {
    this.id = id;
    this.members = members;
  }

  /**
   * What is written for a line.
   *
   * @param defaults constants of lines that do not name them
   */
  static ObjectNode answer(byte[] line, CertificationParams defaults) {
    return switch (InputLine.read(line)) {
      case InputLine.Malformed(JsonNode id, LineFault fault, String message) ->
          LineFilter.error(id, fault, message);
      case InputLine.Members(ObjectNode members) -> {
        JsonNode id = members.path("id");
        yield id.isMissingNode() || InputLine.isId(id)
            ? new CertifyLine(id.isMissingNode() ? InputLine.NO_ID : id, members).decide(defaults)
            : LineFilter.error(
                InputLine.NO_ID,
                LineFault.BAD_TYPE,
                "id: expected a string or an integer, got " + InputLine.kind(id));
      }
    };
  }

  private ObjectNode decide(CertificationParams defaults) {
    List<TermVerdict> first = verdicts("agent1");
    List<TermVerdict> second = verdicts("agent2");
    double tau = number("tau", defaults.tau());
    double delta = number("delta", defaults.delta());
    double rhoMin = number("rho_min", defaults.rhoMin());
    JsonNode term = members.path("term");
    if (!term.isMissingNode() && !(term.isString() && InputLine.isText(term.stringValue()))) {
      refuse(LineFault.BAD_TYPE, "term: expected a string, got " + InputLine.kind(term));
    }
    if (error.isEmpty() && first.size() != second.size()) {
      refuse(
          LineFault.BAD_VALUE,
          "agent2: expected as many verdicts as agent1 has, "
              + first.size()
              + ", got "
              + second.size());
    }
    Optional<CertificationParams> wilson = params(tau, delta, rhoMin, Bound.WILSON);
    Optional<CertificationParams> exact = params(tau, delta, rhoMin, Bound.EXACT);
    return error.orElseGet(
        () -> decided(Tally.of(first, second), wilson.orElseThrow(), exact.orElseThrow()));
  }

  private ObjectNode decided(Tally tally, CertificationParams wilson, CertificationParams exact) {
    TermDecision byWilson = Certifier.decide(tally, wilson);
    TermDecision byExact = Certifier.decide(tally, exact);
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.set("id", id);
    if (members.has("term")) {
      line.set("term", members.path("term"));
    }
    line.put("k", tally.eligible());
    line.put("c", tally.contradictions());
    line.put("n_aud", tally.audited());
    line.put("u", byWilson.upper());
    line.put("s", tally.coverage());
    line.put("certified", byWilson.isCertified());
    line.put("certified_clopper_pearson", byExact.isCertified());
    line.put("u_clopper_pearson", byExact.upper());
    return line;
  }

  private void refuse(LineFault fault, String message) {
    if (error.isEmpty()) {
      error = Optional.of(LineFilter.error(id, fault, message));
    }
  }

  private List<TermVerdict> verdicts(String name) {
    JsonNode node = members.path(name);
    if (!node.isString()) {
      refuse(
          node.isMissingNode() ? LineFault.MISSING_FIELD : LineFault.BAD_TYPE,
          name + ": expected a string of A, D and N, got " + InputLine.kind(node));
      return List.of();
    }
    String letters = node.stringValue();
    List<TermVerdict> verdicts = new ArrayList<>(letters.length());
    for (int i = 0; i < letters.length(); i++) {
      Optional<TermVerdict> verdict = TermVerdict.ofLetter(letters.charAt(i));
      if (verdict.isEmpty()) {
        refuse(LineFault.BAD_VALUE, name + ": expected A, D or N at position " + (i + 1));
        return List.of();
      }
      verdicts.add(verdict.get());
    }
    return verdicts;
  }

  private double number(String name, double otherwise) {
    JsonNode node = members.path(name);
    if (node.isMissingNode()) {
      return otherwise;
    }
    if (!node.isNumber()) {
      refuse(LineFault.BAD_TYPE, name + ": expected a number, got " + InputLine.kind(node));
      return otherwise;
    }
    return node.doubleValue();
  }

  private Optional<CertificationParams> params(
      double tau, double delta, double rhoMin, Bound bound) {
    try {
      return Optional.of(new CertificationParams(tau, delta, rhoMin, bound));
    } catch (IllegalArgumentException e) {
      refuse(LineFault.BAD_VALUE, String.valueOf(e.getMessage()).replace("rhoMin", "rho_min"));
      return Optional.empty();
    }
  }
}
