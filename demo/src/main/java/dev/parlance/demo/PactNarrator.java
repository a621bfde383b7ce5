package dev.parlance.demo;

import dev.parlance.demo.PactPlay.Made;
import dev.parlance.demo.PactPlay.Recomputed;
import dev.parlance.demo.api.PactDesk.Kept;
import dev.parlance.demo.api.PactDesk.Standing;
import dev.parlance.demo.license.LicensePlan;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Tells what becomes of pacts. */
final class PactNarrator {
  private static final String OFFICER = LicensePlan.OFFICER;
  private static final String SCHOLAR = LicensePlan.SCHOLAR;

  private final Narrator narrator;

  PactNarrator(Narrator narrator) {
    this.narrator = narrator;
  }

  void starting() {
    narrator.say(
        "A control plane and two A2A agents with a sidecar beside each; the agents know nothing of"
            + " pacts.%n");
  }

  void template(Made made, double nextMs) {
    title("Template", OFFICER + " asks " + SCHOLAR + " and offers " + PactScript.REFERENCE);
    narrator.detail(
        "  %s%n",
        String.join(", ", PactScript.template().predicates().stream().map(p -> p.body()).toList()));
    detail(made);
    narrator.say(
        "  %s in one round trip, %.0f ms; the first answer after %.0f ms, the next after %.0f ms%n",
        narrator.emphasise("agreed", Narrator.GREEN), made.talkMs(), made.firstMs(), nextMs);
  }

  void negotiated(Made made) {
    title("Counters", SCHOLAR + " has orders for " + OFFICER + " and no template");
    for (Iterator<PactTalk.Turn> all = made.turns().iterator(); all.hasNext(); ) {
      PactTalk.Turn turn = all.next();
      String end =
          all.hasNext()
              ? ""
              : String.format(
                  Locale.ROOT,
                  ": %s in %d round trips, %.0f ms",
                  narrator.emphasise("agreed", Narrator.GREEN),
                  made.roundTrips(),
                  made.talkMs());
      narrator.say("  %-15s %s%s%n", turn.from(), String.join("; ", turn.said()), end);
    }
    detail(made);
  }

  private void detail(Made made) {
    narrator.detail("  %s%n", narrator.emphasise("pact " + made.pact(), Narrator.FAINT));
  }

  void oversized(int bytes, List<String> routes) {
    title("Too long", SCHOLAR + " rambles on, where max_kb=" + PactScript.MAX_KB);
    narrator.detail("  drafts: %s%n", String.join(", ", routes));
    narrator.say(
        "  asked again by its own sidecar (pact_output), %s: %.1f KiB arrived%n",
        narrator.emphasise("repaired", Narrator.GREEN), bytes / 1024.0);
  }

  void forbidden(Standing end) {
    title(
        "Forbidden",
        OFFICER + " sends \"" + PactScript.FORBIDDEN + "\", where fields=" + PactScript.FIELD);
    narrator.say(
        "  %s by its own sidecar (pact_scope), nothing has left, the pact holds%n",
        narrator.emphasise("stopped", Narrator.RED));
    narrator.say(
        "  sent by a stranger who has read the pact: %s (pact_unproven), the pact holds%n",
        narrator.emphasise("stopped", Narrator.RED));
    narrator.say(
        "  sent round its own sidecar, with its key: %s by the other one, %s%n",
        narrator.emphasise("stopped", Narrator.RED), words(end));
  }

  void withdrawn(Standing end, long noticeMs) {
    title(
        "Withdrawal",
        PactScript.PERSON + " withdraws for " + SCHOLAR + ", with a notice of " + noticeMs + " ms");
    narrator.say("  %s; what still names it is refused (pact_ended)%n", words(end));
  }

  void disputed(Made made, int drafts) {
    title("Dispute", SCHOLAR + " lectures, whatever it is asked");
    detail(made);
    narrator.say(
        "  a new pact in %.0f ms; after %d drafts the budget is used up: %s%n",
        made.talkMs(), drafts, narrator.emphasise("held, in dispute", Narrator.YELLOW));
    narrator.say(
        "  the next question: %s (pact_disputed)%n", narrator.emphasise("held", Narrator.YELLOW));
  }

  void decided(Standing end) {
    narrator.say("  %s decides: %s%n", PactScript.ARBITER, words(end));
  }

  void completed(Made made) {
    title("Completion", OFFICER + " asks once more, and is content");
    detail(made);
    narrator.say(
        "  a new pact in %.0f ms; %s, say both%n",
        made.talkMs(), narrator.emphasise("work_completed", Narrator.GREEN));
  }

  private static String words(Standing end) {
    return "dissolved: "
        + end.reason().orElse(end.state())
        + end.responsible().map(who -> " by " + who).orElse("");
  }

  void ended(List<Kept> kept, Recomputed ledger) {
    title("Scores", "after " + ledger.pacts() + " pacts");
    for (Kept one : kept) {
      narrator.say(
          "  %-15s scope honesty %s, reliability %s%n",
          one.party(), share(one.scopeHonesty()), share(one.reliability()));
    }
    narrator.say(
        "Ledger: %d entries, tree and signatures %s; %d pacts recomputed from the entries alone,"
            + " %d open.%n",
        ledger.entries(),
        ledger.sound() ? "sound, every end follows" : "NOT SOUND",
        ledger.pacts(),
        ledger.open());
  }

  private static String share(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : "unknown";
  }

  private void title(String what, String words) {
    narrator.say("%s: %s.%n", narrator.emphasise(what, Narrator.BOLD), words);
  }

  void warn(String otherwise) {
    narrator.warn(otherwise);
  }

  void invite(ControlProcess control, String pact) {
    String launcher = narrator.options().launcher();
    narrator.say("%nEverything stays up until Ctrl-C. Meanwhile:%n");
    narrator.say("  %s pact list --data-dir %s%n", launcher, control.dataDir());
    narrator.say("  %s pact show %s --data-dir %s%n", launcher, pact, control.dataDir());
    narrator.say("  %s pact standing --data-dir %s%n", launcher, control.dataDir());
    narrator.say(
        "  %s ledger verify %s --vkey '%s'%n", launcher, control.ledger(), control.ledgerKey());
  }
}
