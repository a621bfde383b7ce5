package dev.parlance.demo;

import dev.parlance.demo.DecidedTwice.Held;
import dev.parlance.demo.LexiconPlay.Recomputed;
import dev.parlance.demo.api.AuditResult;
import dev.parlance.demo.api.LexiconDesk.BoardNews;
import dev.parlance.demo.api.LexiconDesk.BoardShown;
import dev.parlance.demo.api.LexiconDesk.CoinedTerm;
import dev.parlance.demo.debate.ClauseClaim;
import dev.parlance.demo.debate.ClauseMind;
import dev.parlance.demo.debate.Transcript;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells what becomes of coined terms. */
final class LexiconNarrator {
  private static final double PERCENT = 100.0;

  private final Narrator narrator;

  LexiconNarrator(Narrator narrator) {
    this.narrator = narrator;
  }

  void starting() {
    narrator.say(
        "A control plane and three A2A agents with a sidecar beside each. They decide what follows"
            + " from clauses of the license:%n"
            + "the officer asks, the scholar reads the clauses it is shown, the counsel knows the"
            + " whole text. The last two are a group, %s.%n"
            + "Their minds are scripts, so this shows what becomes of terms, and nothing about how"
            + " well models reason with them.%n%n",
        LexiconPanel.GROUP);
  }

  void decided(DecidedTwice twice) {
    Held plain = twice.plain();
    Held coined = twice.coined();
    narrator.detail("%-58s %-13s %7s %6s%n", "claim", "verdict", "without", "with");
    for (int i = 0; i < ClauseClaim.claims().size(); i++) {
      narrator.detail(
          "%-58s %-13s %7d %6d%n",
          ClauseClaim.claims().get(i).claim(),
          plain.verdicts().get(i).map(one -> one.code()).orElse("none"),
          plain.tokens().get(i),
          coined.tokens().get(i));
    }
    narrator.detail(
        "%-58s %-13s %7d %6d%n%n",
        "(report)", "", plain.tokens().getLast(), coined.tokens().getLast());
    narrator.say(
        "%d claims, decided twice by the same minds, without and with the lexicon: %s.%n",
        ClauseClaim.claims().size(),
        plain.verdicts().equals(coined.verdicts())
            ? narrator.emphasise("the same verdicts", Narrator.GREEN)
            : narrator.emphasise("other verdicts", Narrator.RED));
  }

  /** The same question in both conversations, and what stands behind the second one. */
  void example(Transcript transcript, String opener) {
    if (!narrator.detailed()) {
      return;
    }
    int last = ClauseClaim.claims().size() - 1;
    for (String conversation : List.of(LexiconPanel.PLAIN, LexiconPanel.COINED)) {
      transcript.parts(conversation, opener).get(last).stream()
          .filter(one -> one.listener().equals(ClauseMind.COUNSEL))
          .findFirst()
          .ifPresent(one ->
              narrator.detail(
                  "%nThe officer asks the counsel, %s the lexicon:%n%s%n",
                  conversation.equals(LexiconPanel.PLAIN) ? "without" : "with",
                  one.text().indent(2).stripTrailing()));
    }
    transcript
        .lastBlock(LexiconPanel.COINED, ClauseMind.COUNSEL)
        .ifPresent(block -> narrator.detail("%s%n%n", block.indent(2).stripTrailing()));
  }

  void board(BoardShown board, List<BoardNews> news, Map<String, Long> rejected) {
    for (CoinedTerm term : board.terms()) {
      narrator.say(
          "  %s  %s%n",
          narrator.emphasise(String.format(Locale.ROOT, "%-18s", term.term()), Narrator.BOLD),
          life(term, news));
      narrator.detail(
          "  %-18s  %s%n", "", narrator.emphasise("= " + term.definition(), Narrator.FAINT));
    }
    String why =
        rejected.entrySet().stream()
            .map(one -> one.getValue() + " " + one.getKey())
            .collect(Collectors.joining(", "));
    narrator.say(
        "  %s  %s; judged as the text that it is%n",
        narrator.emphasise(String.format(Locale.ROOT, "%-18s", "rejected"), Narrator.YELLOW), why);
  }

