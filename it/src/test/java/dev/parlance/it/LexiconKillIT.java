package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.proxy.gate.Lexicons;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two agents that coin and use terms, each behind a sidecar in a process of its own, one of which
 * is killed (kill -9) in each episode; what had no answer is said again. {@code -Dsoak=100} for as
 * many episodes, {@code -Dseed} for other moments.
 */
@Tag("kill")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class LexiconKillIT {
  private static final int EPISODES = Math.max(4, Integer.getInteger("soak", 4));
  private static final long SEED = Long.getLong("seed", 23);
  private static final int LATEST_KILL_MS = 600;
  private static final int AT_LEAST = 8;
  private static final String TALK = "killed";
  private static final String BOARD = Lexicons.boardOf(TALK);
  private static final Pattern TERM = Pattern.compile("(t[0-9]+) = meaning");

  @TempDir Path folder = Path.of("");

  /** Terms of messages that the agent got, with the word that their lines were left out. */
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  /** How often each message came to the agent, by its id. */
  private final Map<String, Integer> delivered = new ConcurrentHashMap<>();

  private final Map<String, ChildSidecar> sidecars = new HashMap<>();
  private final AtomicInteger answers = new AtomicInteger();
  private int said;

  @Test
  void killedAtAnyMoment_noCoinageIsLostThatPassed_andNoUseCountsTwice() throws Exception {
    Random random = new Random(SEED);
    try (Kit kit = Kit.start(folder.resolve("control"));
        StubAgent agent = new StubAgent(this::answer)) {
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      List<String> names = List.of("ann", "ben");
      for (String name : names) {
        start(kit, agent, name);
      }
      String first = say("t0");
      untilAnswered(first, "t0");
      for (int episode = 0; episode < EPISODES; episode++) {
        String victim = names.get(random.nextInt(names.size()));
        int killAfterMs = random.nextInt(LATEST_KILL_MS);
        ChildSidecar killed = sidecars.get(victim);
        Thread killer =
            Thread.ofVirtual()
                .start(() -> {
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(killAfterMs));
                  kill(killed);
                });
        int before = said;
        String text = next(random);
        String id = say(text);
        while (killer.isAlive() || said < before + AT_LEAST) {
          if (!isAnswered(id, text)) {
            break;
          }
          text = next(random);
          id = say(text);
        }
        killer.join();
        start(kit, agent, victim);
        untilAnswered(id, text);
      }
      // Said once more, every message is one that was said.
      untilAnswered(first, "t0");
      try (Lexicographer ledger = Lexicographer.at(kit.plane)) {
        await()
            .atMost(Kit.PATIENCE)
            .untilAsserted(() -> assertThat(board(ledger).reuse()).isPositive());
        check(ledger);
      }
      kit.client.assertLedgerAgrees();
    } finally {
      sidecars.values().forEach(ChildSidecar::close);
    }
  }

  private void check(Lexicographer ledger) {
    BoardDocument board = ledger.board("ann", BOARD);
    Set<String> terms =
        board.terms().stream().map(BoardDocument.Term::term).collect(Collectors.toSet());
    assertThat(acknowledged).hasSizeGreaterThan(1);
    assertThat(terms).containsAll(acknowledged);
    long using = delivered.keySet().stream().filter(id -> id.startsWith("u-")).count();
    assertThat((long) board(ledger).reuse()).isLessThanOrEqualTo(using);
    assertThat(board.turns()).isLessThanOrEqualTo(delivered.size() + answers.get());
    assertThat(delivered.values()).anyMatch(times -> times > 1);
  }

  private static BoardDocument.Term board(Lexicographer ledger) {
    return ledger.board("ann", BOARD).terms().getFirst();
  }

  private static void kill(ChildSidecar sidecar) {
    try {
      sidecar.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void start(Kit kit, StubAgent agent, String name) throws Exception {
    ChildSidecar begun =
        ChildSidecar.start(
            folder,
            name,
            LocalSidecar.inboundTo(agent.port()),
            LocalSidecar.outbound(),
            PactPair.control(folder, kit, name),
            "lexicon: { timeoutMs: 20000, reportMs: 5 }\n",
            "routes:\n  - name: all\n    lexicon: { coin: on }\n");
    sidecars.put(name, begun);
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> begun.admin().scrape().contains("parlance_control_connected 1"));
  }

  private static String next(Random random) {
    return random.nextInt(3) == 0 ? "t" + random.nextInt(1, 400) : "";
  }

  /** Ids are counted, so that no two messages have one. */
  private String say(String term) {
    said++;
    return (term.isEmpty() ? "u-" : "c-") + said;
  }

  private static String words(String id, String term) {
    return term.isEmpty()
        ? "What " + id + " says of t0 is that it holds."
        : "We need a word, " + term + ", says " + id + ".\n[PART 2]\n" + term + " = meaning " + id;
  }

  private void untilAnswered(String id, String term) {
    await()
        .atMost(Kit.PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> isAnswered(id, term));
  }

  private boolean isAnswered(String id, String term) throws InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), sidecars.get("ann").outboundPort())))
            .build()) {
      String body =
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{\"kind\":\"message\",\"messageId\":\"%s\",\"contextId\":\"%s\",\"role\":\"user\",\"parts\":[{\"kind\":\"text\",\"text\":%s}]}}}"
              .formatted(id, TALK, A2a.JSON.writeValueAsString(words(id, term)));
      return client
          .send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + sidecars.get("ben").inbound() + "/"))
                  .timeout(Duration.ofSeconds(60))
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString(UTF_8))
          .body()
          .contains("\"role\":\"agent\"");
    } catch (IOException e) {
      return false; // killed
    }
  }

  private StubAgent.Reply answer(HttpBytes asked) {
    String id = A2a.JSON.readTree(asked.text()).at("/params/message/messageId").asString();
    delivered.merge(id, 1, Integer::sum);
    Matcher term = TERM.matcher(asked.text());
    if (term.find() && asked.text().contains("\"leftOut\":1")) {
      acknowledged.add(term.group(1));
    }
    return StubAgent.Reply.json(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"messageId\":\"a-%d\",\"contextId\":\"%s\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"That is said now.\"}]}}"
            .formatted(answers.incrementAndGet(), TALK));
  }
}
