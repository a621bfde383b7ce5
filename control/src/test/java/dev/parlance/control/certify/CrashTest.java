package dev.parlance.control.certify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.control.certify.AuditContext.Wakeups;
import dev.parlance.control.certify.LedgerWriter.LedgerStore;
import dev.parlance.control.certify.api.AuditRows;
import dev.parlance.control.certify.api.Plans;
import dev.parlance.control.config.ControlConfig.AuditSettings;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.control.publish.api.SidecarDocument;
import dev.parlance.control.store.SqlStore;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.AuditRow;
import dev.parlance.control.store.Store.QuestionRow;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.control.store.StoreConfig;
import dev.parlance.control.store.Stores;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.LogStorage;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.Recomputation;
import dev.parlance.ledger.record.RecomputationReport;
import dev.parlance.proto.v1.Answer;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.service.Loop;
import dev.parlance.service.Result;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A replica that dies between any two steps of an audit: whoever goes on ends it with the same
 * result, once. Dying is simulated by a store that, from one call on, answers nothing any more.
 */
@Tag("kill")
final class CrashTest {
  private static final List<String> AGENTS = List.of("alice", "bob");
  private static final int QUESTIONS = 2 * 12 * 2;
  private static final AuditSettings SETTINGS = new AuditSettings(4, 2_000, 1, 600);

  @TempDir Path data;
  private SqlStore store;
  private SignerKey ledgerKey;
  private SignerKey coreKey;
  private FileStorage files;
  private Loop agents;

  @BeforeEach
  void open() throws IOException {
    store = Stores.open(new StoreConfig.Embedded(data.resolve("store.db")));
    ledgerKey = SignerKey.generate("test.example/ledger", KeyType.ED25519);
    coreKey = SignerKey.generate("test.example/ledger/core", KeyType.ED25519);
    files = FileStorage.open(data.resolve("ledger"), ledgerKey.verifier());
    agents = Loop.start("agents", 10, this::answerAll);
    assertThat(
            new Plans(store, "test")
                .put(Kit.plan("p", AGENTS, List.of("notice", "liability")).build()))
        .isInstanceOf(Result.Done.class);
  }

  @AfterEach
  void close() throws IOException {
    agents.close();
    files.close();
    store.close();
  }

