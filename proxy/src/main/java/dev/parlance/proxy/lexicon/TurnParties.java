package dev.parlance.proxy.lexicon;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Lexicons.Conversation;
import dev.parlance.proxy.gate.Lexicons.Opposite;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The parties of one exchange: who speaks to whom, and whether the sidecar opposite counts.
 *
 * <p>The sidecar of the agent that is given a message counts it and brings it to the ledger: that
 * one knows that it was delivered. Where no sidecar counts at the other end, the speaker's does.
 *
 * <table>
 *   <caption>Who counts</caption>
 *   <tr><th>Listener</th><th>Message</th><th>Opposite</th><th>Here</th></tr>
 *   <tr><td>inbound</td><td>request</td><td>said who speaks</td><td>coined before it goes to the
 *       agent, counted when the agent answers</td></tr>
 *   <tr><td>inbound</td><td>request</td><td>else</td><td>no turn: nobody knows who speaks</td></tr>
 *   <tr><td>inbound</td><td>answer</td><td>counts</td><td>left to it</td></tr>
 *   <tr><td>inbound</td><td>answer</td><td>else</td><td>coined and counted</td></tr>
 *   <tr><td>outbound</td><td>request</td><td>known to count</td><td>all of it is judged, the rest is
 *       left to it</td></tr>
 *   <tr><td>outbound</td><td>request</td><td>known not to</td><td>coined before it goes out, counted
 *       when it is answered</td></tr>
 *   <tr><td>outbound</td><td>request</td><td>unknown</td><td>all of it is judged; if the answer
 *       shows that nobody counts there, coined and counted then</td></tr>
 *   <tr><td>outbound</td><td>answer</td><td>any</td><td>coined and counted</td></tr>
 * </table>
 */
final class TurnParties {
  private static final String REASON = "Parlance-Reason";
  private static final String ROUTE = "Parlance-Route";

  private final Lexicons lexicons;
  private final boolean inbound;
  private final String authority;

  /** What the sidecar opposite says: beside the request inbound, beside the answer outbound. */
  private Optional<TurnField> theirs = Optional.empty();

  private Opposite opposite;

  TurnParties(ExchangeContext exchange) {
    this.lexicons = exchange.services().lexicons();
    this.inbound = exchange.direction() == Direction.INBOUND;
    this.authority = exchange.destination().toString();
    this.opposite = inbound ? Opposite.ABSENT : lexicons.opposite(authority);
  }

  /** True where others ask the local agent. */
  boolean isInbound() {
    return inbound;
  }

  /** A request has come with these fields. */
  void asked(HttpHeaders fields) {
    if (inbound) {
      theirs = TurnField.of(fields);
      opposite = theirs.isPresent() ? Opposite.PRESENT : Opposite.ABSENT;
    }
  }

  /**
   * An answer has come with these fields.
   *
   * @return true if the request was given to its agent, and nobody opposite counts it
   */
  boolean answered(HttpHeaders fields) {
    if (inbound) {
      return true;
    }
    theirs = TurnField.of(fields);
    if (theirs.isPresent()) {
      met(Opposite.PRESENT);
      return false;
    }
    if (isRefusal(fields)) {
      return false;
    }
    met(Opposite.ABSENT);
    return true;
  }

  private void met(Opposite how) {
    opposite = how;
    lexicons.met(authority, how);
  }

  /** True if a sidecar opposite that does not count has not let the one or the other pass. */
  private static boolean isRefusal(HttpHeaders fields) {
    String route = fields.get(ROUTE, "");
    return fields.contains(REASON) && !route.equals("execute") && !route.equals("warn");
  }

  /** True if the local agent speaks. */
  boolean isOurs(Leg leg) {
    return inbound == (leg == Leg.RESPONSE);
  }

  Optional<String> speaker(Leg leg) {
    return isOurs(leg) ? Optional.of(lexicons.agent()) : other();
  }

  Optional<String> listener(Leg leg) {
    return isOurs(leg) ? other() : Optional.of(lexicons.agent());
  }

  /** The agent on the other side: of whom the configuration knows, else as its sidecar says. */
  private Optional<String> other() {
    Optional<String> said = theirs.flatMap(TurnField::agent);
    return inbound ? said : lexicons.agentAt(authority).or(() -> said);
  }

  /**
   * False where it is not known that the lines are brought to the ledger: then they are judged as
   * the text that they are. That somebody opposite has answered as a sidecar does is no proof of
   * one.
   */
  boolean mayDivide(Leg leg) {
    return inbound || leg == Leg.RESPONSE || opposite == Opposite.ABSENT;
  }

  /** True if a message is brought to the ledger from here, or may be. */
  boolean isBrought(Leg leg) {
    return !isOurs(leg) || opposite != Opposite.PRESENT;
  }

  /** How many changes were on the board of the message's sender. */
  long changes(Leg leg, Conversation talk) {
    return isOurs(leg) ? 0 : theirs(talk).map(field -> field.changes().orElse(0)).orElse(0L);
  }

  /**
   * True if whoever speaks knows how the board stands, or that there is none: then a turn that is
   * read with none was said without one.
   */
  boolean knowsBoard(Leg leg, Conversation talk) {
    return isOurs(leg)
        ? talk.wasAsked()
        : theirs(talk).filter(field -> field.changes().isPresent()).isPresent();
  }

  /** The number that the message carries, or is given. */
  long number(Leg leg, Conversation talk) {
    OptionalLong given =
        isOurs(leg)
            ? OptionalLong.empty()
            : theirs(talk).map(TurnField::number).orElse(OptionalLong.empty());
    if (given.isEmpty()) {
      return talk.next();
    }
    talk.saw(given.getAsLong());
    return given.getAsLong();
  }

  /** What the sender has heard of the board is known here, too. */
  void tell(Leg leg, Conversation talk) {
    if (!isOurs(leg)) {
      theirs(talk).map(TurnField::leaked).filter(leaks -> !leaks.isEmpty()).ifPresent(talk::leaked);
    }
  }

  private Optional<TurnField> theirs(Conversation talk) {
    return theirs.filter(field -> field.board().equals(talk.board()));
  }

  /** What is told the sidecar opposite of a turn of the local agent. */
  TurnField told(Optional<Conversation> talk, Optional<TurnDraft> turn) {
    return new TurnField(
        talk.map(Conversation::board).orElse(TurnField.NO_BOARD),
        turn.isPresent() ? OptionalLong.of(turn.get().spoken().number()) : OptionalLong.empty(),
        talk.filter(one -> one.wasAsked() || one.held().revision() > 0)
            .map(one -> OptionalLong.of(one.held().changes()))
            .orElse(OptionalLong.empty()),
        Optional.of(lexicons.agent()),
        talk.map(one -> Set.copyOf(one.held().newlyLeaked(TurnField.MAX_LEAKED))).orElse(Set.of()));
  }
}
