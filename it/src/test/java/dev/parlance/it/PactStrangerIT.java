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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  @Test
  void P3_parallelRequestsAtALimit_areNegotiatedAnewOrRefused_andBrandNobody() throws Exception {
    pair.close();
    pair = new PactPair(folder.resolve("limited"), kit, "max_messages=10;notice_ms=0", 2);
    List<Callable<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < PARALLEL; i++) {
      all.add(() -> pair.send(ALLOWED));
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
    for (Pact pact : pair.pacts()) {
      assertThat(pact.getReason()).isNotEqualTo("violated");
      assertThat(pair.withdraw(pact.getPact()).statusCode()).isEqualTo(200);
    }
    int both = 2 * answered;
    List<Pact> pacts = pair.pacts();
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(() ->
            assertThat(pacts.stream().mapToLong(one -> pair.counted(one.getPact())).sum())
                .isEqualTo(both));
    for (Pact pact : pacts) {
      assertThat(pair.counted(pact.getPact())).isLessThanOrEqualTo(10);
      assertThat(pair.violations(pact.getPact())).isZero();
    }
  }
}