  private static String life(CoinedTerm term, List<BoardNews> news) {
    boolean isPublic = term.visibility().equals("public");
    List<String> life = new ArrayList<>();
    life.add(shortly(term.by()) + " coins it" + (isPublic ? "" : " within " + LexiconPanel.GROUP));
    for (BoardNews one : happenings(term, news)) {
      switch (one.type()) {
        case "challenge" -> life.add(shortly(one.by()) + " challenges it");
        case "repair" -> life.add(shortly(one.by()) + " repairs it");
        case "leak" -> life.add(shortly(one.by()) + " leaks it");
        case "echo" -> life.add(shortly(one.by()) + " echoes it");
        default -> {} // coined, and used
      }
    }
    life.add(
        "used in %d turns, said in public by %d".formatted(term.reuse(), term.speakers().size()));
    return String.join(", ", life);
  }

  /** What has happened to a term, each thing once. */
  private static Set<BoardNews> happenings(CoinedTerm term, List<BoardNews> news) {
    return news.stream()
        .filter(one -> one.term().equals(term.term()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static String shortly(String agent) {
    return agent.replace("license-", "");
  }

  void measures(BoardShown board, DecidedTwice twice) {
    Held plain = twice.plain();
    Held coined = twice.coined();
    narrator.say(
        "Uptake: %.1f uses a term; cross-speaker share: %.0f %% of the terms are said in public by"
            + " two agents or more; %.0f %% of the uses are of public terms.%n",
        board.metric("uptake"),
        PERCENT * board.metric("cross_speaker") / Math.max(1, board.metric("terms")),
        PERCENT * board.metric("public_reuse_share"));
    narrator.say(
        "Tokens said: %d without, %d with the lexicon (%.0f %%), %d of them in lines that coin,"
            + " challenge or repair.%n",
        plain.said(), coined.said(), PERCENT * coined.said() / plain.said(), coined.aboutTerms());
    narrator.say(
        "Once the last term is there, behind claim %d: %d and %d (%.0f %%).%n",
        twice.warmUp(),
        twice.plainAfterwards(),
        twice.coinedAfterwards(),
        PERCENT * twice.coinedAfterwards() / twice.plainAfterwards());
    int all = coined.said() + coined.shown();
    narrator.say(
        "Tokens of the terms that agents were shown: %d. Said and shown together, the lexicon"
            + " takes %d, %.0f %% of what is said without it.%n",
        coined.shown(), all, PERCENT * all / plain.said());
  }

  void promoted(CoinedTerm term) {
    narrator.say(
        "Promoted: \"%s\" is now a governed term of the officer's and the scholar's plan,"
            + " untested.%n",
        term.term());
  }

  void certified(AuditResult.Term result) {
    narrator.say(
        "Certified: both were asked about %d claims that the term may apply to, %d contradictions,"
            + " at most %.1f %%.%n",
        result.eligible(), result.contradictions(), PERCENT * result.upper());
  }

  void order(Order.Outcome outcome) {
    narrator.say(
        "  order to the scholar: \"%s\"  %s%n",
        outcome.text(),
        outcome.passed()
            ? narrator.emphasise("passed", Narrator.GREEN)
            : narrator.emphasise(
                outcome.route() + " " + String.join(", ", outcome.reasons()), Narrator.RED));
  }

  void ledger(Recomputed ledger) {
    narrator.say(
        "Ledger: %d entries, tree and signatures %s; %d board with %d terms and %d uses recomputed"
            + " from the entries alone.%n",
        ledger.entries(),
        ledger.sound() ? "sound, every decision follows" : "NOT SOUND",
        ledger.boards(),
        ledger.terms(),
        ledger.reuse());
  }

  void warn(String otherwise) {
    narrator.warn(otherwise);
  }

  void invite(ControlProcess control, String board) {
    String launcher = narrator.options().launcher();
    narrator.say("%nEverything stays up until Ctrl-C. Meanwhile:%n");
    narrator.say("  %s lexicon list --data-dir %s%n", launcher, control.dataDir());
    narrator.say("  %s lexicon show %s --data-dir %s%n", launcher, board, control.dataDir());
    narrator.say(
        "  %s ledger verify %s --vkey '%s'%n", launcher, control.ledger(), control.ledgerKey());
  }
}
