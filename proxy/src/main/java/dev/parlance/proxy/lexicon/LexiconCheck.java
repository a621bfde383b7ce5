package dev.parlance.proxy.lexicon;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.CheckedMessage;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Lexicons.Coining;
import dev.parlance.proxy.gate.Lexicons.Conversation;
import dev.parlance.proxy.gate.Lexicons.Digest;
import dev.parlance.proxy.gate.Lexicons.HeldBoard;
import dev.parlance.proxy.gate.Lexicons.Opposite;
import dev.parlance.proxy.gate.Lexicons.Spoken;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.MessageView;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The check of what messages coin and use. Before a message is judged, the lines that would change
 * its board are taken out of what is measured; when nothing else stands against it, they are put
 * onto the ledger, and what the ledger refuses is judged as the text that it is.
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
 *   <tr><td>outbound</td><td>request</td><td>known to count</td><td>left to it</td></tr>
 *   <tr><td>outbound</td><td>request</td><td>known not to</td><td>coined before it goes out, counted
 *       when it is answered</td></tr>
 *   <tr><td>outbound</td><td>request</td><td>unknown</td><td>all of it is judged; if the answer
 *       shows that nobody counts there, coined and counted then</td></tr>
 *   <tr><td>outbound</td><td>answer</td><td>any</td><td>coined and counted</td></tr>
 * </table>
 */
public final class LexiconCheck implements Check {
  /** Largest text in which lines may coin; a longer one is read for uses alone. */
  static final int MAX_COINING_BYTES = 256 << 10;

  /** Largest text that is a turn. */
  static final int MAX_TURN_BYTES = 1 << 20;

  private static final String REFUSED = "Parlance-Reason";
  private static final String ROUTE = "Parlance-Route";

  /** The kind; on routes that coin. */
  public static final Kind KIND =
      new Kind(
          (_, _, rule, _) ->
              rule.lexicon().coins()
                  ? Optional.of("lexicon  coinages wait for the ledger, uses are counted")
                  : Optional.empty(),
          (exchange, _) -> new LexiconCheck(exchange));

  private final ExchangeContext exchange;
  private final Lexicons lexicons;
  private final boolean inbound;
  private final String authority;

  /** What the sidecar opposite says: beside the request inbound, beside the answer outbound. */
  private Optional<TurnField> theirs = Optional.empty();

  private Opposite opposite;
  private Correlation asked = Correlation.NONE;
  private Correlation answered = Correlation.NONE;
  private Optional<Conversation> conversation = Optional.empty();
  private Optional<TurnDraft> request = Optional.empty();
  private Optional<TurnDraft> answer = Optional.empty();

  /** True once the message goes on. */
  private boolean requestPasses;

  private boolean answerPasses;

  /** True if the ledger has the turn, or somebody else brings it there. */
  private boolean requestDone;

  private boolean answerDone;

  private LexiconCheck(ExchangeContext exchange) {
    this.exchange = exchange;
    this.lexicons = exchange.services().lexicons();
    this.inbound = exchange.direction() == Direction.INBOUND;
    this.authority = exchange.destination().toString();
    this.opposite = inbound ? Opposite.ABSENT : lexicons.opposite(authority);
  }

  // ---- who is opposite ----

  @Override
  public void fields(Leg leg, HttpHeaders fields) {
    switch (leg) {
      case REQUEST -> {
        if (inbound) {
          theirs = TurnField.of(fields);
          opposite = theirs.isPresent() ? Opposite.PRESENT : Opposite.ABSENT;
        }
      }
      case RESPONSE -> arrivedWith(fields);
    }
  }

  @Override
  public Passage head(HttpHeaders fields) {
    arrivedWith(fields);
    return Passage.ON;
  }

