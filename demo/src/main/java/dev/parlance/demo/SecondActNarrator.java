package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.SecondActReport.Audited;
import dev.parlance.demo.SecondActReport.Phase;
import dev.parlance.demo.api.AuditResult;
import dev.parlance.demo.license.LicenseEvents;
import dev.parlance.demo.license.LicensePlan;
import dev.parlance.demo.license.LicenseTerms;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells the second act. What an audit found is a line per term, with a bar of which each character
 * stands for one percent:
 *
 * <pre>
 * ###   contradictions observed
 * ---   up to where the true rate may lie at the confidence asked for
 * |     the largest rate that is tolerated
 * </pre>
 */
final class SecondActNarrator {
  private static final int STEPS = 10;
  private static final int BAR_CHARS = 24;
  private static final double PERCENT = 100.0;

  private final Narrator narrator;
  private int stepsShown;

  SecondActNarrator(Narrator narrator) {
    this.narrator = narrator;
  }

  void begin(ControlProcess control) {
    narrator.say(
        "%nAct 2. Orders have consequences, so words in them must mean the same to both agents.%n");
    narrator.detail(
        "Control plane on %s, both sidecars attached. Plan %s: %d terms, %d events in the pool,"
            + " %d drawn per term.%n",
        control.grpc(),
        LicensePlan.NAME,
        LicenseTerms.words().size(),
        LicenseEvents.pool().size(),
        LicensePlan.EVENTS_PER_TERM);
    narrator.detail(
        "A term is certified if A and B contradict each other on less than %.0f %% of events, with"
            + " %.0f %% confidence.%n",
        PERCENT * LicensePlan.TAU, PERCENT * (1 - LicensePlan.DELTA));
  }

  void auditBegins(String what) {
    narrator.detail("%n%s%n  asking ", what);
    stepsShown = 0;
  }

  /** One dot for each tenth of the questions. */
  void progress(AuditResult audit) {
    int done = audit.answered() + audit.unanswered();
    int steps = audit.questions() == 0 ? 0 : STEPS * done / audit.questions();
    for (; stepsShown < steps; stepsShown++) {
      narrator.detail(".");
    }
  }

  void auditEnds(Audited audited) {
    narrator.detail(
        " %d questions answered in %.1f s%n",
        audited.audit().answered(), audited.tookMs() / 1000.0);
    narrator.detail(
        "  %-16s %-14s %-" + BAR_CHARS + "s %8s  %s%n",
        "term",
        "contradictions",
        "0 %",
        "at most",
        "decision");
    for (AuditResult.Term term : audited.audit().terms()) {
      double rate = term.eligible() == 0 ? 0 : (double) term.contradictions() / term.eligible();
      String row =
          String.format(
              java.util.Locale.ROOT,
              "  %-16s %6d of %-4d %-" + BAR_CHARS + "s %6.1f %%  %s",
              term.term(),
              term.contradictions(),
              term.eligible(),
              bar(rate, term.upper()),
              PERCENT * term.upper(),
              term.outcome() + (term.reason().isEmpty() ? "" : ": " + term.reason()));
      narrator.detail(
          "%s%n", narrator.emphasise(row, term.inCore() ? Narrator.GREEN : Narrator.RED));
    }
    narrator.detail(
        "  -> core version %d, in force%s%n",
        audited.audit().coreVersion(), enforced(audited.enforcedAfterMs()));
  }

  /** The bar; what does not fit is cut off. */
  private static String bar(double rate, double upper) {
    StringBuilder bar = new StringBuilder();
    int mark = (int) Math.round(PERCENT * LicensePlan.TAU);
    for (int i = 0; i < BAR_CHARS; i++) {
      double percent = i + 0.5;
      bar.append(
          i == mark ? '|' : percent < PERCENT * rate ? '#' : percent < PERCENT * upper ? '-' : ' ');
    }
    return bar.toString();
  }

  private static String enforced(Map<String, Long> enforcedMs) {
    return new TreeMap<>(enforcedMs)
        .entrySet().stream()
            .map(one ->
                " " + one.getValue() + " ms after it was issued at the sidecar of " + one.getKey())
            .collect(Collectors.joining(" and"));
  }

  void said(String text) {
    narrator.detail("%n%s%n", text);
  }

