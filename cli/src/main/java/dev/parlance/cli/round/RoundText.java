package dev.parlance.cli.round;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundResult;
import java.io.PrintStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;

/** Rounds, for people. */
final class RoundText {
  private static final int TEXT_MAX = 60;

  private final PrintStream out;
  private final Colours paint;

  RoundText(Terminal terminal) {
    this.out = terminal.out();
    this.paint = new Colours(terminal);
  }

  void printList(List<Round> rounds, long nowMs) {
    if (rounds.isEmpty()) {
      out.println("no rounds (parlance round open NAME opens one)");
      return;
    }
    var table =
        new TextTable("", "round", ">epoch", "state", ">opened", ">proposed", "outcome", "verdict");
    for (Round round : rounds) {
      table.add(
          TextTable.Cell.of(round.getRound()),
          TextTable.Cell.of(round.getEpoch()),
          TextTable.Cell.of(round.getState()),
          TextTable.Cell.of(TimeText.since(round.getOpenedAtMs(), nowMs)),
          TextTable.Cell.of(proposed(round)),
          outcome(round),
          TextTable.Cell.of(round.getResult().getVerdict()));
    }
    table.print(out);
  }

  /** How many members have proposed, in words. */
  static String proposed(Round round) {
    return round.getProposed() + " of " + round.getMembersCount();
  }

  private TextTable.Cell outcome(Round round) {
    RoundResult result = round.getResult();
    String text =
        result.getReason().isEmpty()
            ? result.getOutcome()
            : result.getOutcome() + " " + result.getReason();
    return new TextTable.Cell(text, colour(result.getOutcome()));
  }

  private UnaryOperator<String> colour(String outcome) {
    return switch (outcome) {
      case "semantic_commit" -> paint::good;
      case "verdict_commit" -> paint::warning;
      case "abort" -> paint::bad;
      default -> paint::faint;
    };
  }

  void print(RoundLook look) {
    Round round = look.round();
    fact("round", round.getRound() + ", epoch " + round.getEpoch());
    fact("state", state(round));
    fact("members", round.getMembersCount() + ", at most " + round.getFaults() + " of them faulty");
    fact("encoder", encoder(round));
    if (!round.getSubjectSha256().isEmpty()) {
      fact("subject", "SHA-256 " + hex(round.getSubjectSha256().toByteArray()));
    }
    fact("opened", TimeText.time(round.getOpenedAtMs()));
    if (round.hasResult()) {
      printResult(look);
    } else {
      fact("proposed", proposed(round));
    }
    printProposals(look);
    look.problems()
        .forEach(problem -> out.println(paint.bad(TerminalEscaper.line("! " + problem))));
  }

  private static String state(Round round) {
    return round.getLeftMs() == 0
        ? round.getState()
        : round.getState()
            + ", "
            + String.format(Locale.ROOT, "%.1f", round.getLeftMs() / 1000.0)
            + " s left";
  }

  private static String encoder(Round round) {
    String strict = round.getStrictSemantic() ? ", semantic commits only" : "";
    return round.getDim() == 0
        ? "none: no semantic commit"
        : round.getEncoder()
            + ", "
            + round.getDim()
            + " dimensions, a core within "
            + degrees(Math.toDegrees(Math.acos(round.getCosMin())))
            + strict;
  }

  private void printResult(RoundLook look) {
    RoundResult result = look.round().getResult();
    TextTable.Cell outcome = outcome(look.round());
    out.println(label("outcome") + outcome.paint().apply(outcome.text()));
    fact("verdict", result.getVerdict());
    fact(
        "counted",
        result.getDelivered()
            + " of "
            + look.round().getMembersCount()
            + ", support "
            + result.getSupport()
            + ", runner-up "
            + result.getRunnerUp());
    if (!result.getCoreList().isEmpty()) {
      fact("core", String.join(" ", result.getCoreList()));
    }
    if (result.getOutcome().equals("semantic_commit")) {
      fact("diameter", degrees(Math.toDegrees(Math.acos(Math.min(1.0, result.getMinCos())))));
    }
    if (!result.getDigest().isEmpty()) {
      fact("digest", hex(result.getDigest().toByteArray()));
    }
    fact("ended", TimeText.time(result.getDecidedAtMs()));
    fact("ledger", result.getLedgerIndex() == 0 ? "" : "entry " + result.getLedgerIndex());
    fact(
        "signature",
        switch (look.signature()) {
          case GOOD -> "good";
          case UNCHECKED -> "not checked; name the key with --verify-key";
          case BAD -> "bad";
          case NONE -> "";
        });
    fact("worked out", look.problems().isEmpty() ? "here from the proposals: the same" : "");
  }

  private void printProposals(RoundLook look) {
    Round round = look.round();
    out.println();
    boolean isWithTexts =
        round.getProposalsList().stream().anyMatch(one -> !one.getText().isEmpty());
    var table =
        new TextTable(
            "  ",
            "agent",
            "verdict",
            "standing",
            "meaning",
            ">to the core",
            isWithTexts ? "text" : "");
    for (RoundProposal proposal : round.getProposalsList()) {
      OptionalDouble degrees = look.degrees(proposal);
      String standing = look.standing(proposal);
      table.add(
          TextTable.Cell.of(proposal.getAgent()),
          TextTable.Cell.of(proposal.getVerdict()),
          new TextTable.Cell(standing, standingColour(standing)),
          TextTable.Cell.of(proposal.getMeaning()),
          TextTable.Cell.of(degrees.isPresent() ? degrees(degrees.getAsDouble()) : ""),
          TextTable.Cell.of(TerminalEscaper.shortened(proposal.getText(), TEXT_MAX)));
    }
    for (String member : round.getMembersList()) {
      if (round.getProposalsList().stream().noneMatch(one -> one.getAgent().equals(member))) {
        table.add(
            TextTable.Cell.of(member),
            TextTable.Cell.of(""),
            new TextTable.Cell("silent", paint::faint),
            TextTable.Cell.of(""),
            TextTable.Cell.of(""),
            TextTable.Cell.of(""));
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

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