  private void arrivedWith(HttpHeaders fields) {
    answer = Optional.empty();
    answerPasses = false;
    answerDone = false;
    if (inbound) {
      requestHeard();
      return;
    }
    theirs = TurnField.of(fields);
    if (theirs.isPresent()) {
      opposite = Opposite.PRESENT;
      lexicons.met(authority, opposite);
    } else if (!isRefusal(fields)) {
      opposite = Opposite.ABSENT;
      lexicons.met(authority, opposite);
      requestHeard();
    }
  }

  /** True if a sidecar opposite that does not count has not let the one or the other pass. */
  private static boolean isRefusal(HttpHeaders fields) {
    String route = fields.get(ROUTE, "");
    return fields.contains(REFUSED) && !route.equals("execute") && !route.equals("warn");
  }

  /** The request was given to its agent. */
  private void requestHeard() {
    if (request.isEmpty() || !requestPasses || requestDone) {
      return;
    }
    requestDone = true;
    TurnDraft turn = request.get();
    Conversation talk = conversation.orElseThrow();
    if (turn.changes()) {
      // All of it was judged as text: whatever the ledger says, nothing has passed unseen.
      var _ = talk.coin(turn.report());
    } else {
      talk.count(turn.spoken());
    }
  }

  // ---- what is said ----

  @Override
  public boolean read(Leg leg, MessageView message) {
    switch (leg) {
      case REQUEST -> asked = message.correlation();
      case RESPONSE -> answered = message.correlation();
    }
    Optional<String> id =
        (leg == Leg.REQUEST ? asked.contextId() : answered.contextId().or(asked::contextId))
            .filter(given -> !given.isEmpty())
            .or(exchange::trace);
    conversation = id.flatMap(lexicons::conversation);
    return false;
  }

  @Override
  public Result words(Wording message) {
    Utf8Span text = message.said().answer();
    Optional<String> speaker = speaker(message.leg());
    if (conversation.isEmpty()
        || speaker.isEmpty()
        || text.isEmpty()
        || text.length() > MAX_TURN_BYTES) {
      return Passage.ON;
    }
    Conversation talk = conversation.get();
    HeldBoard held = talk.held();
    boolean mayCoin = text.length() <= MAX_COINING_BYTES && CoinLines.mayStandIn(text);
    long needed = isOurs(message.leg()) ? 0 : theirs(talk).map(TurnField::changes).orElse(0L);
    if (held.changes() < needed || (mayCoin && held.revision() == 0)) {
      return new Awaited<>(
          Source.BOARD,
          talk.atLeast(needed),
          now -> {
            read(message, talk, now, speaker.get(), mayCoin);
            return Passage.ON;
          });
    }
    read(message, talk, held, speaker.get(), mayCoin);
    return Passage.ON;
  }

  private void read(
      Wording message, Conversation talk, HeldBoard held, String speaker, boolean mayCoin) {
    Leg leg = message.leg();
    Utf8Span text = message.said().answer();
    Correlation ids = leg == Leg.REQUEST ? asked : answered;
    Spoken spoken =
        new Spoken(
            held,
            Digest.of(talk.id(), ids.messageId().orElse(""), speaker, text.toByteArray()),
            number(leg, talk),
            speaker,
            held.channel(speaker, listener(leg)),
            text.toString());
    TurnDraft turn = mayCoin ? TurnDraft.read(spoken) : TurnDraft.unread(spoken);
    switch (leg) {
      case REQUEST -> request = Optional.of(turn);
      case RESPONSE -> answer = Optional.of(turn);
    }
    if (mayCoin) {
      Words words = turn.words(mayDivide(leg) ? turn.lines() : Set.of());
      if (words.judged().length() != text.length()) {
        message.divide(words);
      }
    }
  }

  /** False where nobody knows yet whether somebody will bring the lines to the ledger. */
  private boolean mayDivide(Leg leg) {
    return inbound || leg == Leg.RESPONSE || opposite != Opposite.UNKNOWN;
  }

  private Optional<TurnField> theirs(Conversation talk) {
    return theirs.filter(field -> field.board().equals(talk.board()));
  }

