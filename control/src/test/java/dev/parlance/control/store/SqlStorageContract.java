package dev.parlance.control.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.log.LedgerFault;
import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.Log;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogStorage;
import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The ledger in the database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SqlStorageContract {
  private static final SignerKey KEY = SignerKey.generate("test.example/log", KeyType.ED25519);
  private static final byte[] FIRST = bytes("first checkpoint");
  private static final byte[] SECOND = bytes("second checkpoint");

  private TestDatabase database;
  private SqlStore one;
  private SqlStore two;

  SqlStorageContract() {}

  /** An empty database. */
  abstract TestDatabase newDatabase();

  @BeforeAll
  void open() {
    database = newDatabase();
    one = Stores.open(database.config());
    two = Stores.open(database.config());
  }

  @BeforeEach
  void clear() {
    database.clear();
  }

  @AfterAll
  void close() {
    if (one != null) {
      one.close();
    }
    if (two != null) {
      two.close();
    }
  }

  @Test
  void commit_isSeenByEveryReplica() throws IOException {
    LogStorage storage = one.logStorage();
    assertThat(storage.read("checkpoint")).isEmpty();
    assertThat(storage.commit(Optional.empty(), writes("tile/0/000.p/1", "a"), FIRST))
        .isEqualTo(LogStorage.Commit.COMMITTED);
    assertThat(two.logStorage().read("checkpoint")).contains(FIRST);
    assertThat(two.logStorage().read("tile/0/000.p/1")).contains(bytes("a"));
    assertThat(two.logStorage().read("tile/0/000.p/2")).isEmpty();
  }

  @Test
  void L6_commitOnAnotherCheckpoint_isAConflict_andNothingIsWritten() throws IOException {
    one.logStorage().commit(Optional.empty(), writes("tile/0/000.p/1", "a"), FIRST);
    for (Optional<byte[]> expected : List.of(Optional.<byte[]>empty(), Optional.of(SECOND))) {
      assertThat(two.logStorage().commit(expected, writes("tile/0/000.p/2", "ab"), bytes("third")))
          .isEqualTo(LogStorage.Commit.CONFLICT);
    }
    assertThat(one.logStorage().read("tile/0/000.p/2")).isEmpty();
    assertThat(one.logStorage().read("checkpoint")).contains(FIRST);
  }

  @Test
  void fullTile_takesThePlaceOfItsBeginnings_andOfNoOthers() throws IOException {
    LogStorage storage = one.logStorage();
    SequencedMap<String, byte[]> beginnings = writes("tile/0/000.p/1", "a");
    beginnings.put("tile/0/000.p/2", bytes("ab"));
    beginnings.put("tile/entries/000.p/2", bytes("AB"));
    storage.commit(Optional.empty(), beginnings, FIRST);
    storage.commit(Optional.of(FIRST), writes("tile/0/000", "abc"), SECOND);
    assertThat(storage.read("tile/0/000")).contains(bytes("abc"));
    assertThat(storage.read("tile/0/000.p/1")).isEmpty();
    assertThat(storage.read("tile/0/000.p/2")).isEmpty();
    assertThat(storage.read("tile/entries/000.p/2")).contains(bytes("AB"));
  }

  @Test
  void L2_publishedResource_neverGetsOtherBytes() throws IOException {
    LogStorage storage = one.logStorage();
    storage.commit(Optional.empty(), writes("tile/0/000", "abc"), FIRST);
    SequencedMap<String, byte[]> writes = writes("tile/0/001", "def");
    writes.put("tile/0/000", bytes("xyz"));
    assertThatThrownBy(() -> storage.commit(Optional.of(FIRST), writes, SECOND))
        .isInstanceOfSatisfying(
            LedgerUnavailable.class,
            e -> assertThat(e.fault()).isEqualTo(LedgerFault.CHAIN_BROKEN));
    assertThat(storage.read("tile/0/000")).contains(bytes("abc"));
    assertThat(storage.read("tile/0/001")).isEmpty();
    assertThat(storage.read("checkpoint")).contains(FIRST);
    assertThat(storage.commit(Optional.of(FIRST), writes("tile/0/000", "abc"), SECOND))
        .isEqualTo(LogStorage.Commit.COMMITTED);
  }

  @Test
  void whatIsNoResourceOfALog_isNeitherReadNorWritten() throws IOException {
    LogStorage storage = one.logStorage();
    assertThat(storage.read("tile/0/../0/000")).isEmpty();
    assertThat(storage.read("log.vkey")).isEmpty();
    assertThatThrownBy(() -> storage.commit(Optional.empty(), writes("checkpoint", "x"), FIRST))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> storage.commit(Optional.empty(), writes("tile/x", "x"), FIRST))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(storage.read("checkpoint")).isEmpty();
  }

  @Test
  void closedDatabase_isAnIoException() {
    SqlStore closed = Stores.open(database.config());
    LogStorage storage = closed.logStorage();
    closed.close();
    assertThatThrownBy(() -> storage.read("checkpoint"))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(LedgerUnavailable.class);
    assertThatThrownBy(() -> storage.commit(Optional.empty(), new LinkedHashMap<>(), FIRST))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(LedgerUnavailable.class);
  }

  @Test
  void L6_replicasThatAppendAtOnce_loseNothingAndRepeatNothing() throws Exception {
    Map<Long, String> acknowledged = new TreeMap<>();
    try (Log first = Log.open(one.logStorage(), KEY, patient());
        Log second = Log.open(two.logStorage(), KEY, patient())) {
      List<Callable<Map<Long, String>>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Log log = i % 2 == 0 ? first : second;
        String name = "thread " + i;
        tasks.add(() -> append(log, name));
      }
      Crew.run(tasks).forEach(acknowledged::putAll);
    }
    assertThat(acknowledged).hasSize(4 * 60 * 3);
    // Opening checks that the tiles lead to the signed root.
    try (Log again = Log.open(two.logStorage(), KEY, LogOptions.DEFAULTS)) {
      LogView head = new LogReader(one.logStorage(), KEY.verifier()).head().orElseThrow();
      assertThat(again.head().size()).isEqualTo(head.size()).isEqualTo(acknowledged.size());
      Map<Long, String> stored = new TreeMap<>();
      head.forEach(0, head.size(), (index, entry) -> stored.put(index, new String(entry, UTF_8)));
      assertThat(stored).isEqualTo(acknowledged);
      Hash root = head.checkpoint().checkpoint().root();
      for (long index : List.of(0L, 255L, 256L, head.size() - 1)) {
        assertThat(head.inclusion(index).verifies(Hashing.leaf(head.entry(index)), root)).isTrue();
      }
    }
    assertThat(pathsLike("tile/0/000.p/%")).isEmpty();
    assertThat(pathsLike("tile/entries/001.p/%")).isEmpty();
    assertThat(pathsLike("tile/0/002.p/%")).isNotEmpty();
  }

  /** Sixty appends of three entries each, one after the other: index to text. */
  private static Map<Long, String> append(Log log, String name) throws Exception {
    Map<Long, String> mine = new TreeMap<>();
    for (int i = 0; i < 60; i++) {
      List<String> texts = List.of(name + " a" + i, name + " b" + i, name + " c" + i);
      AppendResult result =
          log.append(texts.stream().map(SqlStorageContract::bytes).toList())
              .toCompletableFuture()
              .get();
      assertThat(result).isInstanceOf(AppendResult.Appended.class);
      long index = ((AppendResult.Appended) result).firstIndex();
      for (String text : texts) {
        mine.put(index++, text);
      }
    }
    return mine;
  }

  /** Several writers on two cores: who loses a race may lose many. */
  private static LogOptions patient() {
    return new LogOptions(4096, 8 << 20, 4096, 64L << 20, 1000, 10_000);
  }

  private List<String> pathsLike(String pattern) throws SQLException {
    List<String> paths = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT path FROM log_resource WHERE path LIKE '" + pattern + "'")) {
      while (rows.next()) {
        paths.add(rows.getString(1));
      }
    }
    return paths;
  }

  private static SequencedMap<String, byte[]> writes(String path, String body) {
    SequencedMap<String, byte[]> writes = new LinkedHashMap<>();
    writes.put(path, bytes(body));
    return writes;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
