package dev.parlance.demo;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.demo.api.EndedRound;
import dev.parlance.demo.api.OperatorClient.EncoderInfo;
import java.util.List;
import java.util.Locale;

/** Tells what happens in the rounds. */
final class RoundNarrator {
  private static final int WORDS_CHARS = 66;
  private static final int DIGEST_CHARS = 16;

  private final Narrator narrator;

  RoundNarrator(Narrator narrator) {
    this.narrator = narrator;
  }

  void starting() {
    narrator.say(
        "A control plane, seven agents with a sidecar beside each; two of the agents lie.%n");
    narrator.detail(
        "n=%d, f=%d: up to %d of the agents may lie, and two do. %s says the same whatever is"
            + " asked,%n%s reads what the others have said before it says anything.%n",
        RoundScript.panel().size(),
        RoundScript.FAULTS,
        RoundScript.FAULTS,
        RoundScript.STATIC,
        RoundScript.RUSHING);
  }

  void cast(EncoderInfo encoder) {
    narrator.detail(
        "Proposals go over A2A through the sidecars; meanings are vectors of %s (%d entries,%n"
            + "one meaning: cosine %.3f, %.0f degrees).%n",
        encoder.id().isEmpty() ? "no encoder" : encoder.id(),
        encoder.dim(),
        encoder.cosMin(),
        Math.toDegrees(Math.acos(encoder.cosMin())));
  }

  void opened(Item item) {
    narrator.detail("%n%s: \"%s\"%n", narrator.emphasise(item.name(), Narrator.BOLD), item.claim());
    narrator.detail("  %s %s.%n", RoundScript.RUSHING, item.rush().words());
    if (!item.turned().isEmpty()) {
      narrator.detail(
          "  %s turns and votes with the liars: that is one more than f.%n", item.turned());
    }
  }

  void ended(RoundResult result) {
    for (String agent : result.round().spec().members()) {
      List<EndedRound.Proposed> proposals = result.proposalsOf(agent);
      proposals.forEach(proposal -> row(result, agent, proposal));
      List<Cast> refused =
          result.casts().stream()
              .filter(cast -> cast.agent().equals(agent) && cast.refused().isPresent())
              .toList();
      for (Cast cast : refused) {
        String why = Narrator.cut(cast.refused().orElse(""), WORDS_CHARS);
        narrator.detail(
            "    %-8s %-10s %7s    %s%n",
            agent,
            cast.ballot().verdict(),
            "",
            narrator.emphasise(
                "epoch " + cast.ballot().epoch() + " refused: " + why, Narrator.YELLOW));
      }
      if (proposals.isEmpty() && refused.isEmpty()) {
        narrator.detail("    %-8s %s%n", agent, narrator.emphasise("silent", Narrator.FAINT));
      }
    }
    narrator.detail("  -> %s%n", outcome(result));
    narrator.summarize("  %-16s %s%n", result.item().name(), outcome(result));
    result
        .heard()
        .ifPresent(heard ->
            narrator.detail(
                "     %s has it in the answer to its proposal: %s%s%n",
                RoundScript.WAITING,
                heard.kind(),
                heard.digest().isEmpty() ? "" : " " + digest(heard.digest())));
    result
        .differences()
        .forEach(text -> narrator.say("     %s%n", narrator.emphasise("!! " + text, Narrator.RED)));
  }

  private void row(RoundResult result, String agent, EndedRound.Proposed proposal) {
    String degrees =
        result.degrees(proposal).isPresent()
            ? String.format(Locale.ROOT, "%5.1f\u00b0", result.degrees(proposal).getAsDouble())
            : "";
    boolean counted = proposal.standing().equals("counted");
    boolean inCore = result.kind().equals("semantic_commit") && result.isInCore(agent);
    String standing = !counted ? "x" : inCore ? "*" : " ";
    String colour = !counted ? Narrator.RED : inCore ? Narrator.GREEN : "0";
    narrator.detail(
        "    %-8s %-10s %7s %s  %s%n",
        agent,
        proposal.proposal().verdict(),
        degrees,
        narrator.emphasise(standing, colour),
        Narrator.cut(proposal.text(), WORDS_CHARS));
  }