  private long number(Leg leg, Conversation talk) {
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

  /** True if the local agent speaks. */
  private boolean isOurs(Leg leg) {
    return inbound == (leg == Leg.RESPONSE);
  }

  private Optional<String> speaker(Leg leg) {
    return isOurs(leg) ? Optional.of(lexicons.agent()) : other();
  }

  private Optional<String> listener(Leg leg) {
    return isOurs(leg) ? other() : Optional.of(lexicons.agent());
  }

  /** The agent on the other side: of whom the configuration knows, else as its sidecar says. */
  private Optional<String> other() {
    Optional<String> said = theirs.flatMap(TurnField::agent);
    return inbound ? said : lexicons.agentAt(authority).or(() -> said);
  }

  // ---- what becomes of it ----

  @Override
  public Result request(CheckedMessage message) {
    return request.isEmpty() ? Passage.ON : settle(request.get(), Leg.REQUEST);
  }

  @Override
  public Result answer(CheckedMessage message) {
    return answer.isEmpty() ? Passage.ON : settle(answer.get(), Leg.RESPONSE);
  }

  private Result settle(TurnDraft turn, Leg leg) {
    passes(leg);
    answerDone |= leg == Leg.RESPONSE && !isBrought(leg);
    if (!turn.changes() || !mayDivide(leg) || !isBrought(leg)) {
      return Passage.ON;
    }
    return new Awaited<>(
        Source.BOARD,
        conversation.orElseThrow().coin(turn.report()),
        coining -> coined(turn, leg, coining));
  }

  private void passes(Leg leg) {
    switch (leg) {
      case REQUEST -> requestPasses = true;
      case RESPONSE -> answerPasses = true;
    }
  }

  private void done(Leg leg) {
    switch (leg) {
      case REQUEST -> requestDone = true;
      case RESPONSE -> answerDone = true;
    }
  }

  /** True if it is brought to the ledger from here, or may be. */
  private boolean isBrought(Leg leg) {
    return !isOurs(leg) || opposite != Opposite.PRESENT;
  }

  private Result coined(TurnDraft turn, Leg leg, Coining coining) {
    return switch (coining) {
      case Coining.Entered entered -> {
        done(leg);
        yield entered.accepted().containsAll(turn.lines())
            ? Passage.ON
            : new Reworded(turn.words(entered.accepted()));
      }
      case Coining.Lost _ -> {
        // As text it is counted like any other turn.
        switch (leg) {
          case REQUEST -> request = Optional.of(TurnDraft.unread(turn.spoken()));
          case RESPONSE -> answer = Optional.of(TurnDraft.unread(turn.spoken()));
        }
        yield new Reworded(turn.words(Set.of()));
      }
    };
  }

  /** A streamed answer is there, whole: all of it was judged as text. */
  @Override
  public Passage whole(Optional<Judgment> judgment, boolean hasWords) {
    return Passage.ON;
  }

  @Override
  public void over() {
    if (answer.isPresent() && answerPasses && !answerDone) {
      answerDone = true;
      conversation.orElseThrow().count(answer.get().spoken());
    }
  }

  /** The agent may have heard the request all the same. */
  @Override
  public void abandoned() {
    if (inbound) {
      requestHeard();
    }
  }

  // ---- what stands beside it ----

  @Override
  public void toAgent(HttpHeaders fields) {
    if (!inbound) {
      field(request).write(fields);
    }
  }

  @Override
  public void toCaller(HttpHeaders fields) {
    if (inbound) {
      field(answerPasses ? answer : Optional.empty()).write(fields);
    }
  }

  private TurnField field(Optional<TurnDraft> turn) {
    return new TurnField(
        conversation.map(Conversation::board).orElse(TurnField.NO_BOARD),
        turn.isPresent() ? OptionalLong.of(turn.get().spoken().number()) : OptionalLong.empty(),
        conversation.map(talk -> talk.held().changes()).orElse(0L),
        Optional.of(lexicons.agent()));
  }
}
