package dev.parlance.demo;

import dev.parlance.demo.PactPlay.Made;
import dev.parlance.demo.PactPlay.Recomputed;
import dev.parlance.demo.api.PactDesk.Kept;
import dev.parlance.demo.api.PactDesk.Standing;
import dev.parlance.demo.license.LicensePlan;
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
        "A control plane and two A2A agents with a sidecar beside each. The agents know nothing of"
            + " pacts.%n%n");
  }

  void template(Made made, double nextMs) {
    title("Template: %s asks %s.", OFFICER, SCHOLAR);
    detail(made);
    narrator.say(
        "  %s after one round trip of %.0f ms; answered after %.0f ms, the next question after"
            + " %.0f ms%n",
        narrator.emphasise(PactScript.REFERENCE + " agreed", Narrator.GREEN),
        made.talkMs(),
        made.firstMs(),
        nextMs);
  }

  void negotiated(Made made) {
    title("Negotiated: %s has orders for %s, without a template.", SCHOLAR, OFFICER);
    for (PactTalk.Turn turn : made.turns()) {
      narrator.say("  %-16s %s%n", turn.from(), String.join("; ", turn.said()));
    }
    detail(made);
    narrator.say(
        "  %s after %d round trips, %.0f ms%n",
        narrator.emphasise("agreed", Narrator.GREEN), made.roundTrips(), made.talkMs());
  }

  private void detail(Made made) {
    narrator.detail("  %s%n", narrator.emphasise("pact " + made.pact(), Narrator.FAINT));
  }

  void oversized(int bytes) {
    title("Too long: %s rambles on, the pact has max_kb=%d.", SCHOLAR, PactScript.MAX_KB);
    narrator.say(
        "  %s: asked again by its sidecar (pact_output), %.1f KiB arrived%n",
        narrator.emphasise("repaired", Narrator.YELLOW), bytes / 1024.0);
  }

  void forbidden(Standing end) {
    title("A field that is not agreed: %s.", PactScript.FORBIDDEN);
    narrator.say(
        "  %s by the sidecar of %s (pact_scope), the pact holds%n",
        narrator.emphasise("stopped", Narrator.RED), OFFICER);
    narrator.say(
        "  sent round that sidecar: %s by the sidecar of %s, %s%n",
        narrator.emphasise("stopped", Narrator.RED), SCHOLAR, words(end));
  }

  void withdrawn(Standing end, long noticeMs) {
    title(
        "Withdrawal: %s withdraws for %s, with a notice of %d ms.",
        PactScript.PERSON, SCHOLAR, noticeMs);
    narrator.say("  %s; what still names it is refused (pact_ended)%n", words(end));
  }

  void disputed(Made made, int drafts) {
    title("Dispute: %s lectures, whatever it is asked.", SCHOLAR);
    detail(made);
    narrator.say(
        "  a new pact in %.0f ms; %d drafts too long, the budget is used up: %s; the next question"
            + " is held, too (pact_disputed)%n",
        made.talkMs(), drafts, narrator.emphasise("held, in dispute", Narrator.YELLOW));
  }

  void decided(Standing end) {
    narrator.say("  %s decides: %s%n", PactScript.ARBITER, words(end));
  }

  void completed(Made made) {
    title("Completion: %s asks once more, and is content.", OFFICER);
    detail(made);
    narrator.say(
        "  a new pact in %.0f ms; %s by both%n",
        made.talkMs(), narrator.emphasise("work_completed", Narrator.GREEN));
  }

  private static String words(Standing end) {
    return "dissolved as "
        + end.reason().orElse(end.state())
        + end.responsible().map(who -> ", " + who + " answers for it").orElse("");
  }

  void ended(List<Kept> kept, Recomputed ledger) {
    narrator.say("%n");
    for (Kept one : kept) {
      narrator.say(
          "%-16s scope honesty %s, reliability %s over %d pacts%n",
          one.party(), share(one.scopeHonesty()), share(one.reliability()), one.counted());
    }
    narrator.say(
        "Ledger: %d entries, tree and signatures %s; %d pacts recomputed from the entries alone,"
            + " %d open.%n",
        ledger.entries(),
        ledger.sound() ? "sound, every score follows" : "NOT SOUND",
        ledger.pacts(),
        ledger.open());
  }

  private static String share(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : "unknown";
  }

  private void title(String format, Object... arguments) {
    narrator.say(
        "%s%n", narrator.emphasise(String.format(Locale.ROOT, format, arguments), Narrator.BOLD));
  }

  void warn(String otherwise) {
    narrator.warn(otherwise);
  }

  void invite(ControlProcess control, String pact) {
    String launcher = narrator.options().launcher();
    narrator.say("%nEverything stays up until Ctrl-C. Meanwhile:%n");
    commands(launcher, control, pact);
  }

  private void commands(String launcher, ControlProcess control, String pact) {
    narrator.say("  %s pact list --data-dir %s%n", launcher, control.dataDir());
    narrator.say("  %s pact show %s --data-dir %s%n", launcher, pact, control.dataDir());
    narrator.say("  %s pact standing --data-dir %s%n", launcher, control.dataDir());
    narrator.say(
        "  %s ledger verify %s --vkey '%s'%n", launcher, control.ledger(), control.ledgerKey());
  }
}
