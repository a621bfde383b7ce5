package dev.parlance.demo;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.proto.v1.Encoder;
import dev.parlance.proto.v1.RoundProposal;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Says in words what happens in the rounds. */
final class RoundNarrator {
  private static final int WORDS_CHARS = 66;
  private static final int DIGEST_CHARS = 16;
  private static final String GREEN = "32";
  private static final String YELLOW = "33";
  private static final String RED = "31";
  private static final String FAINT = "2";

  private final DemoOptions options;
  private final PrintStream out;

  RoundNarrator(DemoOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  void starting() {
    out.println("A control plane, seven agents with a sidecar beside each, and a moderator.");
    out.printf(
        "n=%d, f=%d: up to %d of the agents may lie, and two do. %s says the same whatever is"
            + " asked,%n%s reads what the others have said before it says anything.%n",
        RoundScript.panel().size(),
        RoundScript.FAULTS,
        RoundScript.FAULTS,
        RoundScript.STATIC,
        RoundScript.RUSHING);
    out.flush();
  }

  void cast(RoundStage stage, Encoder encoder) {
    out.printf(
        Locale.ROOT,
        "Proposals go over A2A through the sidecars; meanings are vectors of %s (%d entries,%n"
            + "one meaning: cosine %.3f, %.0f degrees).%n",
        encoder.getId().isEmpty() ? "no encoder" : encoder.getId(),
        encoder.getDim(),
        encoder.getCosMin(),
        Math.toDegrees(Math.acos(encoder.getCosMin())));
    out.flush();
  }

  void opened(Item item) {
    out.printf("%n%s: \"%s\"%n", emphasise(item.name(), "1"), item.claim());
    out.printf("  %s %s.%n", RoundScript.RUSHING, item.rush().words());
    if (!item.turned().isEmpty()) {
      out.printf("  %s turns and votes with the liars: that is one more than f.%n", item.turned());
    }
    out.flush();
  }

  void ended(RoundResult result) {
    for (String agent : result.round().getMembersList()) {
      List<RoundProposal> proposals = result.proposalsOf(agent);
      proposals.forEach(proposal -> row(result, agent, proposal));
      refused(result, agent)
          .forEach(cast ->
              out.printf(
                  "    %-8s %-10s %7s    %s%n",
                  agent,
                  cast.ballot().verdict(),
                  "",
                  emphasise(
                      "epoch "
                          + cast.ballot().epoch()
                          + " refused: "
                          + Table.cut(cast.refused().orElse(""), WORDS_CHARS),
                      YELLOW)));
      if (proposals.isEmpty() && refused(result, agent).isEmpty()) {
        out.printf("    %-8s %s%n", agent, emphasise("silent", FAINT));
      }
    }
    out.println("  -> " + outcome(result));
    result
        .heard()
        .ifPresent(heard ->
            out.printf(
                "     %s has it in the answer to its proposal: %s%s%n",
                RoundScript.WAITING,
                heard.kind(),
                heard.digest().isEmpty() ? "" : " " + digest(heard.digest())));
    result.differences().forEach(text -> out.println("     " + emphasise("!! " + text, RED)));
    out.flush();
  }

  private static List<Cast> refused(RoundResult result, String agent) {
    return result.casts().stream()
        .filter(cast -> cast.agent().equals(agent) && cast.refused().isPresent())
        .toList();
  }

  private void row(RoundResult result, String agent, RoundProposal proposal) {
    String degrees =
        result.degrees(proposal).isPresent()
            ? String.format(Locale.ROOT, "%5.1f\u00b0", result.degrees(proposal).getAsDouble())
            : "";
    boolean counted = proposal.getStanding().equals("counted");
    boolean inCore = result.kind().equals("semantic_commit") && result.isInCore(agent);
    String standing = !counted ? "x" : inCore ? "*" : " ";
    String colour = !counted ? RED : inCore ? GREEN : "0";
    out.printf(
        "    %-8s %-10s %7s %s  %s%n",
        agent,
        proposal.getVerdict(),
        degrees,
        emphasise(standing, colour),
        Table.cut(proposal.getText(), WORDS_CHARS));
  }

  private String outcome(RoundResult result) {
    var end = result.round().getResult();
    String count = end.getSupport() + " to " + end.getRunnerUp();
    String took = "after " + result.tookMs() + " ms";
    return switch (result.kind()) {
      case "semantic_commit" ->
          String.format(
              Locale.ROOT,
              "%s %s, %s, core of %d (*), least cosine %.3f, digest %s, %s",
              emphasise("semantic commit:", GREEN),
              end.getVerdict(),
              count,
              end.getCoreCount(),
              end.getMinCos(),
              digest(result.digest()),
              took);
      case "verdict_commit" ->
          String.format(
              Locale.ROOT,
              "%s %s, %s, for different reasons, digest %s, %s",
              emphasise("verdict commit:", YELLOW),
              end.getVerdict(),
              count,
              digest(result.digest()),
              took);
      default ->
          String.format(
              Locale.ROOT, "%s %s, %s, %s", emphasise("abort:", RED), end.getReason(), count, took);
    };
  }

  private static String digest(String hex) {
    return hex.substring(0, Math.min(DIGEST_CHARS, hex.length()));
  }

  void said(String text) {
    out.printf("%n%s%n", text);
    out.flush();
  }

  void order(FinalOrder.Outcome outcome) {
    out.printf(
        "  %-36s %s%n",
        outcome.order().what(),
        outcome.passed()
            ? emphasise("passed", GREEN)
            : emphasise("refused", RED) + " " + Table.cut(outcome.said(), WORDS_CHARS));
    if (!outcome.isAsExpected()) {
      out.println(
          "     "
              + emphasise("!! expected " + outcome.order().expected().orElse("it to pass"), RED));
    }
    out.flush();
  }

  void summary(RoundReport report) {
    long semantic = count(report, "semantic_commit");
    long verdict = count(report, "verdict_commit");
    long aborts = count(report, "abort");
    long wrong = report.rounds().stream().filter(RoundResult::isWhatTheLiarsWanted).count();
    out.printf(
        "%n%d rounds: %s, %s, %s; %s to what the liars wanted.%n",
        report.rounds().size(),
        number(semantic, "semantic commit"),
        number(verdict, "verdict commit"),
        number(aborts, "abort"),
        number(wrong, "commit"));
    RoundReport.Ledger ledger = report.ledger();
    out.printf(
        "Ledger: %d entries, tree and signatures %s; %d outcomes recomputed from the entries alone,"
            + " %s found.%n",
        ledger.entries(),
        ledger.sound() ? "sound, every outcome follows" : "NOT SOUND",
        ledger.semantic() + ledger.verdict() + ledger.aborts(),
        number(ledger.equivocations(), "equivocation"));
    out.flush();
  }

  private static String number(long count, String what) {
    return (count == 0 ? "no" : count) + " " + what + (count == 1 ? "" : "s");
  }

  private static long count(RoundReport report, String kind) {
    return report.rounds().stream().filter(one -> one.kind().equals(kind)).count();
  }

  void end(List<String> problems) {
    if (problems.isEmpty()) {
      out.println("Every round ended as it had to.");
    } else {
      out.println("Not as expected:");
      problems.forEach(problem -> out.println("  " + problem));
    }
    out.flush();
  }

  void invite(RoundStage stage) {
    String launcher = options.launcher();
    ControlProcess control = stage.control();
    out.println("\nEverything stays up until Ctrl-C. Meanwhile:");
    out.printf("  %s round list --data-dir %s%n", launcher, control.dataDir());
    out.printf(
        "  %s round show %s --data-dir %s%n",
        launcher, RoundScript.ITEMS.getFirst().name(), control.dataDir());
    out.printf(
        "  %s ledger verify %s --vkey '%s'%n", launcher, control.ledger(), control.ledgerKey());
    out.flush();
  }

  private String emphasise(String text, String ansiCode) {
    return options.colour() ? "\u001b[" + ansiCode + "m" + text + "\u001b[0m" : text;
  }
}
