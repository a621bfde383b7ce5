package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.it.SoakMessage.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An enforcing sidecar that is asked without a pause, by every protocol, for every route, with a
 * person who decides what is held: no message is lost, nothing is done twice, and memory stays as
 * it is. {@code -Dsoak=1000} makes it 20 minutes, the default some hundred messages.
 */
@Timeout(3600)
class EnforceSoakIT {
  private static final boolean WHOLE = Integer.getInteger("soak", 0) >= 1000;
  private static final Duration LASTS = Duration.ofMinutes(20);
  private static final int MESSAGES = 480;
  private static final int CALLERS = 6;
  private static final int EACH_CONNECTION = 20;
  private static final int SAMPLES = 20;
  private static final int FAILURES_SHOWN = 10;
  private static final long GROWTH_BYTES = 8L << 20;
  private static final long SEED = 40;
  private static final Pattern REVIEW = Pattern.compile("review as ([\\w-]+)");

  @TempDir Path folder;

  private final AtomicInteger next = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicIntegerArray passed = new AtomicIntegerArray(Kind.values().length);

  /** How often the agent was asked, by number; one that has ended is taken out. */
  private final Map<Integer, Integer> asked = new ConcurrentHashMap<>();

  /** How often what a number stands for was done. */
  private final Map<Integer, Integer> done = new ConcurrentHashMap<>();

  private ChildSidecar sidecar;

  // ---- agent, and whom it calls ----

  private void agent(InputStream in, Socket socket) throws IOException {
    Optional<HttpBytes> request = HttpBytes.readRequest(in);
    while (request.isPresent()) {
      SoakMessage message = SoakMessage.of(request.get());
      int nth = asked.merge(message.number(), 1, Integer::sum);
      if (message.kind() == Kind.ACTED) {
        act(message);
      }
      socket.getOutputStream().write(message.answer(nth));
      request = HttpBytes.readRequest(in);
    }
  }

  private int bankPort;

