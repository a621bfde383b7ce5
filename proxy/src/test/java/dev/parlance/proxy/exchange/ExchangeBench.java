package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.FlowBudgets;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.RelayedTexts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.gate.SecondStage;
import dev.parlance.proxy.gate.TestCores;
import dev.parlance.proxy.main.MessageChecks;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewLimits;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.stream.HeldBytes;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One exchange through a real handler whose caller, agent and control plane are fakes: what the
 * agent was sent, what the caller was told, what was held, logged and counted.
 */
final class ExchangeBench implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Pattern VOLATILE =
      Pattern.compile(
          "(?<decision>d-[0-9a-z]{6,9}-[0-9a-z]+)"
              + "|(?<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
              + "|(?<review>\\br-[0-9a-z-]{8,}\\b)");
  private static final String CLAIMS =
      "judgeClaims: true, regenerateChanges: true, groundingOverlapWeight: 1,"
          + " groundingCitationWeight: 0, stochasticityMax: 1, driftWarnSqrtJsd: 1,"
          + " driftCritSqrtJsd: 1, supportWarnBelow: 0, errorMax: 2, yieldUnreadWhenSpent: false";
  private static final CompiledCore CORE =
      CompiledCore.of(
          TestCores.core(
              "bob", 3, "certified:impeller", "certified:radial play", "revoked:operating hours"));

  /**
   * What is said, by whom.
   *
   * @param method of the request
   * @param fields {@code name: value}, one a line
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Request(String method, String path, String fields, byte[] body) {}

  /**
   * What the agent answers, once for each time it is asked; the last one for every time after.
   *
   * @param pieces of the body; a single one is given whole where the handler gathers
   * @param fault code with which the answer breaks off behind the pieces; empty if it does not
   */
  record Answer(int status, String fields, String trailers, List<byte[]> pieces, String fault) {}

  private final Direction direction;
  private final EventLoop loop;
  private final SidecarMetrics metrics = new SidecarMetrics("test");
  private final ReviewQueue review;
  private final DecisionLog decisions;
  private final SidecarHandler handler;
  private final Agent agent;
  private final List<String> told = new ArrayList<>();

  /** How often the gate has looked for a core. */
  private int looks;

  ExchangeBench(
      EventLoop loop, Path folder, Direction direction, String route, List<Answer> answers)
      throws IOException {
    this(loop, folder, direction, route, answers, _ -> Optional.empty());
  }

  /** With a second stage of the judge, and more time for the first. */
  ExchangeBench(
      EventLoop loop,
      Path folder,
      Direction direction,
      String route,
      List<Answer> answers,
      Function<SidecarMetrics, Optional<SecondStage>> second)
      throws IOException {
    this.loop = loop;
    this.direction = direction;
    this.agent = new Agent(answers);
    review =
        ReviewQueue.open(folder.resolve("review"), ReviewLimits.DEFAULT, System::currentTimeMillis);
    decisions = DecisionLog.open(folder, DecisionLog.Settings.DEFAULT);
    Optional<SecondStage> stage = second.apply(metrics);
    SidecarConfig config = config(folder, route, stage.isPresent() ? 300 : 1);
    Cores cores =
        (_, domain) -> {
          boolean fails = domain.equals("fault") || (domain.equals("fault-later") && looks > 0);
          looks++;
          if (fails) {
            throw new IllegalStateException("a fault of the gate");
          }
          return switch (domain) {
            case "license" -> Cores.CoreView.fresh(CORE, 12);
            case "old" -> Cores.CoreView.stale(CORE, 99);
            default -> Cores.CoreView.ABSENT;
          };
        };
    handler =
        new SidecarHandler(
            new Services(
                new Gate(
                    new FlowBudgets(16),
                    () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                    "test",
                    cores,
                    Gate.PeerResolver.NONE,
                    stage),
                new ScriptedRounds(),
                Pacts.NONE,
                Lexicons.NONE,
                new RelayedTexts(),
                Optional.empty(),
                HeldBytes.ofHeap(),
                review,
                Optional.empty(),
                decisions,
                metrics,
                Optional.empty(),
                MessageChecks.ORDER,
                agent::ask,
                ByteBufAllocator.DEFAULT,
                () -> config,
                System::currentTimeMillis),
            direction);
  }

  @Override
  public void close() throws IOException {
    review.close();
    decisions.close();
  }

  /** Asks once and waits for the end of the answer. */
  void ask(Request said) {
    Caller caller = new Caller(loop);
    HttpHeaders headers = fields(said.fields());
    String authority = direction == Direction.INBOUND ? "alice" : "127.0.0.1:9";
    ByteBuf body = Unpooled.copiedBuffer(said.body());
    WholeRequest request =
        new WholeRequest(
            HttpMethod.valueOf(said.method()),
            said.path(),
            authority,
            direction == Direction.OUTBOUND,
            headers,
            body);
    agent.came = said.body();
    CompletableFuture.runAsync(() -> handler.onRequest(caller, request), loop).join();
    told.add(caller.outcome.orTimeout(20, TimeUnit.SECONDS).join());
    settle();
    assertThat(said.body().length == 0 || body.refCnt() == 0).as("the body is released").isTrue();
  }

  /** A person releases everything that is held. */
  void releaseHeld() {
    for (ReviewItem item : review.list(EnumSet.of(ReviewItem.ReviewState.PENDING), 10)) {
      assertThat(review.release(item.id(), "ada", "")).succeedsWithin(60, TimeUnit.SECONDS);
    }
    settle();
  }

  /** What is still under way between the loop and the queue's writer comes to its end. */
  private void settle() {
    for (int i = 0; i < 3; i++) {
      CompletableFuture.runAsync(() -> {}, loop).join();
    }
    assertThat(decisions.flush()).isTrue();
  }

  /** What the row of the table says: what was asked, told, and written down. */
  String outcome() {
    return "asked "
        + (agent.asked.isEmpty() ? "-" : String.join(" + ", agent.asked))
        + " | told "
        + String.join(" + ", told)
        + " | "
        + lines().stream().map(ExchangeBench::inShort).collect(Collectors.joining(", "));
  }

  /** Everything, without times and without ids that are new in each run. */
  String transcript() {
    List<String> lines = lines();
    StringBuilder all = new StringBuilder();
    agent.bytes.forEach(bytes -> all.append("> ").append(bytes).append('\n'));
    agent.told.forEach(bytes -> all.append("< ").append(bytes).append('\n'));
    for (ReviewItem item : review.list(EnumSet.allOf(ReviewItem.ReviewState.class), 10)) {
      all.append("held ")
          .append(item.state())
          .append(' ')
          .append(item.message().origin().kind())
          .append(' ')
          .append(item.message().origin().destination())
          .append(' ')
          .append(item.message().content().status())
          .append(' ')
          .append(item.message().content().contentType())
          .append(' ')
          .append(item.message().content().headers())
          .append(' ')
          .append(new String(item.message().content().question(), StandardCharsets.UTF_8))
          .append(' ')
          .append(new String(item.message().content().body(), StandardCharsets.UTF_8))
          .append('\n');
    }
    lines.forEach(line -> all.append(line).append('\n'));
    counts().forEach((name, value) -> all.append(name).append(' ').append(value).append('\n'));
    return stable(all.toString());
  }

  /** The lines of the decision log as they are. */
  List<String> logged() {
    settle();
    return decisions.recent(100).reversed();
  }

  private List<String> lines() {
    settle();
    List<String> lines = decisions.recent(100).reversed();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (lines.stream().anyMatch(line -> line.contains("\"deliver_released\""))
        && lines.stream().noneMatch(line -> line.contains("\"what\":\"deliver\""))
        && System.nanoTime() - end < 0) {
      settle(); // the queue notes on a thread of its own that it has been delivered
      lines = decisions.recent(100).reversed();
    }
    return lines.stream()
        .sorted(Comparator.comparing(line -> line.contains("\"what\":\"deliver\"")))
        .map(ExchangeBench::withoutTimes)
        .toList();
  }

  private static String withoutTimes(String line) {
    return line.replaceAll("\"(ts|configRevision)\":(\"[^\"]*\"|\\d+),?", "")
        .replaceAll("\"(t[A-Z][A-Za-z]*Us|heldMs)\":\\d+", "\"$1\":0");
  }

  private static String inShort(String line) {
    JsonNode event = JSON.readTree(line);
    return switch (event.path("event").asString(event.path("type").asString(""))) {
      case "" -> line;
      case "decision" ->
          event.path("kind").asString("")
              + " "
              + event.path("route").asString("")
              + "/"
              + texts(event.path("reasons"))
              + " "
              + event.path("action").asString("");
      case String other ->
          other
              + " "
              + event.path("code").asString("")
              + event.path("what").asString("")
              + texts(event.path("reasons"));
    };
  }

  private static String texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString("")));
    return String.join("+", texts);
  }

  /** Every series that has counted something; of times only how many there were. */
  private Map<String, String> counts() {
    Map<String, String> counts = new TreeMap<>();
    for (String line : metrics.scrape().split("\n", -1)) {
      int space = line.lastIndexOf(' ');
      boolean ours =
          line.startsWith("parlance_")
              && !line.endsWith(" 0.0")
              && !line.matches("parlance_\\w+(_bucket|_sum|_max)\\b.*")
              && !line.matches("parlance_(jvm|direct_memory|process|build|uptime)\\w*.*");
      if (ours) {
        counts.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    return counts;
  }

  private static String stable(String text) {
    Map<String, String> names = new TreeMap<>();
    Matcher found = VOLATILE.matcher(text);
    return found.replaceAll(match -> {
      String kind =
          match.group().startsWith("d-") ? "DECISION" : match.group().startsWith("r-") ? "R" : "U";
      return names.computeIfAbsent(match.group(), _ -> kind + (names.size() + 1));
    });
  }

  private static HttpHeaders fields(String lines) {
    HttpHeaders headers = new DefaultHttpHeaders();
    for (String line : lines.split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.add(line.substring(0, colon), line.substring(colon + 1).strip());
      }
    }
    return headers;
  }

  private static String shown(HttpHeaders headers) {
    return headers.entries().stream()
        .map(field -> field.getKey() + ": " + field.getValue())
        .sorted(String.CASE_INSENSITIVE_ORDER)
        .collect(Collectors.joining("; ", "[", "]"));
  }

  private static String verdict(HttpHeaders headers) {
    String reason = headers.get("Parlance-Reason", "");
    String route = headers.get("Parlance-Route", "");
    return route.isEmpty() && reason.isEmpty() ? "-" : route + "/" + reason.replace(", ", "+");
  }

  private static String change(byte[] before, byte[] after) {
    return Arrays.equals(before, after) ? " same" : " other";
  }

  private SidecarConfig config(Path folder, String route, int judgingMs) throws IOException {
    Path file = folder.resolve("parlance.yaml");
    Files.writeString(folder.resolve("token"), "secret");
    Files.writeString(
        file,
        """
        version: 1
        node: test
        dataDir: data
        inbound: { listen: 127.0.0.1:0, agent: "127.0.0.1:9" }
        outbound: { listen: 127.0.0.1:0, allowLoopback: true }
        admin: { listen: 127.0.0.1:0 }
        limits: { judgingMs: %d }
        profiles:
          strict: { errorMax: 0 }
          claims-high: { extends: asp-paper, %s, groundingMin: 0.6 }
          claims-low: { extends: asp-paper, %s, groundingMin: 0.001 }
        routes:
          - name: all
            %s
        control:
          target: 127.0.0.1:9
          agent: alice
          keys: ["%s"]
          tokenFile: token
          rounds: { onUnavailable: %s }
        """
            .formatted(
                judgingMs,
                CLAIMS,
                CLAIMS,
                route.replace("rounds-hold", "codec: auto").replace("; ", "\n    "),
                SignerKey.fromSeed("control.example", KeyType.ED25519, new byte[32])
                    .verifier()
                    .format(),
                route.contains("rounds-hold") ? "hold" : "refuse"));
    if (ConfigLoader.load(file) instanceof ConfigResult.Loaded(SidecarConfig config)) {
      return config;
    }
    throw new AssertionError(ConfigLoader.load(file).toString());
  }

  /** The agent that is asked. */
  private final class Agent {
    private final List<Answer> answers;
    private final List<String> asked = new ArrayList<>();
    private final List<String> bytes = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private byte[] came = {};
    private byte[] answered = {};

    Agent(List<Answer> answers) {
      this.answers = answers;
    }

    OriginCall ask(
        EventLoop on,
        Destination destination,
        WholeRequest request,
        HttpMessageLimits limits,
        Timeouts timeouts,
        OriginReceiver receiver) {
      byte[] body = ByteBufUtil.getBytes(request.body());
      request.body().release();
      asked.add(verdict(request.headers()) + change(came, body));
      bytes.add(
          request.method()
              + " "
              + request.target()
              + " "
              + destination
              + " "
              + shown(request.headers())
              + " "
              + new String(body, StandardCharsets.UTF_8));
      Answer answer = answers.get(Math.min(asked.size(), answers.size()) - 1);
      Call call = new Call();
      on.execute(() -> call.answer(answer, receiver));
      return call;
    }

    /** One ask; gives its answer on the loop, as far as nobody cancels it. */
    private final class Call implements OriginCall {
      private boolean cancelled;

      void answer(Answer answer, OriginReceiver receiver) {
        byte[] whole = joined(answer.pieces());
        answered = whole;
        if (answer.pieces().isEmpty() && !answer.fault().isEmpty()) {
          receiver.done(failed(answer.fault()));
          return;
        }
        HttpHeaders headers = fields(answer.fields());
        HttpHeaders trailers = fields(answer.trailers());
        Optional<BodySink> sink = receiver.onHead(answer.status(), headers);
        if (sink.isEmpty()) {
          receiver.done(
              answer.fault().isEmpty()
                  ? new OriginResult.Answered(
                      new WholeResponse(
                          answer.status(), headers, Unpooled.copiedBuffer(whole), trailers))
                  : failed(answer.fault()));
          return;
        }
        for (byte[] piece : answer.pieces()) {
          if (!cancelled) {
            sink.get().piece(Unpooled.copiedBuffer(piece));
          }
        }
        if (cancelled) {
          sink.get().failed(failed("cancelled"));
        } else if (!answer.fault().isEmpty()) {
          sink.get().failed(failed(answer.fault()));
        } else {
          sink.get().end(trailers);
        }
      }

      private OriginResult.Failed failed(String code) {
        return new OriginResult.Failed(code, true, code);
      }

      @Override
      public void cancel() {
        cancelled = true;
      }

      @Override
      public void pauseReading() {}

      @Override
      public void resumeReading() {}
    }
  }

  private static byte[] joined(List<byte[]> pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Who asks, without a socket. */
  private final class Caller implements UnwiredCall {
    private final EventLoop on;
    private final CompletableFuture<String> outcome = new CompletableFuture<>();

    Caller(EventLoop on) {
      this.on = on;
    }

    @Override
    public EventLoop loop() {
      return on;
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      byte[] body = ByteBufUtil.getBytes(response.body());
      response.body().release();
      agent.told.add(
          response.status()
              + " "
              + shown(response.headers())
              + " "
              + new String(body, StandardCharsets.UTF_8)
              + " "
              + shown(response.trailers()));
      outcome.complete(
          response.status() + " " + verdict(response.headers()) + change(agent.answered, body));
    }

    @Override
    public ResponseStream begin(int status, HttpHeaders headers) {
      agent.told.add(status + " " + shown(headers));
      return new ResponseStream() {
        private final List<byte[]> written = new ArrayList<>();

        @Override
        public void write(ByteBuf piece) {
          written.add(ByteBufUtil.getBytes(piece));
          piece.release();
        }

        @Override
        public void end(HttpHeaders trailers) {
          ended("ended " + verdict(trailers), shown(trailers));
        }

        @Override
        public void abort() {
          ended("broken off", "broken off");
        }

        private void ended(String how, String last) {
          byte[] body = joined(written);
          agent.told.add(new String(body, StandardCharsets.UTF_8) + " " + last);
          outcome.complete(
              status + " " + verdict(headers) + " stream " + how + change(agent.answered, body));
        }

        @Override
        public boolean isWritable() {
          return true;
        }

        @Override
        public void onWritable(Runnable action) {}
      };
    }
  }

  /** A control plane that answers as the name of the round says. */
  private static final class ScriptedRounds implements Rounds {
    private static RoundStatus open(RoundId id) {
      return new RoundStatus(id, "open", 0, Optional.empty());
    }

    private static RoundStatus ended(RoundId id) {
      return new RoundStatus(
          id,
          "decided",
          0,
          Optional.of(
              new RoundStatus.Ended(
                  "verdict_commit", Optional.empty(), Optional.of("keep"), Optional.empty(), "")));
    }

    @Override
    public CompletableFuture<Receipt> propose(Proposing proposing) {
      RoundId id = proposing.mark().id();
      return switch (id.round()) {
        case "late" -> CompletableFuture.completedFuture(new Refused("late", "it is over"));
        case "away" -> CompletableFuture.completedFuture(new Unavailable("nobody there"));
        case "fault" -> CompletableFuture.failedFuture(new IllegalStateException("a fault"));
        default -> CompletableFuture.completedFuture(new Taken("accepted", open(id)));
      };
    }

    @Override
    public CompletableFuture<Reply> status(RoundId id) {
      return switch (id.round()) {
        case "unknown" ->
            CompletableFuture.completedFuture(new Refused("round_unknown", "never heard of it"));
        case "away" -> CompletableFuture.completedFuture(new Unavailable("nobody there"));
        case "fault" -> CompletableFuture.failedFuture(new IllegalStateException("a fault"));
        default -> CompletableFuture.completedFuture(new Known(ended(id), Optional.empty()));
      };
    }

    @Override
    public CompletableFuture<Reply> ended(RoundId id, long atMostMs) {
      return CompletableFuture.completedFuture(new Known(ended(id), Optional.empty()));
    }

    @Override
    public Optional<Known> noted(RoundMark.Claim claim) {
      return claim.id().round().equals("noted")
          ? Optional.of(new Known(ended(claim.id()), Optional.empty()))
          : Optional.empty();
    }
  }
}
