package dev.parlance.proxy.control.api;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.proxy.control.ControlChannels;
import dev.parlance.proxy.control.ControlCredentials;
import dev.parlance.proxy.control.FakeRounds;
import dev.parlance.proxy.control.Signed;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.service.config.HostPort;
import dev.parlance.wire.api.RoundMark;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client of rounds alone, and networks that break in every way. */
class RoundClientTest {
  private static final RoundId R1 = new RoundId("notice-kept", 1);

  /** For calls that nobody answers. */
  private static final int SHORT_MS = 500;

  /** For calls that are answered, also on a machine that has much else to do. */
  private static final int PATIENT_MS = 30_000;

  /** A wire that can be cut, and that can swallow everything without saying so. */
  private static final class Wire implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final int to;
    private volatile boolean dead;

    Wire(int to) throws IOException {
      this.to = to;
      this.listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
      threads.execute(this::accept);
    }

    private void accept() {
      while (!listener.isClosed()) {
        try {
          Socket near = listener.accept();
          try {
            join(near, new Socket(InetAddress.getLoopbackAddress(), to));
          } catch (IOException e) {
            near.close();
          }
        } catch (IOException e) {
          // Closed.
        }
      }
    }

    private void join(Socket near, Socket far) {
      ends.add(near);
      ends.add(far);
      boolean[] mute = {false};
      threads.execute(() -> pump(near, far, mute));
      threads.execute(() -> pump(far, near, mute));
    }

