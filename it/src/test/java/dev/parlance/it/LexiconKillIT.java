package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.policy.text.Tokens;
import dev.parlance.proxy.gate.Lexicons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
  private static final String COINING =
      "lexicon: { timeoutMs: 20000, reportMs: 5 }\n"
          + "routes:\n  - name: all\n    lexicon: { coin: on }\n";
  private static final int LATEST_KILL_MS = 600;
  private static final int AT_LEAST = 8;
  private static final String TALK = "killed";
  private static final String ANSWER = "That is said now.";
  private static final String BOARD = Lexicons.boardOf(TALK);
  private static final Pattern TERM = Pattern.compile("(t[0-9]+) = meaning");

  @TempDir Path folder = Path.of("");

  /** Terms of messages that the agent got, with the word that their lines were left out. */
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  /** How often each message came to the agent, by its id. */
  private final Map<String, Integer> delivered = new ConcurrentHashMap<>();

  private final AtomicInteger answers = new AtomicInteger();
  private int said;

  @Test
  void killedAtAnyMoment_noCoinageIsLostThatPassed_andNoUseCountsTwice() throws Exception {
    Random random = new Random(SEED);
    try (StubAgent agent = new StubAgent(this::answer);
        SidecarPair pair = new SidecarPair(folder, agent.port(), COINING)) {
      String first = say("t0");
      untilAnswered(pair, first, "t0");
      for (int episode = 0; episode < EPISODES; episode++) {
        SidecarPair.Kill kill = pair.killOne(random, LATEST_KILL_MS);
        int before = said;
        String text = next(random);
        String id = say(text);
        while (kill.isDue() || said < before + AT_LEAST) {
          if (!isAnswered(pair, id, text)) {
            break;
          }
          text = next(random);
          id = say(text);
        }
        pair.beginAgain(kill);
        untilAnswered(pair, id, text);
      }
      // Said once more, every message is one that was said.
      untilAnswered(pair, first, "t0");
      try (Lexicographer ledger = Lexicographer.at(pair.kit().plane)) {
        await()
            .atMost(Kit.PATIENCE)
            .untilAsserted(() -> assertThat(board(ledger).reuse()).isPositive());
        check(ledger);
      }
      pair.kit().client.assertLedgerAgrees();
    }
  }

  @Test
  void killedBetweenTheFirstTurnsAndTheBoard_theBoardHasThemAll() throws Exception {
    int early = 3;
    try (StubAgent agent = new StubAgent(this::answer);
        SidecarPair pair = new SidecarPair(folder, agent.port(), COINING)) {
      for (int turn = 0; turn < early; turn++) {
        untilAnswered(pair, say(""), "");
      }
      // What agents are asked is counted at the one who answers, and answers at the one who asks.
      for (String name : List.of(SidecarPair.ASKING, SidecarPair.ANSWERING)) {
        await().atMost(Kit.PATIENCE).until(() -> earlyTurns(name) == early);
      }
      pair.killBoth();
      untilAnswered(pair, say("t0"), "t0");
      int turns = 2 * (early + 1);
      try (Lexicographer ledger = Lexicographer.at(pair.kit().plane)) {
        await()
            .atMost(Kit.PATIENCE)
            .untilAsserted(() -> assertThat(ledger.board("ann", BOARD).turns()).isEqualTo(turns));
        assertThat(ledger.board("ann", BOARD).publicLogTokens())
            .isEqualTo(
                early * Tokens.of(words("u-1", "")).size()
                    + Tokens.of(words("c-4", "t0")).size()
                    + (early + 1) * Tokens.of(ANSWER).size());
      }
      for (String name : List.of(SidecarPair.ASKING, SidecarPair.ANSWERING)) {
        await().atMost(Kit.PATIENCE).until(() -> earlyTurns(name) == 0);
      }
    }
  }

  /** How many turns the sidecar keeps for a board that is not there yet. */
  private int earlyTurns(String name) throws IOException {
    Path file = folder.resolve(name).resolve("lexicon").resolve("early").resolve(BOARD);
    return Files.exists(file) ? Files.readAllLines(file).size() - 1 : 0;
  }

  private void check(Lexicographer ledger) {
    BoardDocument board = ledger.board("ann", BOARD);
    Set<String> terms =
        board.terms().stream().map(BoardDocument.Term::term).collect(Collectors.toSet());
    assertThat(acknowledged).hasSizeGreaterThan(1);
    assertThat(terms)
        .containsAll(acknowledged)
        .as("what nobody heard is taken back, but for a kill between the reply and the agent")
        .hasSizeLessThanOrEqualTo(acknowledged.size() + EPISODES / 4);
    long using = delivered.keySet().stream().filter(id -> id.startsWith("u-")).count();
    assertThat((long) board(ledger).reuse()).isLessThanOrEqualTo(using);
    assertThat(board.turns()).isLessThanOrEqualTo(delivered.size() + answers.get());
    assertThat(delivered.values()).anyMatch(times -> times > 1);
  }

  private static BoardDocument.Term board(Lexicographer ledger) {
    return ledger.board("ann", BOARD).terms().getFirst();
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

  private static void untilAnswered(SidecarPair pair, String id, String term) {
    await()
        .atMost(Kit.PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> isAnswered(pair, id, term));
  }

  private static boolean isAnswered(SidecarPair pair, String id, String term)
      throws InterruptedException {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{\"kind\":\"message\",\"messageId\":\"%s\",\"contextId\":\"%s\",\"role\":\"user\",\"parts\":[{\"kind\":\"text\",\"text\":%s}]}}}"
            .formatted(id, TALK, A2a.JSON.writeValueAsString(words(id, term)));
    return pair.post("/", body)
        .filter(answer -> answer.body().contains("\"role\":\"agent\""))
        .isPresent();
  }

  private StubAgent.Reply answer(HttpBytes asked) {
    String id = A2a.JSON.readTree(asked.text()).at("/params/message/messageId").asString();
    delivered.merge(id, 1, Integer::sum);
    Matcher term = TERM.matcher(asked.text());
    if (term.find() && asked.text().contains("\"leftOut\":1")) {
      acknowledged.add(term.group(1));
    }
    return StubAgent.Reply.json(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"messageId\":\"a-%d\",\"contextId\":\"%s\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"%s\"}]}}"
            .formatted(answers.incrementAndGet(), TALK, ANSWER));
  }
}
