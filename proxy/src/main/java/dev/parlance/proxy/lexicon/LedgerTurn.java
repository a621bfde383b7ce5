package dev.parlance.proxy.lexicon;

import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.exchange.Check.Awaited;
import dev.parlance.proxy.exchange.Check.Result;
import dev.parlance.proxy.exchange.Check.Reworded;
import dev.parlance.proxy.exchange.Check.Source;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Lexicons.Coining;
import dev.parlance.proxy.gate.Lexicons.Conversation;
import dev.parlance.proxy.gate.Lexicons.Spoken;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * The turn of one message, request or answer, from its reading to the ledger. Lives on the loop of
 * its exchange.
 *
 * <table>
 *   <caption>What becomes of a turn that is brought to the ledger from here</caption>
 *   <tr><th>The message</th><th>With lines that change the board</th><th>Without</th></tr>
 *   <tr><td>would go on</td><td>waits for the ledger; what that refuses is judged as text</td>
 *       <td>goes on</td></tr>
 *   <tr><td>is stopped then</td><td>what the ledger may have is taken back</td><td>no turn</td></tr>
 *   <tr><td>loses its caller meanwhile</td><td>the same</td><td></td></tr>
 *   <tr><td>does not reach its agent</td><td>the same</td><td>no turn</td></tr>
 *   <tr><td>is heard</td><td>done</td><td>counted</td></tr>
 * </table>
 */
final class LedgerTurn {
  private final ExchangeContext exchange;
  private final TurnParties parties;
  private final Leg leg;
  private Optional<Read> read = Optional.empty();
  private Optional<Asked> asked = Optional.empty();

  /** True once the message goes on. */
  private boolean passes;

  /** True if the ledger has the turn, or somebody else brings it there. */
  private boolean done;

  /** A turn that was read in its conversation. */
  private record Read(Conversation talk, TurnDraft draft) {}

  /** What the ledger was asked to take, and its reply. */
  private record Asked(TurnReport turn, CompletableFuture<Coining> reply, boolean isAnswered) {
    Asked answered() {
      return new Asked(turn, reply, true);
    }
  }

  LedgerTurn(ExchangeContext exchange, TurnParties parties, Leg leg) {
    this.exchange = exchange;
    this.parties = parties;
    this.leg = leg;
  }

  /** Another message comes. */
  void begin() {
    read = Optional.empty();
    asked = Optional.empty();
    passes = false;
    done = false;
  }

  /** Reads what was said, or leaves it unread. */
  TurnDraft read(Conversation talk, Spoken spoken, boolean mayCoin) {
    TurnDraft draft = mayCoin ? draft(talk, spoken) : TurnDraft.unread(spoken);
    draft.refusals().stream()
        .map(CoinRefusal.Reason::code)
        .forEach(code -> exchange.services().lexicons().events().rejected(code));
    read = Optional.of(new Read(talk, draft));
    return draft;
  }

  /** What has passed once is said again as it passed, whatever the board has come to. */
  private TurnDraft draft(Conversation talk, Spoken spoken) {
    return talk.passed(spoken.digest())
        .map(lines -> TurnDraft.again(spoken, lines))
        .orElseGet(() -> TurnDraft.read(spoken, exchange.governed()));
  }

  /** As it was read, if it is a turn. */
  Optional<TurnDraft> draft() {
    return read.map(Read::draft);
  }

  /** The same once the message goes on. */
  Optional<TurnDraft> passed() {
    return passes ? draft() : Optional.empty();
  }

  /** What becomes of a message that goes on if this turn lets it. */
  Result settle() {
    if (read.isEmpty()) {
      return Passage.ON;
    }
    Conversation talk = read.get().talk();
    TurnDraft turn = read.get().draft();
    passes = true;
    done |= leg == Leg.RESPONSE && !parties.isBrought(leg);
    if (turn.spoken().text().length() <= LexiconCheck.MAX_COINING_BYTES) {
      Set<TermRef> leaks = turn.leaks();
      if (!leaks.isEmpty()) {
        talk.leaked(leaks);
      }
    }
    if (!turn.changes() || !parties.mayDivide(leg)) {
      remember(turn, turn.lines());
      return Passage.ON;
    }
    if (!parties.isBrought(leg)) {
      note(turn, "left_to_peer", 0);
      return Passage.ON;
    }
    return coin(turn, true);
  }

