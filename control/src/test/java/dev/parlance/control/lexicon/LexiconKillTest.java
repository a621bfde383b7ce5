package dev.parlance.control.lexicon;

import static dev.parlance.control.testing.Lexicographer.BOARD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.api.AttachSecret;
import dev.parlance.control.api.OperatorToken;
import dev.parlance.control.testing.Client;
import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.control.testing.Minds;
import dev.parlance.control.testing.ReplicaProcess;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.CoinRequest;
import dev.parlance.proto.v1.CoinResponse;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.LexiconTurn;
import dev.parlance.proto.v1.TermUse;
import dev.parlance.proto.v1.TermView;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica is killed while agents coin and use: nothing is lost, nothing counts twice. */
@Tag("kill")
final class LexiconKillTest {
  private static final int KILLS = 3;
  private static final int TERMS = 60;
  private static final int USES = 120;

  @TempDir Path data;

  @Test
  void acknowledgedCoinage_isThereAfterwards_andARepeatedReportCountsOnce() throws Exception {
    AttachSecret secret = AttachSecret.open(data.resolve("attach.secret"));
    String operator = OperatorToken.open(data.resolve("operator.token")).value();
    ReplicaProcess replica = ReplicaProcess.start(data, "r0", "");
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    AtomicInteger used = new AtomicInteger();
    int port = replica.port();
    VerifierKey key = VerifierKey.parse(replica.coreKey()).value().orElseThrow();
    try (Lexicographer sidecars = new Lexicographer(port, secret::token, key);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      try (Client client = new Client(port, operator);
          FakeSidecar alice =
              FakeSidecar.attach(port, secret.token("alice"), "alice", Minds.plain())) {
        client.awaitAttached("alice");
        assertThat(alice.ended).isNotDone();
      }
      again(() -> sidecars.coin(coinage(0)));
      Future<?> coining =
          threads.submit(() -> {
            for (int i = 1; i <= TERMS; i++) {
              LexiconTurn turn = coinage(i);
              CoinResponse coined =
                  again(() ->
                      sidecars.as("alice").coin(CoinRequest.newBuilder().setTurn(turn).build()));
              assertThat(coined.getAcceptedList()).hasSize(1);
              acknowledged.add(turn.getCoinages(0).getTerm());
            }
            return 0;
          });
      Future<?> using =
          threads.submit(() -> {
            for (int i = 1; i <= USES; i++) {
              LexiconTurn turn = use(i);
              // The speaker's sidecar and the listener's, and one of them again.
              for (String who : List.of("alice", "bob", "alice")) {
                again(() -> sidecars.report(who, turn));
              }
              used.incrementAndGet();
            }
            return 0;
          });
      for (int kill = 1; kill <= KILLS; kill++) {
        int seen = kill * TERMS / (KILLS + 1);
        await().atMost(Kit.PATIENCE).until(() -> acknowledged.size() >= seen || coining.isDone());
        replica.kill();
        replica = ReplicaProcess.start(data, "r" + kill, port, "");
        assertThat(replica.port()).isEqualTo(port);
      }
      coining.get(120, TimeUnit.SECONDS);
      using.get(120, TimeUnit.SECONDS);
      BoardView board =
          again(() ->
              sidecars
                  .with(operator)
                  .showBoard(GetBoardRequest.newBuilder().setBoard(BOARD).build()));
      assertThat(board.getTermsList().stream().map(TermView::getTerm))
          .hasSize(TERMS + 1)
          .containsAll(acknowledged);
      assertThat(board.getTerms(0).getReuse()).isEqualTo(USES).isEqualTo(used.get());
      assertThat(board.getSummary().getTurns()).isEqualTo(1 + TERMS + USES);
      try (Client client = new Client(port, operator)) {
        client.assertLedgerAgrees();
      }
    } finally {
      replica.close();
    }
  }

  private static LexiconTurn coinage(int number) {
    return Lexicographer.turn(
        BOARD,
        Board.empty(BoardRules.DEFAULT),
        0,
        number,
        new Turn(
            "alice",
            Channel.PUBLIC,
            "We need term t%d.\n[PART 2]\nt%d = meaning %d".formatted(number, number, number),
            false));
  }

  private static LexiconTurn use(int number) {
    return Lexicographer.turn(
            BOARD,
            Board.empty(BoardRules.DEFAULT),
            1,
            number,
            new Turn("bob", Channel.PUBLIC, "Again t0, for the time " + number, false))
        .toBuilder()
        .addUses(TermUse.newBuilder().setVisibility("public").setKey("t0").setTimes(1))
        .build();
  }

  /** Asks until there is an answer, as a sidecar does. */
  private static <T> T again(Callable<T> call) throws Exception {
    while (true) {
      try {
        return call.call();
      } catch (StatusRuntimeException e) {
        assertThat(e.getStatus().getCode()).as(e.toString()).isEqualTo(Status.Code.UNAVAILABLE);
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }
}
