package dev.parlance.loadtest.bench;

import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonScanner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * How fast bodies of A2A of about 4.5 KB are read: by the scanner of the sidecar alone, which
 * checks encoding and structure, finds repeated member names and notes where everything lies; by
 * the whole codec, down to the message that is judged; and by the token walk of Jackson's streaming
 * parser, which checks neither repeated names nor lone surrogates. The counter {@code bytes} is in
 * bytes per nanosecond, that is GB/s.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class JsonWalkBenchmark {
  private static final double BODY_KB = 4.5;
  private static final HeaderLookup JSON =
      name ->
          name.equalsIgnoreCase("content-type")
              ? Optional.of("application/json")
              : Optional.empty();
  private static final RequestHead HEAD = new RequestHead("POST", "/a2a", JSON);
  private static final ResponseHead REPLY = new ResponseHead(200, JSON);

  private final Codecs codecs = new Codecs(JsonScanner.Limits.DEFAULT);
  private final JsonFactory jackson = new JsonFactory();
  private List<byte[]> requests = List.of();
  private List<byte[]> answers = List.of();
  private List<RequestView> asked = List.of();
  private int next;

  /** Bytes that were read. */
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Read {
    /** How many. */
    public long bytes;
  }

  /** Builds the bodies. */
  @Setup
  public void setUp() {
    requests = RotatingMessages.requests(BODY_KB);
    answers = RotatingMessages.answers(BODY_KB);
    asked = requests.stream().map(this::read).toList();
  }

  private int rotate() {
    next = (next + 1) % answers.size();
    return next;
  }

  private RequestView read(byte[] body) {
    return found(codecs.read("a2a", JsonPointers.NONE, HEAD, body));
  }

  private static <V> V found(Reading<V> reading) {
    return switch (reading) {
      case Reading.Readable<V>(V view) -> view;
      case Reading.Unjudged<V> unjudged -> throw new IllegalStateException(unjudged.toString());
      case Reading.Malformed<V> malformed -> throw new IllegalStateException(malformed.toString());
    };
  }

  /** The scanner alone, over answers: codec {@code json} without pointers does nothing besides. */
  @Benchmark
  public RequestView scan(Read read) {
    byte[] body = answers.get(rotate());
    read.bytes += body.length;
    return found(codecs.read("json", JsonPointers.NONE, HEAD, body));
  }

  /** Jackson's token walk over the same answers. */
  @Benchmark
  public int jacksonTokens(Read read) {
    byte[] body = answers.get(rotate());
    read.bytes += body.length;
    int tokens = 0;
    try (JsonParser parser = jackson.createParser(ObjectReadContext.empty(), body)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        tokens++;
        if (token == JsonToken.VALUE_STRING) {
          // A string that nobody asks for is skipped, and its escapes and encoding unchecked.
          tokens += parser.getStringLength();
        }
      }
    }
    return tokens;
  }

  /** A request, down to the message that is judged. */
  @Benchmark
  public Object readRequest(Read read) {
    byte[] body = requests.get(rotate());
    read.bytes += body.length;
    return read(body).message();
  }

  /** An answer with its evidence, down to the message that is judged. */
  @Benchmark
  public Object readAnswer(Read read) {
    int at = rotate();
    read.bytes += answers.get(at).length;
    ResponseView answer = found(asked.get(at).readResponse(REPLY, answers.get(at)));
    return answer.message();
  }
}