  private Conversation talk() {
    return read.orElseThrow().talk();
  }

  private Result coin(TurnDraft turn, boolean whole) {
    TurnReport report = turn.report();
    CompletableFuture<Coining> reply = talk().coin(report, whole);
    asked = Optional.of(new Asked(report, reply, false));
    return new Awaited<>(Source.BOARD, reply, coining -> coined(turn, coining));
  }

  /** When it is said again, it is what it was now; what nobody has read is read then. */
  private void remember(TurnDraft turn, Set<Integer> lines) {
    if (turn.isRead() && parties.mayDivide(leg)) {
      talk().pass(turn.spoken().digest(), lines);
    }
  }

  private void note(TurnDraft turn, String result, int counted) {
    exchange
        .record()
        .lexicon(
            new DecisionEvent.Coinage(
                turn.spoken().held().id(), turn.lines().size(), counted, result));
  }

  /** Lines that would count, of which none is on the ledger. */
  private static Set<Integer> open(TurnDraft turn, Coining.Entered entered) {
    Set<Integer> open = new TreeSet<>(turn.lines());
    open.removeAll(entered.refused().keySet());
    return entered.accepted().isEmpty() ? open : Set.of();
  }

  private Result coined(TurnDraft turn, Coining coining) {
    asked = asked.map(Asked::answered);
    return switch (coining) {
      case Coining.Entered entered when !open(turn, entered).isEmpty() -> {
        // What was refused is text now; if that stops the message, nothing is on the ledger.
        TurnDraft rest = turn.only(open(turn, entered));
        yield new Reworded(rest.words(rest.lines()), () -> coin(rest, false));
      }
      case Coining.Entered entered -> {
        if (entered.accepted().isEmpty()) {
          asText(turn); // where no line counts, the ledger may have nothing of the turn
        } else {
          done = true;
        }
        Set<Integer> counted = new TreeSet<>(entered.accepted());
        counted.retainAll(turn.lines());
        if (!counted.isEmpty()) {
          remember(turn, counted);
        }
        note(
            turn,
            entered.refused().values().stream().findFirst().orElse("entered"),
            counted.size());
        yield counted.equals(turn.lines()) ? Passage.ON : new Reworded(turn.words(counted));
      }
      case Coining.Lost lost -> {
        asText(turn);
        note(turn, lost.code(), 0);
        yield new Reworded(turn.words(Set.of()));
      }
    };
  }

  /** As text it is counted like any other turn. */
  private void asText(TurnDraft turn) {
    read = Optional.of(new Read(talk(), TurnDraft.unread(turn.spoken())));
  }

  /** Nobody has heard it: it is no turn, and what the ledger may have of it is taken back. */
  void unheard() {
    passes = false;
    asked.ifPresent(one -> talk().retract(one.turn(), one.reply()));
    asked = Optional.empty();
  }

  /** Its caller has gone: true, if that was while it waited for the ledger. */
  boolean leftWaiting() {
    boolean waits = asked.filter(one -> !one.isAnswered()).isPresent();
    if (waits) {
      unheard();
    }
    return waits;
  }

  /** It was given to whom it is for, and nobody else counts it. */
  void heard() {
    if (passes && !done && read.isPresent()) {
      bring();
    }
  }

  /** The same for one that changes nothing. */
  void used() {
    if (passes && !done && read.isPresent()) {
      done = true;
      talk().count(read.get().draft().spoken());
    }
  }

  /** If it changes the board, all of it was judged as text: nothing has passed unseen. */
  void bring() {
    TurnDraft turn = read.orElseThrow().draft();
    done = true;
    if (turn.changes()) {
      var _ = talk().bring(turn.report());
    } else {
      talk().count(turn.spoken());
    }
  }
}
