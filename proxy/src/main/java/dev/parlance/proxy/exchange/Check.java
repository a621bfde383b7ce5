package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Believed;
import dev.parlance.proxy.gate.Draft;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.ScannedText;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.json.JsonDocument;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A check of the messages of one exchange. There is one instance for each exchange, which owns all
 * that the check remembers of it, lives on its event loop and never blocks. It says what becomes of
 * a message, and touches neither network nor bodies; what its sidecar counts and writes down goes
 * through {@link ExchangeContext}.
 *
 * <pre>
 *   request           fields  read  words  request  toAgent  leaves
 *   answer, whole     fields  arrived  read  words  answer  toCaller  leaves
 *   answer, streamed  head  piece, piece, ..  whole  toCaller  leaves, leaving, ..  leftAll
 *   at last           unsent if it was, then over, or abandoned
 * </pre>
 */
public interface Check {
  /** A passage, a judgment that stands against the message, or the wait for either. */
  sealed interface Result permits Passage, Rejected, Reworded, Awaited {}

  /** The judgment says what becomes of the message. */
  record Rejected(Judgment judgment) implements Result {}

  /**
   * More of it is to be judged than was: it is judged again, and that judgment decides.
   *
   * @param words what is measured now, and what is only read for governed terms
   * @param then what becomes of it if nothing stands against it
   */
  record Reworded(Words words, Supplier<Result> then) implements Result {
    /** Nothing more is to be asked. */
    public Reworded(Words words) {
      this(words, () -> Passage.ON);
    }
  }

  /**
   * The words of a message, divided.
   *
   * @param judged what is measured
   * @param beside what is not, because it is no claim about the evidence; read for governed terms
   * @param lines how many lines that is
   */
  record Words(Utf8Span judged, Utf8Span beside, int lines) {
    /** The message as if its question had these words, too. */
    public static AgentMessage echoing(AgentMessage said, Utf8Span known) {
      return new AgentMessage(
          said.answer(),
          said.question().isEmpty() ? known : Utf8Span.of(said.question() + "\n" + known),
          said.evidence());
    }
  }

  /** A message with words, before they are judged. */
  interface Wording {
    /** Request or answer. */
    Leg leg();

    /** All that it says. */
    AgentMessage said();

    /** Divides its words; without it all of them are judged. */
    void divide(Words words);

    /** These words count as if the question had them: as an echo, never as grounding. */
    void echo(Utf8Span known);
  }

  /**
   * Somebody is asked, and the reply decides; nothing blocks meanwhile.
   *
   * @param then called on the loop of the exchange, unless its caller has gone
   */
  record Awaited<T>(Source source, CompletableFuture<T> reply, Function<T, Result> then)
      implements Result {}

  /** Who is waited for. */
  enum Source {
    /** The control plane, about what a message says of a round. */
    ROUND("asking about a round failed"),
    /** The other party, or the control plane, about a pact. */
    PACT("asking about a pact failed"),
    /** The end of a round, which the author of a proposal waits for. */
    OUTCOME("waiting for a round failed"),
    /** The control plane, about a board of coined terms. */
    BOARD("asking about a board failed"),
    /** The control plane, about what a person has decided at the sidecar opposite. */
    PEER("waiting for a decision failed"),
    /** The review queue, until it has a message on disk. */
    QUEUE("the review queue failed"),
    /** The second stage of the judge, about claims that the first one leaves open. */
    ENTAILMENT("asking the second stage failed");

    private final String fault;

    Source(String fault) {
      this.fault = fault;
    }

    /** What is wrong if no reply comes. */
    String fault() {
      return fault;
    }

    /** True if nobody needs the reply once the caller has gone. */
    boolean isForCaller() {
      return switch (this) {
        case ROUND, PACT, BOARD, PEER, ENTAILMENT -> true;
        case OUTCOME, QUEUE -> false;
      };
    }
  }

  /**
   * A kind of check.
   *
   * @param line on which routes it runs
   * @param begin the check of one exchange, beside those that have begun before it
   */
  record Kind(Line line, BiFunction<ExchangeContext, List<Check>, Check> begin) {}

  /** The line of a check among the stages of a route, for people. */
  @FunctionalInterface
  interface Line {
    /** Empty if the check can do nothing with these messages of the route, and is left out. */
    Optional<String> of(Leg leg, Direction direction, RouteRule rule, SidecarConfig config);
  }

  /**
   * The kinds of checks that a sidecar has, in the order in which messages pass them.
   *
   * @param words of both, before what is said is judged; they stand in another list, too
   * @param request of requests
   * @param answer of answers
   * @param last of both, when all others have let the message go on
   */
  record Order(List<Kind> words, List<Kind> request, List<Kind> answer, List<Kind> last) {
    /** Takes copies. */
    public Order {
      words = List.copyOf(words);
      request = List.copyOf(request);
      answer = List.copyOf(answer);
      last = List.copyOf(last);
    }
  }

  // ---- what comes ----

  /** The fields beside a message, before those that only sidecars may send are taken off. */
  default void fields(Leg leg, HttpHeaders fields) {}

  /** The request has not reached its agent: no byte of it has left. */
  default void unsent() {}

