package dev.parlance.cli.offline;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.SampleSize;
import dev.parlance.policy.core.Tally;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The decisions over a table of witnessed tests, for people. */
public final class TableText {
  /** Terms of a core that are named in one line. */
  private static final int NAMED_MAX = 20;

  private final Terminal terminal;

  TableText(Terminal terminal) {
    this.terminal = terminal;
  }

  void print(TableDecisions decisions) {
    VerdictTable.PairTallies tallies = decisions.tallies();
    terminal.println(constants(decisions.perTerm()));
    for (VerdictTable.PairTallies.Pair pair : tallies.pairs()) {
      print(decisions.decide(pair));
    }
    if (tallies.agents().size() > 2) {
      terminal.out().println();
      terminal.println(
          core(
              "V* of all " + tallies.agents().size() + " agents",
              decisions.coreOfAll(),
              tallies.terms().size()));
    }
  }

  /** The constants in one line. */
  public static String constants(CertificationParams params) {
    return "tau %s, delta %s a term, rho_min %s, bound %s"
        .formatted(params.tau(), params.delta(), params.rhoMin(), params.bound().code());
  }

  private void print(TableDecisions.Pair pair) {
    String names = String.join(" + ", pair.agents());
    terminal.out().println();
    terminal.println(TerminalEscaper.line(names));
    var table =
        new TextTable("  ", "term, >n_aud, >k, >c, >coverage, >upper, decision, reason, >needed");
    for (TableDecisions.Term term : pair.terms()) {
      Tally tally = term.decision().tally();
      boolean certified = term.decision().isCertified();
      UnaryOperator<String> colour = certified ? terminal::good : terminal::bad;
      table.add(
          term.key(),
          tally.audited(),
          tally.eligible(),
          tally.contradictions(),
          fixed(tally.coverage(), 3),
          fixed(term.decision().upper(), 4),
          new TextTable.Cell(certified ? "certified" : "refused", colour),
          term.reason().map(RefusalReason::code).orElse(""),
          needed(term.needed()));
    }
    table.print(terminal.out());
    long oneSided = pair.terms().stream().mapToLong(TableDecisions.Term::oneSided).sum();
    if (oneSided > 0) {
      terminal.println(
          "  not counted: " + oneSided + " tests whose event the other agent was not tested on");
    }
    terminal.println(core("V* of " + names, pair.core(), pair.terms().size()));
  }

  private static String core(String whose, List<String> terms, int of) {
    String named =
        terms.stream()
            .limit(NAMED_MAX)
            .map(TerminalEscaper::line)
            .collect(Collectors.joining(", "));
    return "%s: %s of %s%s%s"
        .formatted(
            TerminalEscaper.line(whose),
            terms.size(),
            of,
            terms.isEmpty() ? "" : ": " + named,
            terms.size() > NAMED_MAX ? ", ... (-o json names all)" : "");
  }

  /** Further comparisons without contradiction. */
  public static String needed(int needed) {
    return needed == 0 ? "" : needed >= SampleSize.MAX ? "never" : Integer.toString(needed);
  }

  /** A number with so many places; what is out of JSON's reach does not come here. */
  public static String fixed(double value, int places) {
    return String.format(Locale.ROOT, "%." + places + "f", value);
  }
}
