package dev.parlance.control.pact;

import dev.parlance.control.pact.PactRegistry.PactContext;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Optional;

/**
 * The keys of the parties of pacts, and the templates they have published. For any number of
 * threads; blocks.
 */
public final class PartyDirectory {
  /** Most templates, all versions together. */
  static final int MOST_TEMPLATES = 10_000;

  /** Most of one author. */
  static final int MOST_OF_AUTHOR = 1_000;

  private final PactContext context;
  private final PactDesk desk;
  private final PactCases cases;

  PartyDirectory(PactContext context, PactDesk desk, PactCases cases) {
    this.context = context;
    this.desk = desk;
    this.cases = cases;
  }

  /**
   * Makes a key count as the party's.
   *
   * @param first true to replace no other one
   */
  public synchronized Result<List<VerifierKey>> registerKey(
      String party, String vkey, long overlapMs, boolean first) {
    PactEntry.PartyKey entry;
    try {
      entry = new PactEntry.PartyKey(party, vkey, overlapMs, context.store().nowMs());
    } catch (IllegalArgumentException bad) {
      return desk.counted("key", PactDesk.invalid("bad_key", bad));
    }
    if (first && keys(party) instanceof Result.Done<List<VerifierKey>>(List<VerifierKey> known)) {
      return known.contains(entry.key())
          ? Result.done(known)
          : desk.counted(
              "key",
              Result.refused(
                  Result.Kind.PRECONDITION, "key_exists", party + " has another key already"));
    }
    Result<Boolean> written =
        desk.writeAlone(
            entry,
            party,
            () ->
                newestKey(party).filter(entry.key()::equals).isPresent()
                    || !desk.takes(entry, party));
    if (written instanceof Result.Refused<Boolean> refused) {
      return desk.counted("key", PactDesk.again(refused));
    }
    return newestKey(party).filter(entry.key()::equals).isPresent()
        ? desk.counted("key", keys(party))
        : desk.counted(
            "key",
            Result.refused(
                Result.Kind.PRECONDITION,
                "bad_key",
                "another key has followed this one; a key does not come back"));
  }

  private Optional<VerifierKey> newestKey(String party) {
    long now = context.store().nowMs();
    return context.view().read(state -> state.partyKeys(party, now)).stream().findFirst();
  }

  /** The keys of a party that count now, newest first. */
  public Result<List<VerifierKey>> keys(String party) {
    long now = context.store().nowMs();
    return desk.read(state -> state.partyKeys(party, now))
        .then(keys ->
            keys.isEmpty()
                ? Result.refused(
                    Result.Kind.NOT_FOUND, "key_unknown", "there is no key of " + party)
                : Result.done(keys));
  }

  /**
   * Publishes a template that its author has signed.
   *
   * @param caller the agent who publishes it; empty for an operator
   */
  public Result<PactEntry.TemplatePut> putTemplate(byte[] note, Optional<String> caller) {
    PactStatementNote.Reading reading = PactStatementNote.unverified(note);
    if (!(reading instanceof PactStatementNote.Reading.Good(PactStatement said, String sha256))
        || !(said instanceof PactStatement.Template template)) {
      return desk.counted("template", PactDesk.malformed("template_malformed", reading));
    }
    if (caller.isPresent() && !caller.get().equals(template.author())) {
      return desk.counted("template", PactDesk.notAParty("the token is not the author's"));
    }
    Result<Boolean> signed = desk.signed(note, template.author());
    if (signed instanceof Result.Refused<Boolean> refused) {
      return desk.counted("template", PactDesk.again(refused));
    }
    List<PactEntry.TemplatePut> all = context.view().read(LedgerState::templates);
    long own = all.stream().filter(one -> one.author().equals(template.author())).count();
    if (all.size() >= MOST_TEMPLATES || own >= MOST_OF_AUTHOR) {
      return desk.counted(
          "template",
          Result.refused(
              Result.Kind.EXHAUSTED,
              "too_many_templates",
              "expected at most "
                  + MOST_OF_AUTHOR
                  + " of an author, "
                  + MOST_TEMPLATES
                  + " in all"));
    }
    long now = context.store().nowMs();
    Optional<Result.Refused<Boolean>> wrong =
        template.settles().flatMap(decided -> cases.wrong(decided, now));
    if (wrong.isPresent() && all.stream().noneMatch(one -> one.sha256().equals(sha256))) {
      return desk.counted("template", PactDesk.again(wrong.get()));
    }
    PactEntry.TemplatePut entry =
        new PactEntry.TemplatePut(
            template.name(),
            template.version(),
            template.author(),
            sha256,
            PactEntry.encoded(note),
            now);
    Result<Boolean> written =
        desk.write(
            entry,
            () -> context.view().read(state -> state.template(template.reference())).isPresent());
    if (written instanceof Result.Refused<Boolean> refused) {
      return desk.counted("template", PactDesk.again(refused));
    }
    return desk.counted(
        "template",
        context
            .view()
            .read(state -> state.template(template.reference()))
            .filter(stands -> stands.sha256().equals(sha256))
            .map(Result::done)
            .orElseGet(() ->
                Result.refused(
                    Result.Kind.EXISTS,
                    "template_exists",
                    template.reference() + " is published already, and is another one")));
  }

  /** Published templates, newest first. */
  public Result<List<PactEntry.TemplatePut>> templates() {
    return desk.read(state -> state.templates().reversed());
  }

  /** The keys of its author that counted when a template was published. */
  public List<VerifierKey> templateKeys(PactEntry.TemplatePut template) {
    return context.view().read(state -> state.templateKeys(template.reference()));
  }
}
