package dev.parlance.cli.round;

import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.RoundInfo;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rounds, for people. */
final class RoundText {
  private static final int TEXT_MAX = 60;

  private final Terminal terminal;

  RoundText(Terminal terminal) {
    this.terminal = terminal;
  }

  void printList(List<RoundInfo> rounds, long nowMs) {
    if (rounds.isEmpty()) {
      terminal.println("no rounds (parlance round open NAME opens one)");
      return;
    }
    var table = new TextTable("", "round, >epoch, state, >opened, >proposed, outcome, verdict");
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
    table.print(terminal.out());
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
      case "semantic_commit" -> terminal::good;
      case "verdict_commit" -> terminal::warning;
      case "abort" -> terminal::bad;
      default -> terminal::faint;
    };
  }

  void print(RoundInfo round) {
    terminal.fact("round", round.round() + ", epoch " + round.epoch());
    terminal.fact("state", state(round));
    terminal.fact(
        "members", round.members().size() + ", at most " + round.faults() + " of them faulty");
    terminal.fact("encoder", encoder(round));
    if (round.subjectSha256() != null) {
      terminal.fact("subject", "SHA-256 " + round.subjectSha256());
    }
    terminal.fact("opened", TimeText.time(round.openedAtMs()));
    if (round.result() != null) {
      printResult(round, round.result());
    } else {
      terminal.fact("proposed", round.progress());
    }
    printProposals(round);
    round
        .problems()
        .forEach(problem -> terminal.println(terminal.bad(TerminalEscaper.line("! " + problem))));
  }

  private static String state(RoundInfo round) {
    return round.leftMs() == 0
        ? round.state()
        : "%s, %s s left"
            .formatted(round.state(), String.format(Locale.ROOT, "%.1f", round.leftMs() / 1000.0));
  }

  private static String encoder(RoundInfo round) {
    String strict = round.strictSemantic() ? ", semantic commits only" : "";
    return round.dim() == 0
        ? "none: no semantic commit"
        : "%s, %s dimensions, a core within %s%s"
            .formatted(
                round.encoder(),
                round.dim(),
                degrees(Math.toDegrees(Math.acos(round.cosMin()))),
                strict);
  }

  private void printResult(RoundInfo round, RoundInfo.Result result) {
    TextTable.Cell outcome = outcome(round);
    terminal.println(Terminal.label("outcome") + outcome.paint().apply(outcome.text()));
    terminal.fact("verdict", text(result.verdict()));
    terminal.fact(
        "counted",
        "%s of %s, support %s, runner-up %s"
            .formatted(
                result.delivered(), round.members().size(), result.support(), result.runnerUp()));
    if (!result.core().isEmpty()) {
      terminal.fact("core", String.join(" ", result.core()));
    }
    if (result.minCos() != null) {
      terminal.fact("diameter", degrees(Math.toDegrees(Math.acos(Math.min(1.0, result.minCos())))));
    }
    terminal.fact("digest", text(result.digest()));
    terminal.fact("ended", TimeText.time(result.decidedAtMs()));
    terminal.fact("ledger", result.ledgerIndex() == 0 ? "" : "entry " + result.ledgerIndex());
    terminal.fact(
        "signature",
        switch (text(round.signature())) {
          case "good" -> "good";
          case "unchecked" -> "not checked; name the key with --verify-key";
          case "bad" -> "bad";
          default -> "";
        });
    terminal.fact(
        "worked out", round.problems().isEmpty() ? "here from the proposals: the same" : "");
  }

  private void printProposals(RoundInfo round) {
    terminal.out().println();
    boolean isWithTexts = round.proposals().stream().anyMatch(one -> one.text() != null);
    var table =
        new TextTable(
            "  ",
            "agent, verdict, standing, meaning, >to the core, " + (isWithTexts ? "text" : ""));
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
        table.add(member, "", new TextTable.Cell("silent", terminal::faint), "", "", "");
      }
    }
    table.print(terminal.out());
  }

  private UnaryOperator<String> standingColour(String standing) {
    return switch (standing) {
      case "core" -> terminal::good;
      case "equivocation", "malformed" -> terminal::bad;
      default -> UnaryOperator.identity();
    };
  }

  private static String degrees(double degrees) {
    return String.format(Locale.ROOT, "%.2f\u00b0", degrees);
  }
}
