package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.OpenRoundRequest;
import dev.parlance.proto.v1.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Agents with sidecars and a control plane, and traffic of every kind between them, good and bad,
 * so that every metric has something to show.
 */
final class Town implements AutoCloseable {
  private static final List<String> MEMBERS = List.of("alice", "bob", "carol", "dave");
  private static final List<String> REASONS =
      List.of(
          "Every test of the release has passed.",
          "The customer waits for the new harbour crane.",
          "My horoscope promises a lucky week.",
          "Prices of copper have fallen since May.");
  private static final int STRANGERS = 12;

  /** What an agent is asked for that is to coin a term. */
  private static final String COINS = "[coin a term]";

  private static final Pattern CONTEXT = Pattern.compile("\"contextId\":\"([^\"]+)\"");

  /** Good messages between two bad ones. */
  private static final int BETWEEN = 12;

  private static final int PINGS = 4_000;
  private static final long BREATH_MS = 40;

  private final Path folder;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> walkers = new ArrayList<>();
  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicInteger turns = new AtomicInteger();
  private final Kit kit;
  private final Council council;
  private final LocalInjector injector;
  private final List<Prometheus.Target> targets = new ArrayList<>();
  private volatile boolean isOver;

  /** Everything is up, and traffic flows until it is closed. */
  Town(Path folder) throws Exception {
    this.folder = folder;
    kit = keep(Kit.start(Kit.config(folder.resolve("control")).withRounds(RoundsSettings.DEFAULT)));
    council = keep(Council.at(kit.plane));
    FakeSidecar alice = kit.attach("alice", Minds.plain());
    FakeSidecar bob = kit.attach("bob", Minds.declining(Set.of("liability")));
    kit.awaitAttached("alice", "bob");
    kit.put(Kit.plan("words", List.of("alice", "bob"), List.of("notice", "liability")));
    kit.audit("words", AuditKind.AUDIT_KIND_CERTIFY);
    await().atMost(Kit.PATIENCE).until(() -> !alice.pushed.isEmpty() && !bob.pushed.isEmpty());
    String coreKey = kit.plane.coreKey().format();
    walk("alice-7d9f4-x2x8q", "alice", "bob", coreKey, 11);
    walk("bob-58c6b-9lkzt", "bob", "alice", coreKey, 12);
    // a key that has signed nothing of this control plane's cores
    walk("dave-84f5d-qqz7h", "dave", "bob", coreKey, 14);
    walk("carol-6f7d8-mm4vp", "alice", "bob", kit.plane.ledgerKey().format(), 13);
    targets.add(
        new Prometheus.Target(
            kit.plane.httpAddress().port(), "parlance-system", "parlance-control-0"));
    injector = keep(new LocalInjector(folder.resolve("injector")));
    targets.add(
        new Prometheus.Target(injector.healthPort(), "parlance-system", "parlance-injector-1"));
    PactPair pair = keep(new PactPair(Files.createDirectories(folder.resolve("pacts")), kit));
    for (LocalSidecar sidecar : pair.sidecars()) {
      targets.add(
          new Prometheus.Target(sidecar.adminPort(), "shop", "pacts-" + sidecar.adminPort()));
    }
    walkers.add(threads.submit(() -> delegate(pair)));
    walkers.add(threads.submit(this::admit));
    walkers.add(threads.submit(this::deliberate));
    walkers.add(threads.submit(this::askThroughASidecar));
  }

  /** What a Prometheus server is to scrape. */
  List<Prometheus.Target> targets() {
    return targets;
  }

  private <T extends AutoCloseable> T keep(T one) {
    opened.push(one);
    return one;
  }

  private void walk(String pod, String agent, String peer, String key, long seed)
      throws IOException {
    StubAgent stub = keep(new StubAgent(Town::answer));
    LocalSidecar sidecar = keep(LocalSidecar.start(file(pod, agent, peer, key, stub), data(pod)));
    targets.add(new Prometheus.Target(sidecar.adminPort(), "shop", pod));
    walkers.add(threads.submit(() -> stroll(pod, sidecar, new Random(seed))));
    walkers.add(threads.submit(() -> review(sidecar)));
    walkers.add(threads.submit(() -> coin(pod, sidecar)));
  }