  /**
   * A message was read.
   *
   * @return true if it says something to this check, so that it may do without other words
   */
  default boolean read(Leg leg, MessageView message) {
    return false;
  }

  /** Why the other side has sent the request back unread, if it may go out once more. */
  default Optional<Reason> refusedUnread() {
    return Optional.empty();
  }

  /** The agent has answered, whole; the answer may be kept back for something else. */
  default Result arrived() {
    return Passage.ON;
  }

  // ---- what becomes of a message ----

  /** Looks at the words of a message before they are judged; {@link Passage#ON}, or waits. */
  default Result words(Wording message) {
    return Passage.ON;
  }

  /**
   * Keys of terms that these words use and that are governed in a meaning that no audit has decided
   * on yet, so that no core may speak of them.
   */
  default Set<String> untested(Utf8Span said, Utf8Span beside) {
    return Set.of();
  }

  /** The governed terms of the text that this check has read last, if it looked for them, too. */
  default Optional<ScannedText> scanned() {
    return Optional.empty();
  }

  /** As {@link #words}, for a message that says nothing to people. */
  default Result wordless(Leg leg) {
    return Passage.ON;
  }

  /** The word of another sidecar on a draft, if it takes the place of judging it here. */
  default Optional<Believed> believed(Draft draft) {
    return Optional.empty();
  }

  /** What becomes of a request. */
  default Result request(CheckedMessage message) {
    return Passage.ON;
  }

  /** What becomes of a request that was {@link #refusedUnread}. */
  default Result again(CheckedMessage request) {
    return Passage.ON;
  }

  /** What becomes of an answer. */
  default Result answer(CheckedMessage message) {
    return Passage.ON;
  }

  /** What becomes of an answer that a person has released, and that comes from the review queue. */
  default Result released(MessageView view, CheckedMessage message) {
    return Passage.ON;
  }

  /** What becomes of a streamed answer with these fields: {@link Passage.Stopped}, or it begins. */
  default Passage head(HttpHeaders fields) {
    return Passage.ON;
  }

  /**
   * What becomes of an event of it.
   *
   * @param json reads what says the same as JSON, for protobuf; empty for others
   */
  default Passage piece(Frame event, Function<Frame, JsonDocument> json) {
    return Passage.ON;
  }

  /**
   * What becomes of it once all of it is there.
   *
   * @param hasWords true if it has words
   */
  default Passage whole(Optional<Judgment> judgment, boolean hasWords) {
    return Passage.ON;
  }

  /** True if this check is to hear what a streamed answer says. */
  default boolean hears() {
    return false;
  }

  /** What is measured of what a streamed answer has said; without effect all of it is. */
  default AgentMessage measured(AgentMessage said) {
    return said;
  }

  /** A part of what a streamed answer says, judged; what comes next is said behind it. */
  default void heard(Utf8Span text) {}

  /** A streamed answer that has been heard goes on, all of it. */
  default void streamed(ResponseView all) {}

  /** A message does not go on, because this check has stopped it. */
  default void stopped(Reason reason, Leg leg) {}

  /** A message that was judged again because this check wanted it does not go on. */
  default void stoppedAgain(Leg leg) {}

  // ---- what it asks of the others ----

  /** True if an answer is to be looked at whole, however it arrives. */
  default boolean needsWhole() {
    return false;
  }

  /** True if nothing of a streamed answer may go on before all of it has come. */
  default boolean waitsForAll() {
    return false;
  }

  /** True if a message goes on past this check or not at all: what nobody can read does not. */
  default boolean binds(Leg leg) {
    return false;
  }

  /** True if a message has to do with this check: then nothing lets it pass unchecked. */
  default boolean concerns(Leg leg) {
    return binds(leg);
  }

  /** True if the answer to a request may be one from the review queue only after this check. */
  default boolean precedesRelease(CheckedMessage request) {
    return false;
  }

  // ---- what stands beside a message, and its bytes ----

  /** A streamed answer goes on arriving; the bytes stay where they are. */
  default void arriving(ByteBuf piece) {}

  /** All of a streamed answer has arrived, before anybody looks at these fields. */
  default void arrivedAll(HttpHeaders trailers) {}

  /** True if the rest of a streamed answer is to arrive, though nothing of it goes on any more. */
  default boolean wantsRest() {
    return false;
  }

  /** The request leaves with these fields, to which this check has added, and this body. */
  default void leaves(HttpHeaders fields, ByteBuf body) {}

  /** The answer leaves, likewise. */
  default void leaves(WholeResponse reply) {}

  /** A streamed answer begins to leave, likewise. */
  default void leaves(HttpHeaders fields) {}

  /** A streamed answer goes on leaving. */
  default void leaving(ByteBuf piece) {}

  /** All of a streamed answer has left but these fields. */
  default void leftAll(HttpHeaders trailers) {}

  /** The request goes to the agent with these fields. */
  default void toAgent(HttpHeaders fields) {}

  /** The caller gets an answer with these fields. */
  default void toCaller(HttpHeaders fields) {}

  /** The verdict beside an answer, with what this check has to add. */
  default VerdictHeader told(VerdictHeader verdict) {
    return verdict;
  }

  // ---- the end ----

  /** The caller has its answer. */
  default void over() {}

  /** The caller has gone. */
  default void abandoned() {
    over();
  }
}