  private void act(SoakMessage message) throws IOException {
    String body = "{\"order\": \"" + message.number() + "\"}";
    try (RawHttp client = new RawHttp(sidecar.outboundPort())) {
      client.send(
          "POST /transfer HTTP/1.1\r\nHost: 127.0.0.1:%d\r\ntraceparent: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(bankPort, message.trace(), body.length(), body));
      if (!client.reply().text().contains("booked")) {
        failures.add(message + ": its order was not carried out");
      }
    }
  }

  private void bank(InputStream in, Socket socket) throws IOException {
    Optional<HttpBytes> request = HttpBytes.readRequest(in);
    while (request.isPresent()) {
      int order = Integer.parseInt(request.get().text().replaceAll("[^0-9]", ""));
      done.merge(order, 1, Integer::sum);
      String body = "{\"booked\":true}";
      socket
          .getOutputStream()
          .write(
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                  .formatted(body.length(), body)
                  .getBytes(ISO_8859_1));
      request = HttpBytes.readRequest(in);
    }
  }

  // ---- callers ----

  /** One connection after the other until all is said. */
  private void call(int caller) throws Exception {
    Random random = new Random(SEED + caller);
    while (!over.get()) {
      try (RawHttp client = new RawHttp(sidecar.inbound())) {
        for (int i = 0; i < EACH_CONNECTION && !over.get(); i++) {
          int number = next.getAndIncrement();
          if (!WHOLE && number >= MESSAGES) {
            over.set(true);
            break;
          }
          exchange(client, SoakMessage.drawn(number, random));
        }
        // A second answer to any of them would stand here.
        String more = client.finish().rest();
        if (!more.isEmpty()) {
          failures.add("after all answers of a connection: " + more);
        }
      }
    }
  }

  private void exchange(RawHttp client, SoakMessage message) throws Exception {
    HttpBytes reply = client.send(message.request()).reply();
    boolean invented = reply.text().contains("friendly");
    boolean told =
        message.kind().isHeld()
            ? !invented
            : !invented && reply.text().contains("2000") && reply.text().contains(message.mark());
    boolean routed = message.binding().isStream() || A2a.route(reply).equals(message.kind().route);
    if (!told || !routed) {
      failures.add(message + " got: " + reply.startLine() + reply.fields() + reply.text());
    } else if (message.kind().isHeld()) {
      decide(client, message, reply);
    }
    int asks = Optional.ofNullable(asked.remove(message.number())).orElse(0);
    int acts = Optional.ofNullable(done.remove(message.number())).orElse(0);
    if (asks != message.asks() || acts != (message.kind() == Kind.ACTED ? 1 : 0)) {
      failures.add(message + ": asked " + asks + " times, done " + acts + " times");
    }
    passed.incrementAndGet(message.kind().ordinal());
  }

  private void decide(RawHttp client, SoakMessage message, HttpBytes held) throws Exception {
    Matcher inWords = REVIEW.matcher(held.text());
    String id =
        held.field("Parlance-Review").orElseGet(() -> inWords.find() ? inWords.group(1) : "");
    String act = message.kind() == Kind.REJECTED ? "reject" : "release";
    var decided =
        sidecar.admin().post("/review/" + id + "/" + act, "{\"who\":\"ada\",\"undoMs\":0}");
    HttpBytes reply = client.send(message.request()).reply();
    boolean delivered = reply.text().contains("friendly");
    if (delivered != act.equals("release") || delivered && !reply.text().contains(message.mark())) {
      failures.add(
          "%s: %s of '%s' is %d %s; then: %s%s"
              .formatted(
                  message,
                  act,
                  id,
                  decided.statusCode(),
                  decided.body(),
                  reply.fields(),
                  reply.text()));
    }
  }

  // ---- all of it ----

  @Test
  void everyRouteByEveryProtocol_nothingIsLostOrDoneTwice_andMemoryStaysAsItIs() throws Exception {
    List<Long> heap = new ArrayList<>();
    List<Long> direct = new ArrayList<>();
    try (ObserveTapIT.Agent agent = new ObserveTapIT.Agent();
        ObserveTapIT.Agent bank = new ObserveTapIT.Agent();
        ChildSidecar running =
            ChildSidecar.start(
                folder,
                "soak",
                LocalSidecar.inboundTo(agent.port()),
                LocalSidecar.outbound(),
                """
                routes:
                  - name: search
                    match: { direction: inbound, pathPrefix: /search }
                    codec: json
                    json:
                      request: { question: /q, text: /q }
                      response: { text: /answer, context: /documents }
                  - { name: out, match: { direction: outbound }, mode: observe }
                """);
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS)) {
      sidecar = running;
      bankPort = bank.port();
      agent.serves(this::agent);
      bank.serves(this::bank);
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int caller = i;
        callers.add(
            threads.submit(() -> {
              call(caller);
              return caller;
            }));
      }
      try {
        for (int i = 0; i < SAMPLES && WHOLE && failures.isEmpty(); i++) {
          Thread.sleep(LASTS.dividedBy(SAMPLES));
          sidecar.collect();
          heap.add((long) sidecar.admin().sum("parlance_jvm_heap_used_bytes"));
          direct.add((long) sidecar.admin().sum("parlance_direct_memory_used_bytes"));
        }
      } finally {
        over.set(WHOLE);
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
      assertThat(failures.stream().limit(FAILURES_SHOWN)).as("of " + next.get()).isEmpty();
      assertThat(sidecar.admin().sum("parlance_decision_log_dropped_total")).isZero();
      assertThat(sidecar.admin().json("/review?state=pending").path("items")).isEmpty();
    }
    Map<Kind, Integer> messages = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      messages.put(kind, passed.get(kind.ordinal()));
    }
    System.out.printf(
        "soak: %d messages %s, heap after collections %s, direct memory %s%n",
        next.get(), messages, heap, direct);
    assertThat(asked).as("asked after their end").isEmpty();
    assertThat(done).as("done after their end").isEmpty();
    assertThat(messages.values()).allSatisfy(count -> assertThat(count).isGreaterThan(20));
    if (WHOLE) {
      assertThat(highest(heap, SAMPLES / 2, SAMPLES) - highest(heap, SAMPLES / 4, SAMPLES / 2))
          .isLessThan(GROWTH_BYTES);
      assertThat(highest(direct, SAMPLES / 2, SAMPLES) - highest(direct, SAMPLES / 4, SAMPLES / 2))
          .isLessThan(GROWTH_BYTES);
    }
  }

  private static long highest(List<Long> samples, int from, int to) {
    return samples.subList(from, to).stream().mapToLong(Long::longValue).max().orElseThrow();
  }
}