  private Path data(String pod) {
    return folder.resolve(pod);
  }

  private Path file(String pod, String agent, String peer, String key, StubAgent stub)
      throws IOException {
    Path keys = folder.resolve(pod + ".keys");
    Path token = folder.resolve(pod + ".token");
    Files.writeString(keys, key + "\n");
    Files.writeString(token, kit.plane.attachToken(agent) + "\n");
    StringBuilder routes = new StringBuilder("routes:\n");
    for (int i = 0; i < STRANGERS; i++) {
      routes.append(
          """
            - { name: p%d, match: { direction: inbound, pathPrefix: /p%d }, core: { domain: license, peer: stranger-%d } }
          """
              .formatted(i, i, i));
    }
    routes.append(
        """
          - { name: acts, match: { direction: inbound, pathPrefix: /acts }, finality: semantic }
          - { name: open, match: { direction: inbound, pathPrefix: /open }, codec: a2a, onUnjudged: allow }
          - { name: coin, match: { direction: inbound, pathPrefix: /coin }, lexicon: { coin: on, inject: part } }
          - { name: watch, match: { direction: inbound, pathPrefix: /watch }, mode: observe }
          - { name: talk, match: { direction: inbound }, core: { domain: license, peer: %s } }
        """
            .formatted(peer));
    String control =
        """
        control:
          target: 127.0.0.1:%d
          agent: %s
          keysFile: "%s"
          tokenFile: "%s"
          rounds: { timeoutMs: 2000 }
          localAgent: { url: "http://127.0.0.1:%d/", protocol: "1.0", timeoutMs: 2000 }
        """
            .formatted(kit.port(), agent, keys, token, stub.port());
    Path file = folder.resolve(pod + ".yaml");
    Files.writeString(
        file,
        LocalSidecar.yaml(
            pod,
            pod,
            LocalSidecar.inboundTo(stub.port()),
            LocalSidecar.outbound(),
            routes.toString(),
            control));
    return file;
  }

  /** True to its source, or not, or better when asked again, as the question wants it. */
  private static StubAgent.Reply answer(HttpBytes asked) {
    String text = asked.text();
    String id = text.startsWith("{") ? A2a.idOf(asked) : "1";
    Matcher talk = CONTEXT.matcher(text);
    String context = talk.find() ? talk.group(1) : "ctx-1";
    String said =
        text.contains("invent") || (text.contains("stumble") && text.hashCode() % 2 == 0)
            ? A2a.INVENTED
            : text.contains("drift")
                ? A2a.FACT
                    + ", and the notice of the supplier says much else that nobody asked for."
                : text.contains(COINS)
                    ? A2a.GROUNDED + "\n[PART 2]\nradial play = how far the impeller moves"
                    : A2a.GROUNDED;
    String body =
        A2a.answer(id, "a-" + text.hashCode(), said).replace("\"ctx-1\"", "\"" + context + "\"");
    return text.contains("SendStreamingMessage")
        ? new StubAgent.Reply(
            200, "Content-Type: text/event-stream\r\n", ("data: " + body + "\n\n").getBytes(UTF_8))
        : StubAgent.Reply.json(body);
  }

