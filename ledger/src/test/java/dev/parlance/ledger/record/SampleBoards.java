package dev.parlance.ledger.record;

import dev.parlance.ledger.record.LexiconWriter.Told;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.lexicon.BoardEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A ledger of several boards at once, told late, twice and out of order, with what people decide
 * about terms, and with entries that count for nothing.
 */
final class SampleBoards {
  private static final int BOARDS = 8;
  private static final int TURNS = 60;

  private SampleBoards() {}

  static LedgerWriter write(long seed) {
    Random random = new Random(seed);
    LedgerWriter ledger = new LedgerWriter(seed);
    List<Deque<Told>> waiting = new ArrayList<>();
    List<String> boards = new ArrayList<>();
    for (int i = 0; i < BOARDS; i++) {
      LexiconEntry.Share share = i % 2 == 0 ? LexiconEntry.Share.AUTO : LexiconEntry.Share.REVIEWED;
      LexiconWriter.Conversation one =
          LexiconWriter.conversation(seed * BOARDS + i, i, TURNS, share);
      ledger.append(one.opened());
      boards.add(one.opened().board());
      waiting.add(new ArrayDeque<>(LexiconWriter.mixed(random, one.told())));
    }
    Told before = new Told(false, false, List.of());
    while (waiting.stream().anyMatch(one -> !one.isEmpty())) {
      Deque<Told> next = waiting.get(random.nextInt(BOARDS));
      if (!next.isEmpty()) {
        Told told = next.remove();
        told.entries().forEach(ledger::append);
        // Lines of another turn than the one that was told last, and lines once more.
        before.entries().stream().skip(1).forEach(ledger::append);
        before = told;
        if (told.changes() && random.nextInt(4) == 0) {
          retracted(random, ledger, told);
        }
      }
      if (random.nextInt(4) == 0) {
        decided(random, ledger, boards.get(random.nextInt(BOARDS)));
      }
    }
    LexiconEntry.Retired nowhere =
        new LexiconEntry.Retired(LexiconWriter.board(999), "public", "gap", "operator", 1);
    ledger.append(nowhere);
    audited(ledger);
    return ledger;
  }

  /** A term is certified, repaired while another audit runs, and certified in its new meaning. */
  private static void audited(LedgerWriter ledger) {
    String board = LexiconWriter.board(BOARDS);
    ledger.counts(
        new LexiconEntry.BoardOpened(board, List.of(), LexiconEntry.Share.AUTO, ledger.now()));
    LexiconEntry.TurnId coins = new LexiconEntry.TurnId(board, Digest.of("coins"), "ann", "public");
    ledger.counts(new LexiconEntry.Used(coins, 1, 0, 5, false, List.of(), ledger.now()));
    ledger.counts(new LexiconEntry.Coined(coins, 3, "Gap", "what is open", ledger.now()));
    Entry.Plan plan =
        ledger.plan(
            "lexicon",
            1,
            List.of("ann", "bob"),
            List.of("gap", "notice"),
            900,
            SampleLedger.params(Bound.ANYTIME),
            Multiplicity.PER_TERM,
            40);
    ledger.counts(
        new LexiconEntry.Promoted(
            board, "public", "gap", "lexicon", "domain", 1, 1, 0, 1, "operator", ledger.now()));
    LedgerWriter.Answers agreed = LedgerWriter.agents(1, 0.0, "bob", List.of());
    ledger.audit(plan, Entry.Kind.CERTIFY, List.of(), agreed);
    LexiconEntry.TurnId repairs =
        new LexiconEntry.TurnId(board, Digest.of("repairs"), "bob", "public");
    ledger.audit(
        plan,
        Entry.Kind.RECERTIFY,
        List.of("gap"),
        agreed,
        _ -> {
          ledger.counts(new LexiconEntry.Used(repairs, 2, 1, 5, false, List.of(), ledger.now()));
          ledger.counts(
              new LexiconEntry.Repaired(
                  repairs, 0, "public", "gap", "what nobody closes", ledger.now()));
        });
    ledger.audit(plan, Entry.Kind.RECERTIFY, List.of("notice"), agreed);
    ledger.audit(plan, Entry.Kind.CERTIFY, List.of("gap"), agreed);
  }

  /** Nobody heard the turn; perhaps it is said again. */
  private static void retracted(Random random, LedgerWriter ledger, Told told) {
    LexiconEntry.TurnId id = ((LexiconEntry.OfTurn) told.entries().getFirst()).id();
    ledger.append(new LexiconEntry.Retracted(id.board(), id.turn(), "ann", ledger.now()));
    told.entries().stream().skip(1).forEach(ledger::append);
    if (random.nextBoolean()) {
      told.entries().forEach(ledger::append);
    }
  }

  private static void decided(Random random, LedgerWriter ledger, String board) {
    BoardRecord record = ledger.state().board(board).orElseThrow();
    List<BoardEntry> terms = record.board().entries();
    if (terms.isEmpty()) {
      return;
    }
    BoardEntry term = terms.get(random.nextInt(terms.size()));
    String visibility = term.visibility().toString();
    String key = random.nextInt(9) == 0 ? "no such" : term.key();
    ledger.append(
        switch (random.nextInt(5)) {
          case 0 -> new LexiconEntry.Retired(board, visibility, key, "operator", ledger.now());
          case 1 ->
              new LexiconEntry.Promoted(
                  board,
                  visibility,
                  key,
                  "plan",
                  "domain",
                  1,
                  term.version(),
                  term.reuse(),
                  term.speakers().size(),
                  "rule",
                  ledger.now());
          default -> new LexiconEntry.Shared(board, visibility, key, "operator", ledger.now());
        });
  }

  /** Where the first entry of this type stands that counts. */
  static Optional<Integer> first(LedgerWriter ledger, Class<? extends LexiconEntry> type) {
    LedgerState state = new LedgerState();
    for (int i = 0; i < ledger.entries().size(); i++) {
      Entry entry = ledger.entries().get(i);
      if (state.apply(i, entry).equals(Applied.COUNTED) && type.isInstance(entry)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }
}
