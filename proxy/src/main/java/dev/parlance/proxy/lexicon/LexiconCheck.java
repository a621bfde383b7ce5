package dev.parlance.proxy.lexicon;

import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.ContentRules;
import dev.parlance.policy.text.Utf8Span;
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
import dev.parlance.proxy.gate.Lexicons.Conversation;
import dev.parlance.proxy.gate.Lexicons.Digest;
import dev.parlance.proxy.gate.Lexicons.HeldBoard;
import dev.parlance.proxy.gate.Lexicons.Spoken;
import dev.parlance.proxy.gate.ScannedText;
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

  /** What holds something that nobody read coins nothing. */
  private boolean isWhole = true;

  private Optional<Conversation> conversation = Optional.empty();
  private Optional<ScannedText> scanned = Optional.empty();
  private final LedgerTurn request;
  private final LedgerTurn answer;
  private final StreamedTurn streamed = new StreamedTurn(MAX_TURN_BYTES);

  private LexiconCheck(ExchangeContext exchange) {
    this.exchange = exchange;
    this.lexicons = exchange.services().lexicons();
    this.rule = exchange.rule().lexicon();
    this.parties = new TurnParties(exchange);
    this.request = new LedgerTurn(exchange, parties, Leg.REQUEST);
    this.answer = new LedgerTurn(exchange, parties, Leg.RESPONSE);
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
    answer.begin();
    streamed.begin();
    if (parties.answered(fields)) {
      request.heard();
    }
  }

  @Override
  public boolean read(Leg leg, MessageView message) {
    switch (leg) {
      case REQUEST -> asked = message.correlation();
      case RESPONSE -> answered = message.correlation();
    }
    mark = message.lexicon();
    isWhole = message.unread().isEmpty();
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
    return core.isEmpty()
        ? Set.of()
        : lexicons.untested(core.get().domain(), exchange.governed(), said, beside);
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
    return isWhole
        && text.length() <= MAX_COINING_BYTES
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
    if (exchange.rule().profile().rules().equals(ContentRules.OFF)) {
      return Utf8Span.EMPTY;
    }
    Lexicons.Used used = conversation.orElseThrow().used(speaker, text, exchange.core());
    scanned = used.governed();
    if (scanned.isPresent()) {
      lexicons.events().readOnce();
    }
    return used.coined();
  }

  @Override
  public Optional<ScannedText> scanned() {
    return scanned;
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
    return of(leg).read(talk, spoken, mayCoin);
  }

  // ---- what becomes of it ----

  private LedgerTurn of(Leg leg) {
    return leg == Leg.REQUEST ? request : answer;
  }

  @Override
  public Result request(CheckedMessage message) {
    return request.settle();
  }

  @Override
  public Result answer(CheckedMessage message) {
    return answer.settle();
  }

  @Override
  public void stoppedAgain(Leg leg) {
    of(leg).unheard();
  }

  @Override
  public void unsent() {
    request.unheard();
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
                  TurnDraft _ = turn(Leg.RESPONSE, talk.held(), said, mayCoin);
                  answer.bring();
                },
                exchange.loop());
  }

  // ---- the end ----

  @Override
  public void over() {
    answer.used();
  }

  /** The agent may have heard the request all the same. */
  @Override
  public void abandoned() {
    if (!request.leftWaiting() && !answer.leftWaiting() && parties.isInbound()) {
      request.heard();
    }
  }

  // ---- what stands beside it ----

  @Override
  public void toAgent(HttpHeaders fields) {
    if (rule.coins() && !parties.isInbound()) {
      parties.told(conversation, request.draft()).write(fields);
    }
  }

  @Override
  public void toCaller(HttpHeaders fields) {
    if (rule.coins() && parties.isInbound()) {
      parties.told(conversation, answer.passed()).write(fields);
    }
  }
}