  private void answerAll() {
    for (String agent : AGENTS) {
      Sidecar sidecar = Sidecar.newBuilder().setAgent(agent).setNode("node").build();
      store.seen(agent, "node", "test", new SidecarDocument(sidecar, true).encode());
    }
    for (QuestionRow row : store.take(AGENTS, "test", 100, Duration.ofSeconds(1))) {
      try {
        Question question = Question.parseFrom(row.document());
        boolean applies =
            Minds.applies(
                question.getWitness().getTerm(), question.getWitness().getEvent().getPei());
        store.answer(
            row.id(),
            Answer.newBuilder()
                .setQuestionId(row.id())
                .setVerdict(applies ? "assent" : "dissent")
                .setForm("plain")
                .setAnswerSha256(ByteString.copyFrom(new byte[32]))
                .build()
                .toByteArray());
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** One replica's part of the work; its ledger storage can be made to fail. */
  private Audits replica(String owner, Store seen, LogStorage storage) throws IOException {
    ControlMetrics metrics = new ControlMetrics("test", owner);
    LedgerWriter port =
        LedgerWriter.open(() -> new LedgerStore.Opened(storage, () -> {}), ledgerKey, metrics);
    LedgerView view = new LedgerView(port);
    view.catchUp();
    return new Audits(
        new AuditContext(
            seen,
            port,
            view,
            coreKey,
            metrics,
            SETTINGS,
            new Wakeups(() -> {}, () -> {}),
            owner,
            owner,
            Duration.ofSeconds(5),
            20));
  }

  /** The store as a replica sees it that dies before or after some call. */
  private Store dying(String method, int occurrence, boolean isAfter, AtomicBoolean isDead) {
    AtomicInteger calls = new AtomicInteger();
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, called, arguments) -> {
              boolean isIt =
                  called.getName().equals(method) && calls.incrementAndGet() == occurrence;
              if (isIt && !isAfter) {
                isDead.set(true);
              }
              if (isDead.get()) {
                throw new StoreException("dead", new IOException("dead"));
              }
              try {
                Object result = called.invoke(store, arguments);
                if (isIt) {
                  isDead.set(true);
                  throw new StoreException("dead", new IOException("dead"));
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @ParameterizedTest
  @CsvSource({
    "plan, 2, true",
    "updateAudit, 1, false",
    "updateAudit, 1, true",
    "ask, 1, false",
    "ask, 2, true",
    "answers, 2, true",
    "forget, 1, false",
    "forget, 2, true",
    "putPendingCore, 1, false",
    "putPendingCore, 1, true",
    "publishCore, 1, false",
    "publishCore, 1, true",
    "updateAudit, 2, false",
    "forgetAudit, 1, false",
  })
  void C7_deathBetweenTwoSteps_isRecoveredFrom(String method, int occurrence, boolean isAfter)
      throws IOException {
    AtomicBoolean isDead = new AtomicBoolean();
    String id;
    try (Audits first = replica("first", dying(method, occurrence, isAfter, isDead), files)) {
      id = begin(first);
      await().atMost(Kit.PATIENCE).until(isDead::get);
    }
    try (Audits second = replica("second", store, files)) {
      assertEndsOnce(second, id);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "2, true", "3, false", "4, true", "last, true"})
  void appendOfUnknownOutcome_isRepeated_andCountsOnce(String which, boolean isAfter)
      throws IOException {
    AtomicInteger commits = new AtomicInteger();
    AtomicBoolean isDone = new AtomicBoolean();
    LogStorage failing =
        new LogStorage() {
          @Override
          public Optional<byte[]> read(String path) throws IOException {
            return files.read(path);
          }

          @Override
          public Commit commit(
              Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] checkpoint)
              throws IOException {
            boolean isLast = writes.values().stream().anyMatch(CrashTest::hasClosed);
            boolean isIt =
                which.equals("last")
                    ? isLast
                    : commits.incrementAndGet() == Integer.parseInt(which) + 1;
            if (isIt && isDone.compareAndSet(false, true)) {
              if (isAfter) {
                files.commit(expected, writes, checkpoint);
              }
              throw new IOException("the outcome is unknown");
            }
            return files.commit(expected, writes, checkpoint);
          }
        };
    try (Audits replica = replica("one", store, failing)) {
      assertEndsOnce(replica, begin(replica));
      assertThat(isDone).isTrue();
    }
  }

  private static boolean hasClosed(byte[] bytes) {
    return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1)
        .contains("\"type\":\"closed\"");
  }

  private String begin(Audits audits) {
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> Attendance.present(store, Duration.ofSeconds(5)).containsAll(AGENTS));
    Result<AuditRow> attempt = audits.start("p", Optional.of(Entry.Kind.CERTIFY), List.of());
    assertThat(attempt).isInstanceOf(Result.Done.class);
    return ((Result.Done<AuditRow>) attempt).value().id();
  }

  private void assertEndsOnce(Audits audits, String id) throws IOException {
    Audit ended =
        await()
            .atMost(Kit.PATIENCE)
            .until(
                () -> AuditRows.shown(((Result.Done<AuditRow>) audits.get(id)).value()),
                audit ->
                    audit.getState() == AuditState.AUDIT_STATE_COMPLETED
                        || audit.getState() == AuditState.AUDIT_STATE_ABANDONED);
    assertThat(ended.getState()).as(ended.toString()).isEqualTo(AuditState.AUDIT_STATE_COMPLETED);
    assertThat(ended.getResultsCount()).isEqualTo(2);
    assertThat(store.cores()).singleElement().matches(core -> core.version() == 1);
    assertThat(store.pendingCore(id)).isEmpty();
    RecomputationReport report =
        Recomputation.of(
            new dev.parlance.ledger.log.LogReader(files, ledgerKey.verifier()).head().orElseThrow(),
            System.currentTimeMillis());
    assertThat(report.agrees()).as(report.format()).isTrue();
    assertThat(report.tests()).isEqualTo(QUESTIONS);
    assertThat(report.audits()).isEqualTo(1);
    assertThat(report.cores()).isEqualTo(1);
    assertThat(report.unfinished()).isEmpty();
  }
}
