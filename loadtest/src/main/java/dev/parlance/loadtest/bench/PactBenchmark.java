package dev.parlance.loadtest.bench;

import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.PactMeasure;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What holding a later message to its pact takes: measuring what its clauses ask for and checking
 * it, over bodies of A2A of about 4.5 KB as their codec has read them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PactBenchmark {
  private static final double BODY_KB = 4.5;
  private static final String JSON_TYPE = "application/json";
  private static final HeaderLookup JSON =
      name -> name.equalsIgnoreCase("content-type") ? Optional.of(JSON_TYPE) : Optional.empty();
  private static final RequestHead HEAD = new RequestHead("POST", "/a2a", JSON);
  private static final ResponseHead REPLY = new ResponseHead(200, JSON);

  /** What the clauses of a pact ask for. */
  public enum Clauses {
    /** Sizes, numbers, times. */
    NUMBERS(
        new Predicate("asked", "scope", "max_request_kb=64"),
        new Predicate("often", "action", "rate_per_min=600"),
        new Predicate("size", "output", "max_kb=64;format=json;deadline_ms=5000"),
        new Predicate("all", "termination", "max_messages=1000000;max_bytes=1000000000")),
    /** Names in the body, too. */
    FIELDS(
        new Predicate("fields", "scope", "fields=name,company,country;deny_fields=salary"),
        new Predicate("tools", "action", "tools=search,look_up;approve=send_mail"),
        new Predicate("size", "output", "max_kb=64;format=json"));

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of records
    private final List<Predicate> predicates;

    Clauses(Predicate... predicates) {
      this.predicates = List.of(predicates);
    }
  }

  /** What the pact asks for. */
  @Param({"NUMBERS", "FIELDS"})
  Clauses clauses = Clauses.NUMBERS;

  private final Codecs codecs = new Codecs(JsonScanner.Limits.DEFAULT);
  private PactCheck check = new PactCheck(List.of());
  private List<Read> requests = List.of();
  private List<Read> answers = List.of();
  private int next;

  /** A message as its codec has read it. */
  private record Read(PlainBody body, MessageView view, AgentProtocol protocol) {}

  /** Reads the bodies. */
  @Setup
  public void setUp() {
    check = new PactCheck(clauses.predicates);
    List<Read> asked = new ArrayList<>();
    List<Read> answered = new ArrayList<>();
    List<byte[]> replies = RotatingMessages.answers(BODY_KB);
    for (byte[] bytes : RotatingMessages.requests(BODY_KB)) {
      PlainBody body = PlainBody.of(bytes);
      RequestView request = found(codecs.read("a2a", JsonPointers.NONE, HEAD, body));
      PlainBody reply = PlainBody.of(replies.get(asked.size()));
      asked.add(new Read(body, request, request.protocol()));
      answered.add(new Read(reply, found(request.readResponse(REPLY, reply)), request.protocol()));
    }
    requests = asked;
    answers = answered;
  }

  private static <V> V found(Reading<V> reading) {
    return switch (reading) {
      case Reading.Readable<V>(V view) -> view;
      case Reading.Unjudged<V> unjudged -> throw new IllegalStateException(unjudged.toString());
      case Reading.Malformed<V> malformed -> throw new IllegalStateException(malformed.toString());
    };
  }

  private PactCheck.Action held(PactTerms.Leg leg, List<Read> messages, OptionalDouble tookMs) {
    next = (next + 1) % messages.size();
    Read message = messages.get(next);
    PactMeasure measure = PactMeasure.begin(leg, message.body(), JsonScanner.Limits.DEFAULT);
    try {
      measure.message(message.view().document(), message.protocol(), JSON_TYPE);
      measure.took(tookMs);
      measure.counts().set(next, next, 1);
      PactCheck.Action action = check.check(measure).action();
      if (action != PactCheck.Action.PASS) {
        throw new IllegalStateException(action.code());
      }
      return action;
    } finally {
      measure.end();
    }
  }

  /** A request. */
  @Benchmark
  public PactCheck.Action request() {
    return held(PactTerms.Leg.REQUEST, requests, OptionalDouble.empty());
  }

  /** Its answer. */
  @Benchmark
  public PactCheck.Action answer() {
    return held(PactTerms.Leg.ANSWER, answers, OptionalDouble.of(1));
  }
}
