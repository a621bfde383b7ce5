package dev.parlance.control.pact;

import static dev.parlance.control.testing.Signatory.BUYER;
import static dev.parlance.control.testing.Signatory.SELLER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.store.PostgresServer;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.proto.v1.Pact;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas over one PostgreSQL: whoever ends a pact where, it ends once, and alike. */
final class PactReplicasTest {
  private static final int PACTS = 8 * Math.max(1, Integer.getInteger("soak", 5) / 5);
  private static final List<String> REASONS =
      List.of("work_completed", "work_failed", "party_withdrew", "dispute_escalated");

  @TempDir Path folder;

  @Test
  void endsThatRace_comeToOne_atBothReplicas() throws Exception {
    StoreConfig.Postgres database = PostgresServer.newConfig();
    Path shared = Files.createDirectories(folder.resolve("shared"));
    Path password = Files.writeString(shared.resolve("password"), database.password() + "\n");
    ControlMain.keys(shared.resolve("keys"), "test.example/ledger");
    StoreSettings settings =
        new StoreSettings.Postgres(
            database.url(), database.user(), Optional.of(password), database.poolSize());
    try (Kit one =
            Kit.start(Kit.config(folder.resolve("one"), settings, Optional.of(shared), "one"));
        Kit two =
            Kit.start(Kit.config(folder.resolve("two"), settings, Optional.of(shared), "two"));
        Signatory first = Signatory.at(one.plane).register();
        Signatory second = Signatory.at(two.plane);
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      Random random = new Random(17);
      for (int i = 0; i < PACTS; i++) {
        String pact = "p-" + i;
        byte[] note = Signatory.note(Signatory.document(pact, 60_000));
        Future<Pact> there = threads.submit(() -> second.attest(SELLER, note));
        Pact here = first.attest(BUYER, note);
        assertThat(there.get()).isEqualTo(here);
        List<Future<Optional<Pact>>> ends = new ArrayList<>();
        for (Signatory where : List.of(first, second, first, second)) {
          String party = random.nextBoolean() ? BUYER : SELLER;
          String reason = REASONS.get(random.nextInt(REASONS.size()));
          ends.add(threads.submit(() -> end(where, party, pact, reason)));
        }
        for (Future<Optional<Pact>> end : ends) {
          end.get();
        }
        assertThat(first.get(pact)).isEqualTo(second.get(pact));
      }
      one.client.assertLedgerAgrees();
    }
  }

  private static Optional<Pact> end(Signatory where, String party, String pact, String reason) {
    try {
      return Optional.of(where.dissolve(party, pact, reason));
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getDescription()).startsWith("pact_ended: ");
      return Optional.empty();
    }
  }
}
