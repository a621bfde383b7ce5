package dev.parlance.control.lexicon;

import static dev.parlance.control.testing.Lexicographer.BOARD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.store.PostgresServer;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.control.testing.Minds;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconTurn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas over one PostgreSQL: a term is coined once, and both tell the same. */
final class LexiconReplicasTest {
  private static final int TERMS = 10 * Math.max(1, Integer.getInteger("soak", 5) / 5);

  @TempDir Path folder;

  private static LexiconTurn coinage(String speaker, int number) {
    return Lexicographer.turn(
        BOARD,
        Board.empty(BoardRules.DEFAULT),
        0,
        number,
        new Turn(
            speaker,
            Channel.PUBLIC,
            "We need t%d.\n[PART 2]\nt%d = as %s means it".formatted(number, number, speaker),
            false));
  }

  private static BoardView show(Lexicographer where) {
    return where.as("alice").showBoard(GetBoardRequest.newBuilder().setBoard(BOARD).build());
  }

  @Test
  void coinagesThatRace_comeToOne_atBothReplicas_andReachSidecarsOfBoth() throws Exception {
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
        Lexicographer first = Lexicographer.at(one.plane);
        Lexicographer second = Lexicographer.at(two.plane);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      FakeSidecar here = one.attach("carol", Minds.plain()).want(BOARD, 0);
      FakeSidecar there = two.attach("dave", Minds.plain()).want(BOARD, 0);
      for (int i = 1; i <= TERMS; i++) {
        LexiconTurn alices = coinage("alice", i);
        LexiconTurn bobs = coinage("bob", i);
        Future<CoinResponse> other = threads.submit(() -> second.coin(bobs));
        List<CoinResponse> both = new ArrayList<>(List.of(first.coin(alices)));
        both.add(other.get());
        assertThat(both.stream().filter(response -> response.getAcceptedCount() == 1)).hasSize(1);
        assertThat(both.stream().filter(response -> response.getRefusedCount() == 1))
            .singleElement()
            .matches(response -> response.getRefused(0).getReason().equals("not_novel"));
      }
      assertThat(show(first)).isEqualTo(show(second));
      assertThat(show(first).getTermsList()).hasSize(TERMS);
      for (FakeSidecar sidecar : List.of(here, there)) {
        await()
            .atMost(Kit.PATIENCE)
            .untilAsserted(
                () -> assertThat(first.read(sidecar.boards.getLast()).terms()).hasSize(TERMS));
      }
      one.client.assertLedgerAgrees();
    }
  }
}