    /** Once mute, a connection stays mute; later ones are well. */
    private void pump(Socket from, Socket into, boolean[] mute) {
      byte[] bytes = new byte[8192];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = into.getOutputStream();
        for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
          mute[0] |= dead;
          if (!mute[0]) {
            out.write(bytes, 0, count);
            out.flush();
          }
        }
      } catch (IOException e) {
        // Cut.
      }
    }

    int port() {
      return listener.getLocalPort();
    }

    /** Connections that carry something from now on are half open: they stay, and say nothing. */
    void die(boolean isDead) {
      dead = isDead;
    }

    void cut() throws IOException {
      for (Socket end : ends) {
        end.close();
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
      cut();
      threads.shutdownNow();
    }
  }

  @TempDir Path dir = Path.of("");
  private volatile int timeoutMs = PATIENT_MS;
  private FakeRounds rounds = unstarted();
  private Wire wire = unstarted();
  private RoundClient client = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(dir.resolve("token"), "t");
    rounds = new FakeRounds();
    rounds.open(R1, 60_000);
    wire = new Wire(rounds.port());
    client =
        new RoundClient(
            "alice",
            () -> timeoutMs,
            new RoundCalls(
                new ControlCalls.Settings(
                    new ControlChannels.Settings(
                        new HostPort("127.0.0.1", wire.port()), Optional.empty(), "test", 1 << 20),
                    ControlCredentials.token(dir.resolve("token"))),
                RandomGeneratorFactory.of("L64X128MixRandom").create(7)),
            new RoundReading(
                List.of(Signed.KEY.verifier()), () -> RoundReading.RoundTrust.OFFERED));
  }

  @AfterEach
  void end() throws IOException {
    client.close();
    wire.close();
    rounds.close();
  }

  private CompletableFuture<Rounds.Receipt> propose() {
    return client.propose(
        new Rounds.Proposing(
            new RoundMark.Proposal(R1, "keep", Optional.empty(), Optional.empty(), false),
            "because",
            new byte[32],
            "execute",
            "d-1"));
  }

  @Test
  void aHalfOpenConnection_costsOneTimeout_andIsNotUsedAgain() throws Exception {
    assertThat(propose().get()).isInstanceOf(Rounds.Taken.class);
    timeoutMs = SHORT_MS;
    wire.die(true);
    assertThat(propose().get()).isInstanceOf(Rounds.Unavailable.class);
    timeoutMs = PATIENT_MS;
    wire.die(false);
    assertThat(propose().get()).isInstanceOf(Rounds.Taken.class);
  }

  @Test
  void aCutConnection_isMadeAnew() throws Exception {
    assertThat(propose().get()).isInstanceOf(Rounds.Taken.class);
    wire.cut();
    assertThat(propose().get()).isInstanceOf(Rounds.Taken.class);
  }

  @Test
  void aWaitOutlivesACutConnection() throws Exception {
    CompletableFuture<Rounds.Reply> end = client.ended(R1, 30_000);
    awaiting().until(() -> rounds.watching() == 1);
    wire.cut();
    awaiting().until(() -> rounds.watching() == 0);
    RoundOutcome outcome = FakeRounds.commit(R1, "verdict_commit", Optional.empty());
    rounds.end(outcome);
    assertThat(end.get(60, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            Rounds.Known.class,
            known ->
                assertThat(known.status().ended().orElseThrow().note())
                    .isEqualTo(FakeRounds.note(outcome)));
  }

  @Test
  void aWaitForARoundThatThereIsNot_isRefusedAtOnce() throws Exception {
    assertThat(client.ended(new RoundId("none", 1), 30_000).get(60, TimeUnit.SECONDS))
        .isEqualTo(new Rounds.Refused("round_unknown", "in words"));
  }

  @Test
  void afterAllAttemptsFailed_callsFailAtOnce_untilThePauseIsOver() throws Exception {
    timeoutMs = SHORT_MS;
    rounds.close();
    assertThat(propose().get()).isInstanceOf(Rounds.Unavailable.class);
    long startNs = System.nanoTime();
    assertThat(propose().get()).isInstanceOf(Rounds.Unavailable.class);
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs)).isLessThan(SHORT_MS);
  }

  @Test
  void moreCallsThanAreTaken_areUnavailable_andOfferedAgainLater() throws Exception {
    timeoutMs = SHORT_MS;
    rounds.onPropose((_, _) -> {});
    List<CompletableFuture<Rounds.Receipt>> many = new ArrayList<>();
    for (int i = 0; i < RoundClient.MAX_CALLS; i++) {
      many.add(propose());
    }
    assertThat(propose())
        .isCompletedWithValueMatching(receipt ->
            receipt instanceof Rounds.Unavailable(String why) && why.contains("too many"));
    for (CompletableFuture<Rounds.Receipt> one : many) {
      assertThat(one.get()).isInstanceOf(Rounds.Unavailable.class);
    }
    timeoutMs = PATIENT_MS;
    rounds.onPropose(rounds::accept);
    assertThat(propose().get()).isInstanceOf(Rounds.Taken.class);
  }

  @Test
  void whatIsNoRefusalIsALackOfAnAnswer() throws Exception {
    timeoutMs = SHORT_MS;
    for (Status.Code code :
        List.of(Status.Code.INTERNAL, Status.Code.UNIMPLEMENTED, Status.Code.UNAUTHENTICATED)) {
      rounds.refuse(code, "any_reason");
      assertThat(propose().get()).as("%s", code).isInstanceOf(Rounds.Unavailable.class);
    }
    rounds.onPropose((_, out) -> out.onError(Status.NOT_FOUND.asRuntimeException()));
    assertThat(propose().get()).as("without reason").isInstanceOf(Rounds.Unavailable.class);
  }

  @Test
  void aTokenThatIsGone_isALackOfAnAnswer_andANewOneIsUsedAtOnce() throws Exception {
    timeoutMs = SHORT_MS;
    Files.delete(dir.resolve("token"));
    assertThat(propose().get()).isInstanceOf(Rounds.Unavailable.class);
    timeoutMs = PATIENT_MS;
    Files.writeString(dir.resolve("token"), "new");
    assertThat(propose().get()).isInstanceOf(Rounds.Taken.class);
    assertThat(rounds.tokens().getLast()).isEqualTo("Bearer new");
  }
}
