package dev.parlance.cli.offline;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Multiplicity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "certify",
    description = {
      "Decides offline which terms agents use alike (Algorithm 1). Two forms:",
      "",
      "JSON Lines in, JSON Lines out. An input line is an object with agent1 and",
      "agent2, two strings of A (assent), D (dissent), N (neutral), the i-th letters",
      "about the same event; and id, term, tau, delta, rho_min. The line for it has",
      "the counts and the decision under the paper's Wilson bound (u, certified) and",
      "under Clopper-Pearson's. A malformed line gives",
      "{\"id\":..,\"error\":{\"code\",\"message\"}}; the others go on, and the exit status is",
      "1 at the end.",
      "",
      "With --table: witnessed tests, one a row, columns agent,event,term,verdict",
      "(assent, neutral or dissent); every pair of agents and every term at once,",
      "with the comparisons an undecided term still needs. A row twice counts once",
      "and is warned about; with another verdict it is an error: the first one",
      "counts, and the exit status is 1.",
      "",
      "A term worse than tau is certified with probability at most delta (exact: for",
      "one look at the data; anytime: for any number; wilson: approximately)."
    },
    footer = {
      "",
      "Examples:",
      "  parlance certify verdicts.jsonl",
      "  parlance certify --table tests.csv --tau 0.05 --bound exact",
      "  parlance certify --table tests.jsonl --power 0.02 -o json"
    })
final class CertifyCommand implements Callable<Integer> {
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

  private final Terminal terminal;

  CertifyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

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
    Optional<String> problem = LineFilter.problemOf(files);
    return problem.isPresent()
        ? terminal.complain(ExitStatus.USAGE, "certify: " + problem.get())
        : new LineFilter(terminal, line -> CertifyLine.answer(line, params)).run(files);
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
