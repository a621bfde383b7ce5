package dev.parlance.proxy.lexicon;

import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.lexicon.CoinRefusal;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.ContentRules;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.config.CoreRule;
import dev.parlance.proxy.config.LexiconRule;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.CheckedMessage;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Lexicons.Coining;
import dev.parlance.proxy.gate.Lexicons.Conversation;
import dev.parlance.proxy.gate.Lexicons.Digest;
import dev.parlance.proxy.gate.Lexicons.HeldBoard;
import dev.parlance.proxy.gate.Lexicons.Spoken;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.Show;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The check of what messages coin and use. Before a message is judged, the lines that would change
 * its board are taken out of what is measured; when nothing else stands against it, they are put
 * onto the ledger, and what the ledger refuses is judged as the text that it is. Who does so, and
 * who counts, says {@link TurnParties}. It also shows the local agent the terms of the board.
 */
public final class LexiconCheck implements Check {
  /** Largest text in which lines may coin; a longer one is read for uses alone. */
  static final int MAX_COINING_BYTES = 256 << 10;

  /** Largest text that is a turn. */
  static final int MAX_TURN_BYTES = 1 << 20;

  /** The kind; on routes that have to do with coined terms. */
  public static final Kind KIND =
      new Kind(
          (leg, _, rule, config) -> line(leg, rule, config),
          (exchange, _) -> new LexiconCheck(exchange));

  private static Optional<String> line(Leg leg, RouteRule route, SidecarConfig config) {
    LexiconRule rule = route.lexicon();
    List<String> does = new ArrayList<>(3);
    if (rule.coins()) {
      does.add("coinages wait for the ledger, uses are counted");
    }
    if (rule.inject() != LexiconRule.Inject.OFF && leg == Leg.REQUEST) {
      does.add("terms are shown: " + rule.inject().code());
    }
    if (route.core().isPresent()
        && config.routes().stream().anyMatch(one -> one.lexicon().coins())) {
      does.add("terms from boards are uncertified until an audit has decided");
    }
    return does.isEmpty() ? Optional.empty() : Optional.of("lexicon  " + String.join("; ", does));
  }

  private final ExchangeContext exchange;
  private final Lexicons lexicons;
  private final LexiconRule rule;
  private final TurnParties parties;
  private Correlation asked = Correlation.NONE;
  private Correlation answered = Correlation.NONE;
  private Optional<RequestView> shown = Optional.empty();
  private LexiconMark mark = LexiconMark.NONE;
  private Optional<Conversation> conversation = Optional.empty();
  private Optional<TurnDraft> request = Optional.empty();
  private Optional<TurnDraft> answer = Optional.empty();
  private final StreamedTurn streamed = new StreamedTurn(MAX_TURN_BYTES);

  /** True once the message goes on. */
  private boolean requestPasses;

  private boolean answerPasses;

  /** True if the ledger has the turn, or somebody else brings it there. */
  private boolean requestDone;

  private boolean answerDone;

  private LexiconCheck(ExchangeContext exchange) {
    this.exchange = exchange;
    this.lexicons = exchange.services().lexicons();
    this.rule = exchange.rule().lexicon();
    this.parties = new TurnParties(exchange);
  }

  // ---- what comes ----

