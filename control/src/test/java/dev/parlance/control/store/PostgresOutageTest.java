package dev.parlance.control.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.store.Store.PlanPut;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.ledger.log.LedgerFault;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server of its own that dies in the middle of the work and comes back. */
@Tag("kill")
class PostgresOutageTest {
  private static final SignerKey KEY = SignerKey.generate("test.example/log", KeyType.ED25519);

  @TempDir private static Path folder;
  private static @Nullable EmbeddedPostgres server;
  private static int port;

  @BeforeAll
  static void startServer() throws IOException {
    PostgresServer.assumeAvailable();
    start(0);
  }

  @AfterAll
  static void stopServer() throws IOException {
    stop();
  }

  @Test
  void callsFailWhileTheServerIsAway_andTheNextOneAfterItIsBackWorks() throws Exception {
    try (SqlStore store = Stores.open(config())) {
      store.putPlan("plan-0", 0, new byte[] {1}, 0);
      // All connections of the pool are there and in order, so all of them will be found broken.
      useAllConnections(store);
      crash();
      assertThatThrownBy(() -> store.putPlan("plan-0", 1, new byte[] {2}, 0))
          .isInstanceOf(StoreException.class);
      restart();
      assertThat(store.plan("plan-0").orElseThrow().document()).containsExactly(1);
      assertThat(store.putPlan("plan-0", 1, new byte[] {2}, 0)).isEqualTo(new PlanPut.Stored(2));
      useAllConnections(store);
    }
  }

  @Test
  void restartBetweenTwoCalls_isNotNoticed() throws Exception {
    try (SqlStore store = Stores.open(config())) {
      store.putPlan("plan-1", 0, new byte[] {1}, 0);
      useAllConnections(store);
      crash();
      restart();
      useAllConnections(store);
      assertThat(store.putPlan("plan-1", 1, new byte[] {2}, 0)).isEqualTo(new PlanPut.Stored(2));
    }
  }

  @Test
  void sessionEndedByAnOperator_costsNothing() throws Exception {
    try (SqlStore store = Stores.open(config())) {
      useAllConnections(store);
      try (Connection connection = server().getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE application_name = 'parlance'");
      }
      assertThat(store.putPlan("plan-2", 0, new byte[] {1}, 0)).isEqualTo(new PlanPut.Stored(1));
    }
  }

  @Test
  void L1_acknowledgedEntries_surviveTheCrashOfTheServer() throws Exception {
    Map<Long, String> acknowledged = new TreeMap<>();
    AtomicInteger refused = new AtomicInteger();
    try (SqlStore store = Stores.open(config());
        Log log = Log.open(store.logStorage(), KEY, LogOptions.DEFAULTS)) {
      Thread writer = Thread.ofPlatform().start(() -> append(log, acknowledged, refused));
      await().atMost(Duration.ofMinutes(2)).until(() -> size(acknowledged) > 100);
      crash();
      await().atMost(Duration.ofMinutes(2)).until(() -> refused.get() > 0);
      restart();
      int target = size(acknowledged) + 10;
      await().atMost(Duration.ofMinutes(2)).until(() -> size(acknowledged) > target);
      writer.interrupt();
      writer.join();
      Map<Long, String> stored = new TreeMap<>();
      var head = log.reader().head().orElseThrow();
      head.forEach(0, head.size(), (index, entry) -> stored.put(index, new String(entry, UTF_8)));
      assertThat(stored).containsAllEntriesOf(acknowledged);
    }
    try (SqlStore store = Stores.open(config());
        Log log = Log.open(store.logStorage(), KEY, LogOptions.DEFAULTS)) {
      assertThat(log.head().size()).isGreaterThanOrEqualTo(acknowledged.size());
    }
  }

  /** Appends one entry after the other until interrupted. */
  private static void append(Log log, Map<Long, String> acknowledged, AtomicInteger refused) {
    for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
      String text = "entry " + i;
      AppendResult result = log.append(List.of(text.getBytes(UTF_8))).toCompletableFuture().join();
      switch (result) {
        case AppendResult.Appended appended -> {
          synchronized (acknowledged) {
            acknowledged.put(appended.firstIndex(), text);
          }
        }
        case AppendResult.Refused no -> {
          assertThat(no.fault()).isEqualTo(LedgerFault.UNAVAILABLE);
          refused.incrementAndGet();
        }
      }
    }
  }

  private static int size(Map<Long, String> acknowledged) {
    synchronized (acknowledged) {
      return acknowledged.size();
    }
  }

  private static void useAllConnections(SqlStore store) throws InterruptedException {
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      tasks.add(store::nowMs);
    }
    assertThat(Crew.run(tasks)).allMatch(now -> now > 0);
  }

  private static StoreConfig config() {
    return new StoreConfig.Postgres(server().getJdbcUrl("postgres", "postgres"), "postgres", "", 4);
  }

  private static EmbeddedPostgres server() {
    if (server == null) {
      throw new IllegalStateException("no server runs");
    }
    return server;
  }

  private static void start(int wantedPort) throws IOException {
    EmbeddedPostgres started =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder.resolve("data"))
            .setCleanDataDirectory(false)
            .setPort(wantedPort)
            .start();
    port = started.getPort();
    server = started;
  }

  private static void restart() throws IOException {
    stop();
    start(port);
  }

  private static void stop() throws IOException {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  /** Ends all processes of the server at once, without its writing anything more. */
  private static void crash() throws IOException, InterruptedException {
    long pid =
        Long.parseLong(
            Files.readAllLines(folder.resolve("data/postmaster.pid")).getFirst().strip());
    ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
    Process kill = new ProcessBuilder("kill", "-QUIT", String.valueOf(pid)).start();
    assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
    await().atMost(Duration.ofSeconds(60)).until(() -> !postmaster.isAlive());
  }
}
