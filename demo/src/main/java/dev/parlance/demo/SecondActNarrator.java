package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.TermResult;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Says in words and pictures what happens in the second act. */
final class SecondActNarrator {
  private static final int STEPS = 10;
  private static final double PERCENT = 100.0;

  private final PrintStream out;
  private final String launcher;
  private final Table table;
  private int stepsShown;

  SecondActNarrator(PrintStream out, DemoOptions options) {
    this.out = out;
    this.launcher = options.launcher();
    this.table =
        new Table(out, options.colour() ? Table.Colour.ON : Table.Colour.OFF, options.streaming());
  }

  void begin(ControlProcess control, Plan plan) {
    out.printf(
        "%nAct 2. Orders have consequences, so words in them must mean the same to both agents.%n");
    out.printf(
        "Control plane on %s, both sidecars attached. Plan %s: %d terms, %d events in the pool,"
            + " %d drawn per term.%n",
        control.grpc(),
        plan.getName(),
        plan.getTermsCount(),
        plan.getEventsCount(),
        plan.getEventsPerTerm());
    out.printf(
        Locale.ROOT,
        "A term is certified if A and B contradict each other on less than %.0f %% of events, with"
            + " %.0f %% confidence.%n",
        PERCENT * plan.getParams().getTau(),
        PERCENT * (1 - plan.getParams().getDelta()));
    out.flush();
  }

  void auditBegins(String what) {
    out.printf("%n%s%n  asking ", what);
    out.flush();
    stepsShown = 0;
  }

  /** One dot for each tenth of the questions. */
  void progress(Audit audit) {
    int done = audit.getAnswered() + audit.getUnanswered();
    int steps = audit.getQuestions() == 0 ? 0 : STEPS * done / audit.getQuestions();
    for (; stepsShown < steps; stepsShown++) {
      out.print('.');
    }
    out.flush();
  }

  void auditEnds(SecondActReport.Audited audited, double tau) {
    Audit audit = audited.audit();
    out.printf(
        Locale.ROOT,
        " %d questions answered in %.1f s%n",
        audit.getAnswered(),
        audited.tookMs() / 1000.0);
    out.println(CoreTable.head());
    for (TermResult result : audit.getResultsList()) {
      String row = CoreTable.row(result, tau);
      out.println(table.emphasise(row, CoreTable.isCertified(result) ? "32" : "31"));
    }
    out.printf(
        "  -> core version %d, in force%s%n",
        audit.getCoreVersion(), enforced(audited.enforcedMs()));
    out.flush();
  }

  private static String enforced(Map<String, Long> enforcedMs) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(enforcedMs)
        .forEach((agent, ms) ->
            text.append(text.isEmpty() ? " " : " and ")
                .append(ms)
                .append(" ms after it was issued at the sidecar of ")
                .append(agent));
    return text.toString();
  }

  void said(String text) {
    out.printf("%n%s%n", text);
    out.flush();
  }

  void order(Order.Outcome outcome) {
    String what =
        outcome.passed()
            ? table.emphasise("passed", "32")
            : table.emphasise(outcome.route().isEmpty() ? "failed" : outcome.route(), "31");
    out.printf(
        "  to %s: \"%s\"  %s%s%n",
        outcome.to(),
        outcome.text(),
        what,
        outcome.passed() ? "" : " " + String.join(", ", outcome.verdict().reasons()));
    out.flush();
  }

  void words(Order.Outcome outcome) {
    int from = outcome.answer().indexOf("The term");
    out.println("      " + (from < 0 ? outcome.answer() : outcome.answer().substring(from)));
    outcome.verdict().reviewId().ifPresent(id -> out.printf("      held for a person as %s%n", id));
    out.flush();
  }

  void disagreement(List<SecondActReport.Phase> phases) {
    out.printf("%nHow often A and B contradict each other on events that no audit has seen:%n");
    out.printf("  %-48s %14s %26s%n", "", "all terms", "terms in the core");
    for (SecondActReport.Phase phase : phases) {
      out.printf(
          Locale.ROOT,
          "  %-48s %12.1f %% %12.1f %% of %d terms%n",
          phase.name(),
          PERCENT * phase.all().share(),
          PERCENT * phase.core().share(),
          phase.coreTerms());
    }
    out.flush();
  }

  void ledger(SecondActReport.Ledger ledger) {
    out.printf(
        "%nLedger: %d entries, tree and signatures %s; %d decisions and %d cores recomputed from"
            + " the entries alone.%n",
        ledger.entries(),
        ledger.sound() ? "sound, every decision follows" : "NOT SOUND",
        ledger.decisions(),
        ledger.cores());
    out.flush();
  }

  void invite(ControlProcess control, SidecarProcess scholarSidecar) {
    out.println("\nAbout the core:");
    out.printf("  %s core list --data-dir %s%n", launcher, control.dataDir());
    out.printf(
        "  %s core show %s+%s/%s --data-dir %s%n",
        launcher,
        LicensePlan.OFFICER,
        LicensePlan.SCHOLAR,
        LicensePlan.core().getDomain(),
        control.dataDir());
    out.printf("  %s proxy-status --data-dir %s%n", launcher, control.dataDir());
    out.printf(
        "  %s ledger verify %s --vkey '%s'%n", launcher, control.ledger(), control.ledgerKey());
    out.println("  # an order to A with a term that is not certified");
    out.printf(
        "  curl -s %s%s -H 'Content-Type: application/json' -d '%s'%n",
        scholarSidecar.inboundUrl(),
        Attachment.ORDERS_PATH,
        Narrator.request("order: " + Order.UNCERTIFIED));
    out.flush();
  }
}