  private String outcome(RoundResult result) {
    EndedRound.Result end = result.round().result();
    String count = end.support() + " to " + end.runnerUp();
    String took = "after " + result.tookMs() + " ms";
    String digest = "digest " + digest(end.digest());
    return switch (result.kind()) {
      case "semantic_commit" ->
          String.format(
              Locale.ROOT,
              "%s %s, %s, core of %d%s",
              narrator.emphasise("semantic commit:", Narrator.GREEN),
              end.verdict(),
              count,
              end.core().size(),
              narrator.detailed()
                  ? String.format(
                      Locale.ROOT, " (*), least cosine %.3f, %s, %s", end.minCos(), digest, took)
                  : "");
      case "verdict_commit" ->
          narrator.emphasise("verdict commit:", Narrator.YELLOW)
              + String.format(" %s, %s, for different reasons", end.verdict(), count)
              + (narrator.detailed() ? ", " + digest + ", " + took : "");
      default ->
          narrator.emphasise("abort:", Narrator.RED)
              + " "
              + end.reason()
              + ", "
              + count
              + (narrator.detailed() ? ", " + took : "");
    };
  }

  private static String digest(String hex) {
    return hex.substring(0, Math.min(DIGEST_CHARS, hex.length()));
  }

  void ordersBegin(String agent) {
    narrator.detail(
        "%nWhat an outcome is good for: the sidecar of %s passes a sentence to be acted on%nonly if"
            + " a round has decided just that sentence.%n",
        agent);
  }

  void order(FinalOrder.Outcome outcome) {
    narrator.detail(
        "  %-36s %s%n",
        outcome.order().what(),
        outcome.passed()
            ? narrator.emphasise("passed", Narrator.GREEN)
            : narrator.emphasise("refused", Narrator.RED)
                + " "
                + Narrator.cut(outcome.said(), WORDS_CHARS));
    if (!outcome.isAsExpected()) {
      String expected = "!! expected " + outcome.order().expected().orElse("it to pass");
      narrator.say("     %s%n", narrator.emphasise(expected, Narrator.RED));
    }
  }

  void summary(
      List<RoundResult> rounds, List<FinalOrder.Outcome> orders, RoundsPlay.Recomputed ledger) {
    long wrong = rounds.stream().filter(RoundResult::isWhatTheLiarsWanted).count();
    narrator.detail("%n");
    narrator.say(
        "%d rounds: %s, %s, %s; %s to what the liars wanted.%n",
        rounds.size(),
        number(count(rounds, "semantic_commit"), "semantic commit"),
        number(count(rounds, "verdict_commit"), "verdict commit"),
        number(count(rounds, "abort"), "abort"),
        number(wrong, "commit"));
    narrator.summarize(
        "Orders that name a round: %d passed, %d without a round that decided them were refused.%n",
        orders.stream().filter(FinalOrder.Outcome::passed).count(),
        orders.stream().filter(one -> !one.passed()).count());
    narrator.say(
        "Ledger: %d entries, tree and signatures %s; %d outcomes recomputed from the entries alone,"
            + " %s found.%n",
        ledger.entries(),
        ledger.sound() ? "sound, every outcome follows" : "NOT SOUND",
        ledger.semanticCommits() + ledger.verdictCommits() + ledger.aborts(),
        number(ledger.equivocations(), "equivocation"));
  }

  private static String number(long count, String what) {
    return (count == 0 ? "no" : count) + " " + what + (count == 1 ? "" : "s");
  }

  private static long count(List<RoundResult> rounds, String kind) {
    return rounds.stream().filter(one -> one.kind().equals(kind)).count();
  }

  void warn(String otherwise) {
    narrator.warn(otherwise);
  }

  void invite(ControlProcess control) {
    String launcher = narrator.options().launcher();
    narrator.say("%nEverything stays up until Ctrl-C. Meanwhile:%n");
    narrator.say("  %s round list --data-dir %s%n", launcher, control.dataDir());
    narrator.say(
        "  %s round show %s --data-dir %s%n",
        launcher, RoundScript.ITEMS.getFirst().name(), control.dataDir());
    narrator.say(
        "  %s ledger verify %s --vkey '%s'%n", launcher, control.ledger(), control.ledgerKey());
  }
}
