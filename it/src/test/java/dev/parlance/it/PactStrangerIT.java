package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import dev.parlance.proto.v1.Pact;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What somebody without a party's key does with a pact that he has read on the ledger. */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class PactStrangerIT {
  private static final String FORBIDDEN = "{\"name\":\"Ann\",\"ssn\":\"123\"}";
  private static final String ALLOWED = "{\"name\":\"Ann\"}";
  private static final int PARALLEL = 25;
  private static final boolean WHOLE = Integer.getInteger("soak", 0) > 5;
  private static final int EPISODES = WHOLE ? 20 : 1;
  private static final int EXCHANGES = WHOLE ? 500 : 50;

  @TempDir Path folder = Path.of("");
  private Kit kit = unstarted();
  private PactPair pair = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    kit = Kit.start(Kit.config(folder.resolve("control")));
    pair = new PactPair(folder, kit);
  }

  @AfterEach
  void end() throws Exception {
    pair.close();
    kit.close();
  }

  @Test
  void aStrangerWhoNamesThePact_isNotDelivered_andNobodyIsBlamed() throws Exception {
    assertThat(pair.send(ALLOWED).body()).contains("Acme Ltd");
    Pact pact = pair.pacts().getFirst();
    String named = pact.getPact() + ";" + pact.getSha256();
    for (String data : List.of(FORBIDDEN, ALLOWED)) {
      for (String proof : List.of("", "0;2;" + "0".repeat(32), "0;2", "x")) {
        HttpResponse<String> refused = pair.sendAsStranger(data, named, proof);
        assertThat(refused.body()).as("%s %s", data, proof).contains("pact_unproven");
      }
    }
    assertThat(pair.agent.asked()).hasSize(1);
    assertThat(pair.send(ALLOWED).body()).contains("Acme Ltd");
    assertThat(pair.pacts()).hasSize(1);
    assertThat(pair.pacts().getFirst().getState()).isEqualTo("active");
    assertThat(pair.withdraw(pact.getPact()).statusCode()).isEqualTo(200);
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(() -> assertThat(pair.counted(pact.getPact())).isEqualTo(4));
    assertThat(pair.violations(pact.getPact())).isZero();
    kit.client.assertLedgerAgrees();
  }

  /** By {@code -Psoak} 10,000 exchanges. */
  @Test
  @Timeout(1_800)
  void P3_parallelRequestsAtALimit_areNegotiatedAnewOrRefused_andBrandNobody() throws Exception {
    for (int episode = 0; episode < EPISODES; episode++) {
      end();
      Path at = folder.resolve("limited-" + episode);
      Random random = new Random(episode);
      int most = 2 + random.nextInt(9) * 2;
      kit = Kit.start(Kit.config(at.resolve("control")));
      pair = new PactPair(at, kit, "max_messages=" + most + ";notice_ms=0", 1);
      int[] pausesMs = random.ints(EXCHANGES, 0, 4).toArray();
      AtomicInteger answers = new AtomicInteger();
      pair.agent.answer(_ -> {
        LockSupport.parkNanos(
            TimeUnit.MILLISECONDS.toNanos(pausesMs[answers.getAndIncrement() % EXCHANGES]));
        return PactPair.answer("Acme Ltd, 40 people.");
      });
      Semaphore room = new Semaphore(PARALLEL);
      List<Callable<HttpResponse<String>>> all = new ArrayList<>();
      for (int i = 0; i < EXCHANGES; i++) {
        all.add(() -> {
          room.acquire();
          try {
            return pair.send(ALLOWED);
          } finally {
            room.release();
          }
        });
      }
      int answered = 0;
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (Future<HttpResponse<String>> one : threads.invokeAll(all)) {
          String body = one.get().body();
          answered += body.contains("Acme Ltd") ? 1 : 0;
          assertThat(body).containsAnyOf("Acme Ltd", "pact_termination");
        }
      }
      assertThat(answered).isEqualTo(pair.agent.asked().size()).isGreaterThanOrEqualTo(5);
      blamesNobody(most, 2 * answered);
    }
  }

  private void blamesNobody(int most, int messages) throws Exception {
    List<Pact> pacts = pair.pacts();
    for (Pact pact : pacts) {
      assertThat(pact.getReason()).isNotEqualTo("violated");
      HttpResponse<String> ended = pair.withdraw(pact.getPact());
      assertThat(ended.statusCode()).as(ended.body()).isIn(200, 409); // it may be completed
    }
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(() ->
            assertThat(pacts.stream().mapToLong(one -> pair.counted(one.getPact())).sum())
                .isEqualTo(messages));
    for (Pact pact : pacts) {
      assertThat(pair.counted(pact.getPact())).isLessThanOrEqualTo(most);
      assertThat(pair.violations(pact.getPact())).isZero();
    }
  }
}