  private void stroll(String pod, LocalSidecar sidecar, Random random) {
    int number = 0;
    while (!isOver) {
      number++;
      try (RawHttp inbound = new RawHttp(sidecar.inbound())) {
        for (int i = 0; i < BETWEEN && !isOver; i++) {
          number++;
          step(inbound, pod, number, random);
          double wave = 1 + 0.6 * Math.sin(number / 60.0 + random.nextDouble() / 3);
          TimeUnit.MILLISECONDS.sleep((long) (BREATH_MS * wave));
        }
        misbehave(pod, sidecar, number, turns.getAndIncrement());
      } catch (IOException e) {
        number++; // cut by a sidecar that was asked to cut; the next connection goes on
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void step(RawHttp inbound, String pod, int number, Random random)
      throws IOException {
    String id = Integer.toString(number);
    String context = pod + number;
    int kind = random.nextInt(100);
    String question =
        kind < 8
            ? "Please invent something about the impeller."
            : kind < 20
                ? "Do not stumble: when must the impeller be replaced?"
                : kind < 32
                    ? "When must the impeller be replaced, and what drift is there?"
                    : kind < 48
                        ? "Does the notice say when the impeller must be replaced?"
                        : kind < 54
                            ? "Does liability matter when the impeller must be replaced?"
                            : "When must the impeller be replaced?";
    String path =
        kind < 58
            ? "/talk"
            : kind < 64 ? "/p" + random.nextInt(STRANGERS) : kind < 72 ? "/watch" : "/talk";
    String body = A2a.ask(id, context, question);
    if (kind >= 90 || kind == 0) {
      body = body.replace("SendMessage", "SendStreamingMessage");
    }
    inbound.send(
        post(path, "application/json", kind == 89 ? "Parlance-Route: execute\r\n" : "", body));
    inbound.reply();
  }

  /** In each conversation a term is coined, used, and coined once more, which is no coinage. */
  private void coin(String pod, LocalSidecar sidecar) {
    int number = 0;
    do {
      number++;
      String question =
          number % 3 == 2
              ? "Is the radial play too large?"
              : "When must the impeller be replaced? Name what is measured: " + COINS;
      String context = pod + "-coins-" + number / 3;
      try {
        once(
            sidecar.inbound(),
            post("/coin", "application/json", "", A2a.ask("9" + number, context, question)));
      } catch (IOException e) {
        number++; // cut; the next one is asked
      }
    } while (!isOver && pause(300));
  }

  private static String post(String path, String type, String more, String body) {
    return "POST %s HTTP/1.1\r\nHost: agent.test\r\nContent-Type: %s\r\nA2A-Version: 1.0\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(path, type, more, body.getBytes(UTF_8).length, body);
  }

  /** What no good neighbour does, now and then. */
  private void misbehave(String pod, LocalSidecar sidecar, int number, int turn)
      throws IOException {
    switch (turn % 7) {
      case 0 -> {
        once(sidecar.inbound(), post("/open", "text/csv", "", "a,b"));
        once(sidecar.inbound(), post("/talk", "text/csv", "", "a,b"));
      }
      case 1 -> once(sidecar.inbound(), "GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n");
      case 2 -> once(sidecar.inbound(), post("/talk", "application/json", "", "{\"a\":1,\"a\":2}"));
      case 3 ->
          once(
              sidecar.outboundPort(),
              post(
                      "http://127.0.0.1:9/",
                      "application/json",
                      "",
                      A2a.ask("1", "nobody", "Is anybody there?"))
                  .replace("agent.test", "127.0.0.1:9"));
      case 4 ->
          once(
              sidecar.inbound(),
              post("/acts", "application/json", "", A2a.ask("1", "acts", "Delete the build.")));
      case 5 -> pings(sidecar.inbound());
      case 6 -> reconfigure(pod, number);
      default -> throw new IllegalStateException("seven kinds");
    }
  }

  private static void once(int port, String request) throws IOException {
    try (RawHttp client = new RawHttp(port)) {
      client.send(request).reply();
    }
  }

  /** HTTP/2 by prior knowledge, and more pings than anybody needs. */
  private static void pings(int port) throws IOException {
    byte[] ping = new byte[17];
    ping[2] = 8;
    ping[3] = 6;
    try (RawHttp client = new RawHttp(port)) {
      client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").send(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
      for (int i = 0; i < PINGS; i++) {
        client.send(ping);
      }
    }
  }

  /** A file that is refused, then the good one again. */
  private void reconfigure(String pod, int number) throws IOException {
    Path file = folder.resolve(pod + ".yaml");
    String good = Files.readString(file).replaceAll("# \\d+\n$", "");
    String next = "# " + number + "\n";
    if (good.startsWith("mode: wrong\n")) {
      Files.writeString(file, good.substring("mode: wrong\n".length()) + next);
    } else {
      Files.writeString(file, "mode: wrong\n" + good + next);
    }
  }

  private void review(LocalSidecar sidecar) {
    Random random = new Random(5);
    while (!isOver) {
      try {
        TimeUnit.MILLISECONDS.sleep(700);
        JsonNode items = sidecar.admin().json("/review?state=pending&limit=5").path("items");
        for (JsonNode item : items) {
          String act = random.nextInt(3) == 0 ? "reject" : "release";
          sidecar
              .admin()
              .post(
                  "/review/" + item.path("id").asString("") + "/" + act,
                  "{\"who\":\"ada\",\"note\":\"seen\",\"undoMs\":0}");
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Pods come, most of them fit for a sidecar. */
  private void admit() {
    int number = 0;
    while (!isOver) {
      number++;
      try {
        injector.review("pod-" + number, number % 9 == 0);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      if (!pause(150 + 100 * (number / 40 % 3))) {
        return;
      }
    }
  }

  /** One round after another: agreement, agreement on the verdict only, none. */
  private void deliberate() {
    while (!isOver) {
      int number = rounds.incrementAndGet();
      String round = "release-" + number;
      council.open(
          OpenRoundRequest.newBuilder()
              .setRound(round)
              .addAllMembers(MEMBERS)
              .setFaults(1)
              .setDeadlineMs(60_000));
      for (int i = 0; i < MEMBERS.size(); i++) {
        String verdict = number % 4 == 0 && i % 2 == 0 ? "wait" : "ship";
        String why = number % 4 == 1 ? REASONS.get(i) : REASONS.getFirst();
        council.propose(round, MEMBERS.get(i), verdict, why);
      }
      if (!pause(900)) {
        return;
      }
    }
  }

  /** Work under a pact, now and then with a field that was not agreed on; a person withdraws. */
  private void delegate(PactPair pair) {
    int number = 0;
    while (!isOver) {
      number++;
      try {
        pair.send(number % 7 == 0 ? "{\"salary\":1}" : "{\"name\":\"Ann\"}");
        if (number % 20 == 0) {
          String id =
              A2a.JSON
                  .readTree(pair.asking.admin().get("/pacts").body())
                  .at("/pacts/0/pact")
                  .asString("none");
          pair.asking
              .admin()
              .post("/pacts/" + id + "/dissolve?reason=party_withdrew", "{\"who\":\"ada\"}");
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      if (!pause(200)) {
        return;
      }
    }
  }

  /**
   * Audits whose questions go to an agent that does not understand them. Each finds a pool of fresh
   * events: one of a hundred is used up after eight audits, and then nobody is asked any more.
   */
  private void askThroughASidecar() {
    kit.awaitAttached("dave");
    long revision = 0;
    while (!isOver) {
      Plan.Builder plan =
          Kit.plan("other-words", List.of("bob", "dave"), List.of("warranty"))
              .setRevision(revision);
      String fresh = "e/" + revision + "/";
      plan.getEventsBuilderList().forEach(event -> event.setPei(fresh + event.getPei()));
      revision = kit.put(plan).getRevision();
      kit.audit("other-words", AuditKind.AUDIT_KIND_CERTIFY);
      if (!pause(500)) {
        return;
      }
    }
  }

  private static boolean pause(long ms) {
    try {
      Thread.sleep(Duration.ofMillis(ms));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Throws what the first of those who have died has died of. */
  void assertAlive() {
    for (Future<?> walker : walkers) {
      if (walker.state() == Future.State.FAILED) {
        throw new IllegalStateException("somebody has died", walker.exceptionNow());
      }
    }
  }

  /** Nobody sends any more; what a walker died of is thrown. */
  void stop() throws Exception {
    isOver = true;
    for (Future<?> walker : walkers) {
      walker.get(60, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdownNow();
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
