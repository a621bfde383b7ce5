package dev.parlance.cli.round;

import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.client.CheckedRound;
import dev.parlance.client.MessageSerializer;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.TextComparer;
import dev.parlance.proto.v1.CommonClaim;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundDifference;
import dev.parlance.proto.v1.RoundProposal;
import dev.parlance.proto.v1.RoundResult;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Rounds, for people. */
record RoundText(Terminal terminal) {
  private static final int TEXT_MAX = 60;

  /** A checked round for programs. */
  static ObjectNode view(CheckedRound check) {
    ObjectNode view = Json.MAPPER.valueToTree(check.round());
    ArrayNode proposals = view.putArray("proposals");
    for (RoundProposal proposal : check.round().getProposalsList()) {
      ObjectNode one = Json.MAPPER.valueToTree(proposal);
      one.remove("vector");
      OptionalDouble degrees = check.degrees(proposal);
      one.put("degrees", degrees.isPresent() ? degrees.getAsDouble() : null);
      String standing = standing(check.round(), proposal);
      one.put("standing", standing.isEmpty() ? null : standing);
      proposals.add(one);
    }
    view.put("signature", MessageSerializer.word(check.signature().name()));
    check.problems().forEach(view.putArray("problems")::add);
    return view;
  }

  /** How many members have proposed, in words. */
  static String progress(Round round) {
    return round.getProposed() + " of " + round.getMembersCount();
  }

  /** {@code core} for members of the core, else what the control plane says of the proposal. */
  private static String standing(Round round, RoundProposal proposal) {
    return round.getResult().getCoreList().contains(proposal.getAgent())
        ? "core"
        : proposal.getStanding();
  }

  TextTable.Cell outcome(RoundResult result) {
    return new TextTable.Cell(
        result.getReason().isEmpty()
            ? result.getOutcome()
            : result.getOutcome() + " " + result.getReason(),
        colour(result.getOutcome()));
  }

  private UnaryOperator<String> colour(String outcome) {
    return switch (outcome) {
      case "semantic_commit" -> terminal::good;
      case "verdict_commit" -> terminal::warning;
      case "abort" -> terminal::bad;
      default -> terminal::faint;
    };
  }

  void print(CheckedRound check) {
    Round round = check.round();
    terminal.fact("round", round.getRound() + ", epoch " + round.getEpoch());
    terminal.fact("state", state(round));
    terminal.fact(
        "members", round.getMembersCount() + ", at most " + round.getFaults() + " of them faulty");
    terminal.fact("encoder", encoder(round));
    if (!round.getReaderSha256().isEmpty()) {
      terminal.fact("reader", "manifest SHA-256 " + CheckedRound.hex(round.getReaderSha256()));
    }
    if (!round.getSubjectSha256().isEmpty()) {
      terminal.fact("subject", "SHA-256 " + CheckedRound.hex(round.getSubjectSha256()));
    }
    terminal.fact("opened", TimeText.time(round.getOpenedAtMs()));
    if (round.hasResult()) {
      printResult(check, round.getResult());
    } else {
      terminal.fact("proposed", progress(round));
    }
    printProposals(check);
    printDifferences(round);
    check
        .problems()
        .forEach(problem -> terminal.println(terminal.bad(TerminalEscaper.line("! " + problem))));
  }

  /**
   * Who is in no core together, by which words where the texts are here, and whom a reader joined.
   */
  private void printDifferences(Round round) {
    if (round.getDifferencesCount() == 0) {
      return;
    }
    Map<String, String> texts = new HashMap<>();
    round.getProposalsList().forEach(one -> texts.putIfAbsent(one.getAgent(), one.getText()));
    TextComparer comparer = new TextComparer(0);
    for (RoundDifference found : round.getDifferencesList()) {
      String pair = found.getFirst() + ", " + found.getSecond() + ": " + found.getKind();
      boolean isApart = !found.getKind().equals(CriticalDifference.ENTAILED);
      String words = isApart ? words(comparer, texts, found) : " (the reader's word)";
      terminal.fact(isApart ? "apart" : "joined", TerminalEscaper.line(pair + words));
    }
  }

  /** The words that are found here as well; none where it was a reader that parted the two. */
  private static String words(
      TextComparer comparer, Map<String, String> texts, RoundDifference apart) {
    return comparer
        .between(
            texts.getOrDefault(apart.getFirst(), ""), texts.getOrDefault(apart.getSecond(), ""))
        .filter(found -> found.kind().equals(apart.getKind()))
        .map(found -> ": \"" + found.here() + "\" / \"" + found.there() + "\"")
        .orElse("");
  }