  @Override
  public void fields(Leg leg, HttpHeaders fields) {
    switch (leg) {
      case REQUEST -> parties.asked(fields);
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
    streamed.begin();
    if (parties.answered(fields)) {
      requestHeard();
    }
  }

  /** The request was given to its agent, and nobody opposite counts it. */
  private void requestHeard() {
    if (request.isPresent() && requestPasses && !requestDone) {
      requestDone = true;
      // If it changes the board, all of it was judged as text: nothing has passed unseen.
      bring(request.get());
    }
  }

  private void bring(TurnDraft turn) {
    Conversation talk = conversation.orElseThrow();
    if (turn.changes()) {
      var _ = talk.coin(turn.report(), false);
    } else {
      talk.count(turn.spoken());
    }
  }

  @Override
  public boolean read(Leg leg, MessageView message) {
    switch (leg) {
      case REQUEST -> asked = message.correlation();
      case RESPONSE -> answered = message.correlation();
    }
    mark = message.lexicon();
    shown = message instanceof RequestView view && isShown(view) ? Optional.of(view) : shown;
    Optional<String> id =
        (leg == Leg.REQUEST ? asked.contextId() : answered.contextId().or(asked::contextId))
            .filter(given -> !given.isEmpty())
            .or(exchange::trace);
    conversation = id.flatMap(lexicons::conversation);
    return false;
  }

  /** Terms are for the local agent: in what it is asked, or in what it asks its model. */
  private boolean isShown(RequestView view) {
    return rule.inject() != LexiconRule.Inject.OFF
        && (parties.isInbound() || view.protocol().name().startsWith("openai"));
  }

  // ---- what is judged ----

  @Override
  public Result words(Wording message) {
    if (conversation.isEmpty()) {
      return Passage.ON;
    }
    Leg leg = message.leg();
    Conversation talk = conversation.get();
    parties.tell(leg, talk);
    HeldBoard held = talk.held();
    boolean isTurn = isTurn(message);
    boolean mayCoin = isTurn && mayCoin(message);
    boolean shows = leg == Leg.REQUEST && shown.isPresent();
    long needed = parties.changes(leg, talk);
    if (held.changes() < needed
        || (held.revision() == 0 && (mayCoin || shows || sendsBack()) && !talk.wasAsked())) {
      return new Awaited<>(
          Source.BOARD,
          talk.atLeast(needed),
          _ -> {
            // What was said of leaks is about the newer board, too.
            parties.tell(leg, talk);
            look(message, talk.held(), isTurn, mayCoin);
            return Passage.ON;
          });
    }
    look(message, held, isTurn, mayCoin);
    return Passage.ON;
  }

  /** True where a term that is in no core yet must not pass. */
  private boolean sendsBack() {
    return exchange
        .rule()
        .core()
        .filter(core -> core.policy().onUncertified() == OnUncertified.REGENERATE)
        .isPresent();
  }

  @Override
  public Set<String> untested(Utf8Span said, Utf8Span beside) {
    Optional<CoreRule> core = exchange.rule().core();
    return core.isEmpty() || conversation.isEmpty()
        ? Set.of()
        : conversation.get().untested(core.get().domain(), exchange.governed(), said, beside);
  }

  /** What an agent asks a model is no turn, but the model can be shown the terms. */
  @Override
  public Result wordless(Leg leg) {
    if (conversation.isEmpty() || leg != Leg.REQUEST || shown.isEmpty()) {
      return Passage.ON;
    }
    RequestView view = shown.get();
    Conversation talk = conversation.get();
    if (talk.held().revision() == 0 && !talk.wasAsked()) {
      return new Awaited<>(
          Source.BOARD,
          talk.atLeast(0),
          _ -> {
            show(view);
            return Passage.ON;
          });
    }
    show(view);
    return Passage.ON;
  }

  private boolean isTurn(Wording message) {
    Utf8Span text = message.said().answer();
    return rule.coins()
        && !text.isEmpty()
        && text.length() <= MAX_TURN_BYTES
        && parties.speaker(message.leg()).isPresent();
  }

  private boolean mayCoin(Wording message) {
    Utf8Span text = message.said().answer();
    return text.length() <= MAX_COINING_BYTES
        && (mark instanceof LexiconMark.Statement || CoinLines.mayStandIn(text));
  }

  private void look(Wording message, HeldBoard held, boolean isTurn, boolean mayCoin) {
    if (message.leg() == Leg.REQUEST && shown.isPresent()) {
      show(shown.get());
    }
    if (isTurn) {
      read(message, held, mayCoin);
    }
  }

  private void show(RequestView view) {
    Lexicons.Known known =
        conversation.orElseThrow().known(exchange.services().gate().governed(exchange.config()));
    Show where =
        switch (rule.inject()) {
          case METADATA -> Show.METADATA;
          case PART -> Show.PART;
          case BOTH -> Show.BOTH;
          case OFF -> throw new IllegalStateException("nothing is shown on this route");
        };
    if (!known.block().isEmpty() && view.show(known.block(), where)) {
      lexicons.events().injected(known.tokens());
    }
  }

  private void read(Wording message, HeldBoard held, boolean mayCoin) {
    Leg leg = message.leg();
    Utf8Span text = message.said().answer();
    String turnText =
        mark instanceof LexiconMark.Statement statement ? statement.turn() : text.toString();
    TurnDraft turn = turn(leg, held, turnText, mayCoin);
    Utf8Span known = echo(turn.spoken().speaker(), text);
    if (!known.isEmpty()) {
      message.echo(known);
    }
    if (mayCoin) {
      Words words = turn.words(parties.mayDivide(leg) ? turn.lines() : Set.of());
      if (words.judged().length() != text.length()) {
        message.divide(words);
      }
    }
  }

  /** Terms of the board are no new words, except where the paper's rules hold as they are. */
  private Utf8Span echo(String speaker, Utf8Span text) {
    return exchange.rule().profile().rules().equals(ContentRules.OFF)
        ? Utf8Span.EMPTY
        : conversation.orElseThrow().used(speaker, text);
  }

  private TurnDraft turn(Leg leg, HeldBoard held, String text, boolean mayCoin) {
    Conversation talk = conversation.orElseThrow();
    String speaker = parties.speaker(leg).orElseThrow();
    Correlation ids = leg == Leg.REQUEST ? asked : answered;
    Spoken spoken =
        new Spoken(
            held,
            Digest.of(
                talk.id(),
                ids.messageId().orElse(""),
                speaker,
                text.getBytes(StandardCharsets.UTF_8)),
            parties.number(leg, talk),
            speaker,
            held.channel(speaker, parties.listener(leg)),
            text,
            held.revision() > 0 || parties.knowsBoard(leg, talk));
    TurnDraft turn = mayCoin ? draft(talk, spoken) : TurnDraft.unread(spoken);
    turn.refusals().stream()
        .map(CoinRefusal.Reason::code)
        .forEach(code -> lexicons.events().rejected(code));
    switch (leg) {
      case REQUEST -> request = Optional.of(turn);
      case RESPONSE -> answer = Optional.of(turn);
    }
    return turn;
  }

  /** What has passed once is said again as it passed, whatever the board has come to. */
  private TurnDraft draft(Conversation talk, Spoken spoken) {
    return talk.passed(spoken.digest())
        .map(lines -> TurnDraft.again(spoken, lines))
        .orElseGet(() -> TurnDraft.read(spoken, exchange.governed()));
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
    requestPasses |= leg == Leg.REQUEST;
    answerPasses |= leg == Leg.RESPONSE;
    answerDone |= leg == Leg.RESPONSE && !parties.isBrought(leg);
    if (turn.spoken().text().length() <= MAX_COINING_BYTES) {
      Set<TermRef> leaks = turn.leaks();
      if (!leaks.isEmpty()) {
        conversation.orElseThrow().leaked(leaks);
      }
    }
    if (!turn.changes() || !parties.mayDivide(leg)) {
      passed(turn, turn.lines(), leg);
      return Passage.ON;
    }
    if (!parties.isBrought(leg)) {
      note(turn, "left_to_peer", 0);
      return Passage.ON;
    }
    return coin(turn, leg, true);
  }

  private Result coin(TurnDraft turn, Leg leg, boolean whole) {
    return new Awaited<>(
        Source.BOARD,
        conversation.orElseThrow().coin(turn.report(), whole),
        coining -> coined(turn, leg, coining));
  }

  /** When it is said again, it is what it was now; what nobody has read is read then. */
  private void passed(TurnDraft turn, Set<Integer> lines, Leg leg) {
    if (turn.isRead() && parties.mayDivide(leg)) {
      conversation.orElseThrow().pass(turn.spoken().digest(), lines);
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

  private Result coined(TurnDraft turn, Leg leg, Coining coining) {
    return switch (coining) {
      case Coining.Entered entered when !open(turn, entered).isEmpty() -> {
        // What was refused is text now; if that stops the message, nothing is on the ledger.
        TurnDraft rest = turn.only(open(turn, entered));
        yield new Reworded(rest.words(rest.lines()), () -> coin(rest, leg, false));
      }
      case Coining.Entered entered -> {
        if (entered.accepted().isEmpty()) {
          asText(turn, leg); // where no line counts, the ledger may have nothing of the turn
        } else {
          requestDone |= leg == Leg.REQUEST;
          answerDone |= leg == Leg.RESPONSE;
        }
        Set<Integer> counted = new TreeSet<>(entered.accepted());
        counted.retainAll(turn.lines());
        if (!counted.isEmpty()) {
          passed(turn, counted, leg);
        }
        note(
            turn,
            entered.refused().values().stream().findFirst().orElse("entered"),
            counted.size());
        yield counted.equals(turn.lines()) ? Passage.ON : new Reworded(turn.words(counted));
      }
      case Coining.Lost lost -> {
        asText(turn, leg);
        note(turn, lost.code(), 0);
        yield new Reworded(turn.words(Set.of()));
      }
    };
  }

  /** As text it is counted like any other turn. */
  private void asText(TurnDraft turn, Leg leg) {
    TurnDraft text = TurnDraft.unread(turn.spoken());
    switch (leg) {
      case REQUEST -> request = Optional.of(text);
      case RESPONSE -> answer = Optional.of(text);
    }
  }

  /** Nobody has heard it: it is no turn. */
  @Override
  public void stoppedAgain(Leg leg) {
    switch (leg) {
      case REQUEST -> requestPasses = false;
      case RESPONSE -> answerPasses = false;
    }
  }

  /** What a person has released goes on whatever the ledger says. */
  @Override
  public Result released(MessageView view, CheckedMessage message) {
    boolean _ = read(Leg.RESPONSE, view);
    Optional<Utf8Span> text = message.text().filter(one -> one.length() <= MAX_TURN_BYTES);
    if (rule.coins()
        && conversation.isPresent()
        && text.isPresent()
        && parties.speaker(Leg.RESPONSE).isPresent()) {
      ended(text.get().toString());
    }
    return Passage.ON;
  }

  // ---- streamed answers: all of one is judged as text, and coins when it has ended ----

  @Override
  public boolean hears() {
    return rule.coins();
  }

  @Override
  public AgentMessage measured(AgentMessage said) {
    Optional<String> speaker = parties.speaker(Leg.RESPONSE);
    if (!rule.coins() || said.answer().length() > MAX_COINING_BYTES || speaker.isEmpty()) {
      return said;
    }
    Utf8Span known = conversation.isPresent() ? echo(speaker.get(), said.answer()) : Utf8Span.EMPTY;
    return StreamedTurn.measured(known.isEmpty() ? said : Words.echoing(said, known));
  }

  @Override
  public void heard(Utf8Span text) {
    streamed.heard(text);
  }

  @Override
  public void streamed(ResponseView all) {
    boolean _ = read(Leg.RESPONSE, all);
    if (conversation.isPresent()
        && streamed.isWhole()
        && parties.speaker(Leg.RESPONSE).isPresent()) {
      ended(streamed.text());
    }
  }

  /** An answer goes on that was judged whole, as text. */
  private void ended(String text) {
    if (!parties.isBrought(Leg.RESPONSE)) {
      return;
    }
    Conversation talk = conversation.orElseThrow();
    String said = mark instanceof LexiconMark.Statement statement ? statement.turn() : text;
    boolean mayCoin = said.length() <= MAX_COINING_BYTES && CoinLines.mayStandIn(Utf8Span.of(said));
    var _ =
        talk.atLeast(parties.changes(Leg.RESPONSE, talk))
            .thenAcceptAsync(
                _ -> {
                  parties.tell(Leg.RESPONSE, talk);
                  bring(turn(Leg.RESPONSE, talk.held(), said, mayCoin));
                },
                exchange.loop());
    answerDone = true;
  }

  // ---- the end ----

  @Override
  public void over() {
    if (answer.isPresent() && answerPasses && !answerDone) {
      answerDone = true;
      bring(TurnDraft.unread(answer.get().spoken()));
    }
  }

  /** The agent may have heard the request all the same. */
  @Override
  public void abandoned() {
    if (parties.isInbound()) {
      requestHeard();
    }
  }

  // ---- what stands beside it ----

  @Override
  public void toAgent(HttpHeaders fields) {
    if (rule.coins() && !parties.isInbound()) {
      parties.told(conversation, request).write(fields);
    }
  }

  @Override
  public void toCaller(HttpHeaders fields) {
    if (rule.coins() && parties.isInbound()) {
      parties.told(conversation, answerPasses ? answer : Optional.empty()).write(fields);
    }
  }
}
