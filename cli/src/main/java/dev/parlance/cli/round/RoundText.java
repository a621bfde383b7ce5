package dev.parlance.cli.round;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.RoundInfo;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rounds, for people. */
final class RoundText {
  private static final int TEXT_MAX = 60;

  private final PrintStream out;
  private final Colours paint;

  RoundText(Terminal terminal) {
    this.out = terminal.out();
    this.paint = new Colours(terminal);
  }

  void printList(List<RoundInfo> rounds, long nowMs) {
    if (rounds.isEmpty()) {
      out.println("no rounds (parlance round open NAME opens one)");
      return;
    }
    var table =
        new TextTable("", "round", ">epoch", "state", ">opened", ">proposed", "outcome", "verdict");
    for (RoundInfo round : rounds) {
      table.add(
          round.round(),
          round.epoch(),
          round.state(),
          TimeText.since(round.openedAtMs(), nowMs),
          round.progress(),
          outcome(round),
          verdict(round));
    }
    table.print(out);
  }

  private static String verdict(RoundInfo round) {
    return round.result() == null ? "" : text(round.result().verdict());
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private TextTable.Cell outcome(RoundInfo round) {
    RoundInfo.Result result = round.result();
    return result == null
        ? TextTable.Cell.of("")
        : new TextTable.Cell(
            result.reason() == null ? result.outcome() : result.outcome() + " " + result.reason(),
            colour(result.outcome()));
  }

  private UnaryOperator<String> colour(String outcome) {
    return switch (outcome) {
      case "semantic_commit" -> paint::good;
      case "verdict_commit" -> paint::warning;
      case "abort" -> paint::bad;
      default -> paint::faint;
    };
  }

  void print(RoundInfo round) {
    fact("round", round.round() + ", epoch " + round.epoch());
    fact("state", state(round));
    fact("members", round.members().size() + ", at most " + round.faults() + " of them faulty");
    fact("encoder", encoder(round));
    if (round.subjectSha256() != null) {
      fact("subject", "SHA-256 " + round.subjectSha256());
    }
    fact("opened", TimeText.time(round.openedAtMs()));
    if (round.result() != null) {
      printResult(round, round.result());
    } else {
      fact("proposed", round.progress());
    }
    printProposals(round);
    round
        .problems()
        .forEach(problem -> out.println(paint.bad(TerminalEscaper.line("! " + problem))));
  }

  private static String state(RoundInfo round) {
    return round.leftMs() == 0
        ? round.state()
        : round.state()
            + ", "
            + String.format(Locale.ROOT, "%.1f", round.leftMs() / 1000.0)
            + " s left";
  }

  private static String encoder(RoundInfo round) {
    String strict = round.strictSemantic() ? ", semantic commits only" : "";
    return round.dim() == 0
        ? "none: no semantic commit"
        : round.encoder()
            + ", "
            + round.dim()
            + " dimensions, a core within "
            + degrees(Math.toDegrees(Math.acos(round.cosMin())))
            + strict;
  }

  private void printResult(RoundInfo round, RoundInfo.Result result) {
    TextTable.Cell outcome = outcome(round);
    out.println(label("outcome") + outcome.paint().apply(outcome.text()));
    fact("verdict", text(result.verdict()));
    fact(
        "counted",
        result.delivered()
            + " of "
            + round.members().size()
            + ", support "
            + result.support()
            + ", runner-up "
            + result.runnerUp());
    if (!result.core().isEmpty()) {
      fact("core", String.join(" ", result.core()));
    }
    if (result.minCos() != null) {
      fact("diameter", degrees(Math.toDegrees(Math.acos(Math.min(1.0, result.minCos())))));
    }
    fact("digest", text(result.digest()));
    fact("ended", TimeText.time(result.decidedAtMs()));
    fact("ledger", result.ledgerIndex() == 0 ? "" : "entry " + result.ledgerIndex());
    fact(
        "signature",
        switch (text(round.signature())) {
          case "good" -> "good";
          case "unchecked" -> "not checked; name the key with --verify-key";
          case "bad" -> "bad";
          default -> "";
        });
    fact("worked out", round.problems().isEmpty() ? "here from the proposals: the same" : "");
  }

  private void printProposals(RoundInfo round) {
    out.println();
    boolean isWithTexts = round.proposals().stream().anyMatch(one -> one.text() != null);
    var table =
        new TextTable(
            "  ",
            "agent",
            "verdict",
            "standing",
            "meaning",
            ">to the core",
            isWithTexts ? "text" : "");
    for (RoundInfo.Proposed proposal : round.proposals()) {
      Double degrees = proposal.degrees();
      String standing = text(proposal.standing());
      table.add(
          proposal.agent(),
          text(proposal.verdict()),
          new TextTable.Cell(standing, standingColour(standing)),
          text(proposal.meaning()),
          degrees == null ? "" : degrees(degrees),
          TerminalEscaper.shortened(text(proposal.text()), TEXT_MAX));
    }
    for (String member : round.members()) {
      if (round.proposals().stream().noneMatch(one -> one.agent().equals(member))) {
        table.add(member, "", new TextTable.Cell("silent", paint::faint), "", "", "");
      }
    }
    table.print(out);
  }

  private UnaryOperator<String> standingColour(String standing) {
    return switch (standing) {
      case "core" -> paint::good;
      case "equivocation", "malformed" -> paint::bad;
      default -> UnaryOperator.identity();
    };
  }

  private void fact(String name, String value) {
    if (!value.isBlank()) {
      out.println(TerminalEscaper.line(label(name) + value));
    }
  }

  private static String label(String name) {
    return name + " ".repeat(Math.max(1, 11 - name.length()));
  }

  private static String degrees(double degrees) {
    return String.format(Locale.ROOT, "%.2f\u00b0", degrees);
  }
}