  private static String state(Round round) {
    return round.getLeftMs() == 0
        ? round.getState()
        : "%s, %s s left"
            .formatted(
                round.getState(), String.format(Locale.ROOT, "%.1f", round.getLeftMs() / 1000.0));
  }

  private static String encoder(Round round) {
    String texts =
        round.getAgreement().equals("critical") ? ", nothing critical between texts" : "";
    String strict = round.getStrictSemantic() ? ", semantic commits only" : "";
    return round.getDim() == 0
        ? "none: no semantic commit"
        : "%s, %s dimensions, a core within %s%s%s"
            .formatted(
                round.getEncoder(),
                round.getDim(),
                degrees(Math.toDegrees(Math.acos(round.getCosMin()))),
                texts,
                strict);
  }

  private void printResult(CheckedRound check, RoundResult result) {
    TextTable.Cell outcome = outcome(result);
    terminal.println(Terminal.label("outcome") + outcome.paint().apply(outcome.text()));
    terminal.fact("verdict", result.getVerdict());
    terminal.fact(
        "counted",
        "%s of %s, support %s, runner-up %s"
            .formatted(
                result.getDelivered(),
                check.round().getMembersCount(),
                result.getSupport(),
                result.getRunnerUp()));
    if (result.getCoreCount() > 0) {
      terminal.fact("core", String.join(" ", result.getCoreList()));
    }
    printClaims(result);
    if (result.hasMinCos()) {
      terminal.fact(
          "diameter", degrees(Math.toDegrees(Math.acos(Math.min(1.0, result.getMinCos())))));
    }
    terminal.fact("digest", CheckedRound.hex(result.getDigest()));
    terminal.fact("ended", TimeText.time(result.getDecidedAtMs()));
    terminal.fact("ledger", result.getLedgerIndex() == 0 ? "" : "entry " + result.getLedgerIndex());
    terminal.fact(
        "signature",
        switch (check.signature()) {
          case GOOD -> "good";
          case UNCHECKED -> "not checked; name the key with --verify-key";
          case BAD -> "bad";
          case NONE -> "";
        });
    terminal.fact("members", members(result));
    terminal.fact(
        "worked out", check.problems().isEmpty() ? "here from the proposals: the same" : "");
  }

  /** What the core has in common, and in which words each of it says so, where they are here. */
  private void printClaims(RoundResult result) {
    for (CommonClaim claim : result.getClaimsList()) {
      terminal.fact(
          "claim",
          claim.getCarriersList().stream()
              .map(one ->
                  one.getAgent()
                      + " "
                      + one.getNumber()
                      + (one.getText().isEmpty()
                          ? ""
                          : ": \"" + TerminalEscaper.shortened(one.getText(), TEXT_MAX) + "\""))
              .collect(Collectors.joining(", ")));
    }
  }

  /** Whose word the outcome is; nothing where nobody signs. */
  private static String members(RoundResult result) {
    return switch (result.getSignatures()) {
      case "unsigned" -> "unsigned: the control plane's word alone";
      case "members" ->
          (result.getFinal() ? "final" : "not final")
              + ", signed by "
              + (result.getSignersCount() == 0
                  ? "nobody"
                  : String.join(" ", result.getSignersList()))
              + (result.getWithheldCount() == 0
                  ? ""
                  : ", not by " + String.join(" ", result.getWithheldList()));
      default -> "";
    };
  }

  private void printProposals(CheckedRound check) {
    Round round = check.round();
    List<RoundProposal> proposals = round.getProposalsList();
    terminal.out().println();
    boolean isWithTexts = proposals.stream().anyMatch(one -> !one.getText().isEmpty());
    var table =
        new TextTable(
            "  ",
            "agent, verdict, standing, meaning, >to the core, " + (isWithTexts ? "text" : ""));
    for (RoundProposal proposal : proposals) {
      OptionalDouble degrees = check.degrees(proposal);
      String standing = standing(round, proposal);
      table.add(
          proposal.getAgent(),
          proposal.getVerdict(),
          new TextTable.Cell(standing, standingColour(standing)),
          proposal.getMeaning(),
          degrees.isPresent() ? degrees(degrees.getAsDouble()) : "",
          TerminalEscaper.shortened(proposal.getText(), TEXT_MAX));
    }
    for (String member : round.getMembersList()) {
      if (proposals.stream().noneMatch(one -> one.getAgent().equals(member))) {
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
