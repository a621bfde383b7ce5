package dev.parlance.cli.offline;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermDecision;
import dev.parlance.policy.core.TermVerdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "certify")
final class CertifyCommand extends TerminalCommand {
  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "files of JSON Lines, one after the other; - or none: standard input")
  List<String> files = new ArrayList<>();

  @Option(
      names = "--table",
      paramLabel = "FILE",
      description = "a table of witnessed tests instead; - is standard input")
  Optional<String> table = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "csv|jsonl",
      description = "how the table is written (default: by its name or first byte)")
  Optional<CertifyTable.Format> format = Optional.empty();

  @Mixin CertifyOptions constants = new CertifyOptions();

  @Option(
      names = "--power",
      paramLabel = "RATE",
      description =
          "also say how many comparisons certify a term of that true rate with probability "
              + ".8, .9, .95")
  Optional<Double> power = Optional.empty();

  @Mixin OutputOption output = new OutputOption();

  @Spec CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    CertificationParams params = constants.params();
    if (power.isPresent() && !(power.get() >= 0.0 && power.get() <= 1.0)) {
      throw usage("--power: expected a rate from 0 to 1, got " + power.get());
    }
    if (table.isEmpty()) {
      return lines(params);
    }
    if (!files.isEmpty()) {
      throw usage("either --table FILE or files of JSON Lines, not both");
    }
    return new CertifyTable(terminal, params, constants.multiplicity, power, output.format)
        .run(table.get(), format);
  }

  private int lines(CertificationParams params) throws IOException {
    for (String option : List.of("--format", "--bound", "--multiplicity", "--power")) {
      if (command.commandLine().getParseResult().hasMatchedOption(option)) {
        throw usage(option + " needs --table");
      }
    }
    return new LineFilter(terminal, (id, members) -> decide(id, members, params))
        .run("certify", files);
  }

  /**
   * Decides one line: two agents' verdicts on the same events, and the constants. What comes out
   * are the members of a golden {@code stim-certify} vector's {@code out}: the decision under the
   * paper's Wilson bound and under Clopper-Pearson's.
   *
   * @param defaults constants of lines that do not name them
   */
  private static ObjectNode decide(JsonNode id, ObjectNode members, CertificationParams defaults) {
    List<TermVerdict> first = verdicts(members, "agent1");
    List<TermVerdict> second = verdicts(members, "agent2");
    double tau = number(members, "tau", defaults.tau());
    double delta = number(members, "delta", defaults.delta());
    double rhoMin = number(members, "rho_min", defaults.rhoMin());
    JsonNode term = members.path("term");
    if (!term.isMissingNode() && !(term.isString() && InputLine.isText(term.stringValue()))) {
      throw LineFault.BAD_TYPE.problem("term: expected a string, got " + InputLine.kind(term));
    }
    if (first.size() != second.size()) {
      throw LineFault.BAD_VALUE.problem(
          "agent2: expected as many verdicts as agent1 has, %s, got %s"
              .formatted(first.size(), second.size()));
    }
    CertificationParams wilson;
    CertificationParams exact;
    try {
      wilson = new CertificationParams(tau, delta, rhoMin, Bound.WILSON);
      exact = new CertificationParams(tau, delta, rhoMin, Bound.EXACT);
    } catch (IllegalArgumentException e) {
      throw LineFault.BAD_VALUE.problem(
          String.valueOf(e.getMessage()).replace("rhoMin", "rho_min"));
    }
    Tally tally = Tally.of(first, second);
    TermDecision byWilson = Certifier.decide(tally, wilson);
    TermDecision byExact = Certifier.decide(tally, exact);
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.set("id", id);
    if (members.has("term")) {
      line.set("term", term);
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

  private static List<TermVerdict> verdicts(ObjectNode members, String name) {
    String letters =
        InputLine.expect(members.path(name), JsonNode::isString, name, "a string of A, D and N")
            .stringValue();
    List<TermVerdict> verdicts = new ArrayList<>(letters.length());
    for (int i = 0; i < letters.length(); i++) {
      Optional<TermVerdict> verdict = TermVerdict.ofLetter(letters.charAt(i));
      if (verdict.isEmpty()) {
        throw LineFault.BAD_VALUE.problem(name + ": expected A, D or N at position " + (i + 1));
      }
      verdicts.add(verdict.get());
    }
    return verdicts;
  }

  private static double number(ObjectNode members, String name, double otherwise) {
    return members.has(name)
        ? InputLine.expect(members.path(name), JsonNode::isNumber, name, "a number").doubleValue()
        : otherwise;
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(command.commandLine(), message);
  }

  /** The constants of Algorithm 1 as options. */
  static final class CertifyOptions {
    @Option(
        names = "--tau",
        paramLabel = "RATE",
        description = "largest tolerable contradiction rate, in (0,1) (default: 0.05)")
    double tau = CertificationParams.DEFAULT.tau();

    @Option(
        names = "--delta",
        paramLabel = "P",
        description =
            "probability at most which a term worse than tau is certified, in (0,0.5] "
                + "(default: 0.05)")
    double delta = CertificationParams.DEFAULT.delta();

    @Option(
        names = "--rho-min",
        paramLabel = "SHARE",
        description = "least coverage k / n_aud, in [0,1] (default: 0.1)")
    double rhoMin = CertificationParams.DEFAULT.rhoMin();

    @Option(
        names = "--bound",
        paramLabel = "BOUND",
        description =
            "exact (Clopper-Pearson, default), wilson (the paper's) or anytime (holds "
                + "however often one looks)")
    Bound bound = CertificationParams.DEFAULT.bound();

    @Option(
        names = "--multiplicity",
        paramLabel = "WHAT",
        description =
            "per_term (default): delta is each term's; family: delta is the probability that "
                + "the core holds any term worse than tau")
    Multiplicity multiplicity = Multiplicity.PER_TERM;

    @Spec(Spec.Target.MIXEE)
    CommandSpec command = CommandSpec.create();

    /** The constants; a value out of range is a wrong command line. */
    CertificationParams params() {
      try {
        return new CertificationParams(tau, delta, rhoMin, bound);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.ParameterException(
            command.commandLine(), String.valueOf(e.getMessage()).replace("rhoMin", "rho-min"));
      }
    }
  }
}