  void warn(String otherwise) {
    narrator.warn(otherwise);
  }

  void order(Order.Outcome outcome) {
    String what =
        outcome.passed()
            ? narrator.emphasise("passed", Narrator.GREEN)
            : narrator.emphasise(
                outcome.route().isEmpty() ? "failed" : outcome.route(), Narrator.RED);
    narrator.detail(
        "  to %s: \"%s\"  %s%s%n",
        outcome.to(),
        outcome.text(),
        what,
        outcome.passed() ? "" : " " + String.join(", ", outcome.reasons()));
  }

  void words(Order.Outcome outcome) {
    int from = outcome.answer().indexOf("The term");
    narrator.detail("      %s%n", from < 0 ? outcome.answer() : outcome.answer().substring(from));
    outcome.reviewId().ifPresent(id -> narrator.detail("      held for a person as %s%n", id));
  }

  void disagreement(List<Phase> phases) {
    narrator.detail(
        "%nHow often A and B contradict each other on events that no audit has seen:%n");
    narrator.detail("  %-48s %14s %26s%n", "", "all terms", "terms in the core");
    for (Phase phase : phases) {
      narrator.detail(
          "  %-48s %12.1f %% %12.1f %% of %d terms%n",
          phase.phase(),
          share(phase.all().contradictions(), phase.all().comparisons()),
          share(phase.core().contradictions(), phase.core().comparisons()),
          phase.coreTerms());
    }
  }

  private static double share(int part, int whole) {
    return whole == 0 ? 0 : PERCENT * part / whole;
  }

  void summary(
      List<Audited> audits, List<Order.Outcome> orders, SecondActReport.Recomputed ledger) {
    Audited first = audits.getFirst();
    narrator.summarize(
        "%d questions about %d words: %d certified, refused: %s.%n",
        first.audit().answered(),
        first.audit().terms().size(),
        first.certified().size(),
        named(first, "refused"));
    orders.stream()
        .filter(order -> order.reviewId().isPresent())
        .findFirst()
        .ifPresent(order ->
            narrator.summarize(
                "The order \"%s\" was sent back, then held for a person as %s.%n",
                order.text(), order.reviewId().orElse("")));
    narrator.summarize(
        "B then read a word otherwise. Recertification: %d kept, revoked: %s; renegotiation"
            + " restored: %s.%n",
        audits.get(1).certified().size(),
        named(audits.get(1), "revoked"),
        named(audits.getLast(), "restored"));
    narrator.summarize(
        "Orders: %d passed, %d were held back for their words.%n",
        orders.stream().filter(Order.Outcome::passed).count(),
        orders.stream().filter(order -> !order.passed()).count());
    narrator.detail("%n");
    narrator.say(
        "Ledger: %d entries, tree and signatures %s; %d decisions and %d cores recomputed from"
            + " the entries alone.%n",
        ledger.entries(),
        ledger.sound() ? "sound, every decision follows" : "NOT SOUND",
        ledger.decisions(),
        ledger.cores());
  }

  private static String named(Audited audited, String outcome) {
    String terms =
        audited.audit().terms().stream()
            .filter(term -> term.outcome().equals(outcome))
            .map(AuditResult.Term::term)
            .collect(Collectors.joining(", "));
    return terms.isEmpty() ? "none" : terms;
  }

  /** What the reader can try while everything stays up. */
  void invite(ControlProcess control, DemoSidecar scholarSidecar, FirstActNarrator first) {
    String launcher = narrator.options().launcher();
    narrator.say("%nAbout the core:%n");
    narrator.say("  %s core list --data-dir %s%n", launcher, control.dataDir());
    narrator.say(
        "  %s core show %s/%s --data-dir %s%n",
        launcher, String.join("+", LicensePlan.AGENTS), LicenseTerms.DOMAIN, control.dataDir());
    narrator.say("  %s proxy-status --data-dir %s%n", launcher, control.dataDir());
    narrator.say(
        "  %s ledger verify %s --vkey '%s'%n", launcher, control.ledger(), control.ledgerKey());
    first.curl(
        "an order to A with a term that is not certified",
        "-s",
        scholarSidecar.inboundUrl() + Attachment.ORDERS_PATH,
        "order: " + Order.UNCERTIFIED);
  }
}
