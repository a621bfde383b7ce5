package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.api.AttachSecret;
import dev.parlance.control.api.OperatorToken;
import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.store.PostgresServer;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.testing.Client;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.FakeEncoder;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.ReplicaProcess;
import dev.parlance.proto.v1.ProposeRequest;
import dev.parlance.proto.v1.ProposeResponse;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several replicas over one PostgreSQL: whoever does what, there is one outcome. */
@Tag("kill")
final class RoundReplicasTest {
  private static final int ROUNDS = 6 * Math.max(1, Integer.getInteger("soak", 5) / 5);

  @TempDir Path folder;

  @Test
  void twoReplicasDecideAtOnce_andShowTheSameBytes_andARepetitionIsNoEquivocation()
      throws Exception {
    StoreConfig.Postgres database = PostgresServer.newConfig();
    Path shared = Files.createDirectories(folder.resolve("shared"));
    Path password = Files.writeString(shared.resolve("password"), database.password() + "\n");
    ControlMain.keys(shared.resolve("keys"), "test.example/ledger");
    StoreSettings settings =
        new StoreSettings.Postgres(
            database.url(), database.user(), Optional.of(password), database.poolSize());
    // The same encoder on two machines that differ in the last digits.
    try (Kit one =
            Kit.start(
                Kit.config(folder.resolve("one"), settings, Optional.of(shared), "one"),
                new FakeEncoder());
        Kit two =
            Kit.start(
                Kit.config(folder.resolve("two"), settings, Optional.of(shared), "two"),
                new FakeEncoder().with(1e-4));
        Council first = Council.at(one.plane);
        Council second = Council.at(two.plane);
        ExecutorService agents = Executors.newFixedThreadPool(14)) {
      Random random = new Random(11);
      for (int i = 0; i < ROUNDS; i++) {
        String round = "r/" + i;
        List<Future<ProposeResponse>> all = new ArrayList<>();
        (random.nextBoolean() ? first : second).open(Council.seven(round));
        List<ProposeRequest.Builder> twice = new ArrayList<>();
        for (String agent : Council.SEVEN) {
          var proposal = Council.proposal(round, agent, "approve", random.nextInt(5) + " " + agent);
          twice.add(proposal);
          twice.add(proposal);
        }
        Collections.shuffle(twice, random);
        for (int at = 0; at < twice.size(); at++) {
          Council where = at % 2 == 0 ? first : second;
          ProposeRequest.Builder proposal = twice.get(at);
          all.add(agents.submit(() -> where.propose(proposal)));
        }
        for (Future<ProposeResponse> each : all) {
          assertThat(each.get(60, TimeUnit.SECONDS).getResult()).isIn("accepted", "repeated");
        }
        RoundResult here = awaitResult(first, round);
        assertThat(awaitResult(second, round)).isEqualTo(here);
        assertThat(here.getOutcome()).isEqualTo("semantic_commit");
        assertThat(here.getDelivered()).isEqualTo(7);
      }
      one.assertLedgerAgrees();
    }
  }

  private static RoundResult awaitResult(Council where, String round) {
    return await().atMost(Kit.PATIENCE).until(() -> where.get(round), Round::hasResult).getResult();
  }

  @Test
  void replicaKilledBetweenProposalsAndSeal_anotherOneEndsTheRound() throws Exception {
    StoreConfig.Postgres database = PostgresServer.newConfig();
    Path shared = Files.createDirectories(folder.resolve("shared"));
    Files.writeString(shared.resolve("password"), database.password() + "\n");
    ControlMain.keys(shared.resolve("keys"), "test.example/ledger");
    AttachSecret secret = AttachSecret.open(shared.resolve("attach.secret"));
    String token = OperatorToken.open(shared.resolve("operator.token")).value();
    String config =
        """
        store: {url: "%s", user: %s, passwordFile: %s, pool: 8}
        keys: {dir: %s}
        attachSecretFile: %s
        operatorTokenFile: %s
        rounds: {encoder: "off"}
        """
            .formatted(
                database.url(),
                database.user(),
                shared.resolve("password"),
                shared.resolve("keys"),
                shared.resolve("attach.secret"),
                shared.resolve("operator.token"));
    try (ReplicaProcess one = ReplicaProcess.start(folder.resolve("one"), "one", config);
        ReplicaProcess two = ReplicaProcess.start(folder.resolve("two"), "two", config);
        Council first = new Council(one.port(), token, secret::token);
        Council second = new Council(two.port(), token, secret::token)) {
      // The first call of a fresh process takes its time, which is not the round's.
      first.open(Council.seven("r/warm"));
      first.propose("r/warm", "a1", "approve", "words");
      first.open(Council.seven("r/killed").setDeadlineMs(6_000));
      first.open(Council.seven("r/silent").setDeadlineMs(3_000));
      for (String agent : Council.SEVEN.subList(0, 6)) {
        first.propose("r/killed", agent, "approve", "words of " + agent);
      }
      assertThat(second.get("r/killed").getProposed()).isEqualTo(6);
      one.kill();
      List<Round> seen = second.watch("r/killed", token);
      assertThat(seen.getLast().getResult().getOutcome()).isEqualTo("verdict_commit");
      assertThat(seen.getLast().getResult().getSupport()).isEqualTo(6);
      assertThat(awaitResult(second, "r/silent").getReason()).isEqualTo("INSUFFICIENT_DELIVERY");
      assertThat(Council.reason(() -> second.propose("r/killed", "a7", "approve", "words")))
          .isEqualTo("FAILED_PRECONDITION late");
      try (Client client = new Client(two.port(), token)) {
        client.assertLedgerAgrees();
      }
    }
  }
}
