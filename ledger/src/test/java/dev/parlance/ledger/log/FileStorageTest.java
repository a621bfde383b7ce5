package dev.parlance.ledger.log;

import static dev.parlance.ledger.log.LogFixture.KEY;
import static dev.parlance.ledger.log.LogFixture.append;
import static dev.parlance.ledger.log.LogFixture.appended;
import static dev.parlance.ledger.log.LogFixture.entries;
import static dev.parlance.ledger.log.LogFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.LedgerFiles.FileOps;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.verify.LedgerVerifier;
import dev.parlance.ledger.verify.VerifyReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileStorageTest {
  @TempDir Path directory;

  /** Which call fails, counted from the moment it is armed. */
  private enum Trouble {
    FSYNC,
    SHORT_WRITE,
    RENAME
  }

  /** Fails one call and is well again after it. */
  private static final class FailingOnce implements FileOps {
    private final Trouble trouble;
    private int left = -1;

    FailingOnce(Trouble trouble) {
      this.trouble = trouble;
    }

    synchronized void arm(int call) {
      left = call;
    }

    synchronized boolean fired() {
      return left == -1;
    }

    private synchronized boolean now(Trouble kind) {
      if (kind != trouble || left < 0) {
        return false;
      }
      left--;
      return left == -1;
    }

    @Override
    public int write(FileChannel channel, ByteBuffer bytes) throws IOException {
      if (now(Trouble.SHORT_WRITE)) {
        ByteBuffer half = bytes.slice(bytes.position(), bytes.remaining() / 2);
        FileOps.REAL.write(channel, half);
        throw new IOException("No space left on device");
      }
      return FileOps.REAL.write(channel, bytes);
    }

    @Override
    public void force(FileChannel channel) throws IOException {
      failNow();
      FileOps.REAL.force(channel);
    }

    @Override
    public void forceData(FileChannel channel) throws IOException {
      failNow();
      FileOps.REAL.forceData(channel);
    }

    private void failNow() throws IOException {
      if (now(Trouble.FSYNC)) {
        throw new IOException("Input/output error");
      }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      if (now(Trouble.RENAME)) {
        throw new IOException("Read-only file system");
      }
      FileOps.REAL.rename(from, to);
    }
  }

  /**
   * Counts the records that commits wait for; once it holds, it writes half of a bundle and no more
   * before it is told to.
   */
  private static final class SlowFiles implements FileOps {
    private final AtomicInteger records = new AtomicInteger();
    private final CountDownLatch halfWritten = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean holds;

    @Override
    public void forceData(FileChannel channel) throws IOException {
      FileOps.REAL.forceData(channel);
      records.incrementAndGet();
    }

    @Override
    public void write(Path file, byte[] content) throws IOException {
      if (holds && file.toString().contains("entries")) {
        FileOps.REAL.write(file, Arrays.copyOf(content, content.length / 2));
        halfWritten.countDown();
        try {
          assertThat(released.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      FileOps.REAL.write(file, content);
    }
  }

  private FileStorage open() throws IOException {
    return FileStorage.open(directory, KEY.verifier());
  }

  private VerifyReport verify() throws IOException {
    return LedgerVerifier.verify(directory, KEY.verifier(), List.of(), Optional.empty());
  }

  private void fill(int... batches) throws Exception {
    try (FileStorage storage = open();
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      for (int batch : batches) {
        appended(log, entries(new Random(batch), batch));
      }
    }
  }

  @Test
  void L3_L4_anyFailedCall_refusesTheBatch_andEveryLaterOne_andTheNextOpeningFindsASoundLog()
      throws Exception {
    for (Trouble trouble : Trouble.values()) {
      long acknowledged = 0;
      boolean fired = true;
      for (int call = 0; fired; call++) {
        FailingOnce ops = new FailingOnce(trouble);
        try (FileStorage storage = FileStorage.open(sub(trouble), KEY.verifier(), ops);
            Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
          // The head may have moved without an acknowledgement, never back.
          assertThat(log.head().size()).isGreaterThanOrEqualTo(acknowledged);
          acknowledged = appended(log, entries(new Random(call), 140)).treeSize();
          ops.arm(call);
          AppendResult result = append(log, entries(new Random(call), 140));
          if (result instanceof AppendResult.Appended later) {
            acknowledged = later.treeSize(); // the files are synced later
          } else {
            assertThat(ops.fired()).isTrue();
            assertThat(refused(result)).isEqualTo(LedgerFault.UNAVAILABLE);
            assertThat(refused(append(log, List.of(new byte[] {1}))))
                .isEqualTo(LedgerFault.UNAVAILABLE);
            assertThatThrownBy(() ->
                    storage.commit(
                        storage.read(LogStorage.CHECKPOINT), new LinkedHashMap<>(), new byte[1]))
                .isInstanceOf(LedgerUnavailable.class);
          }
        } catch (IOException closing) {
          assertThat(ops.fired()).as(closing.toString()).isTrue();
        }
        fired = ops.fired();
        try (FileStorage next = FileStorage.open(sub(trouble), KEY.verifier())) {
          assertThat(next.read(LogStorage.CHECKPOINT)).isPresent();
        }
        VerifyReport report =
            LedgerVerifier.verify(sub(trouble), KEY.verifier(), List.of(), Optional.empty());
        assertThat(report.findings()).as("%s at call %d", trouble, call).isEmpty();
        assertThat(report.size().orElseThrow()).isGreaterThanOrEqualTo(acknowledged);
      }
      assertThat(acknowledged).isGreaterThan(140);
    }
  }

  @Test
  void aCommit_waitsForTheDiskOnce_andNotForItsFiles_howeverManyItHas() throws Exception {
    SlowFiles ops = new SlowFiles();
    try (FileStorage storage = FileStorage.open(directory, KEY.verifier(), ops);
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      ops.holds = true;
      ops.records.set(0);
      int commits = 0;
      for (int size : new int[] {1, 1, 300, 2_000}) {
        appended(log, entries(new Random(size), size));
        commits++;
        assertThat(ops.records).as("%d entries", size).hasValue(commits);
        // Whoever reads the log sees what was acknowledged, in its directory there is a log.
        LogView view = log.reader().head().orElseThrow();
        assertThat(view.size()).isEqualTo(log.head().size());
        view.forEach(0, view.size(), (_, _) -> {});
        assertThat(verify().findings()).isEmpty();
        assertThat(verify().size().orElseThrow()).isLessThanOrEqualTo(view.size());
      }
      ops.released.countDown();
    }
    assertThat(directory.resolve(CommitJournal.FILE)).doesNotExist();
    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void aHead_canBeReadWhileItsFilesAreWritten_andIfItNeverHasFilesOfItsOwn() throws Exception {
    SlowFiles ops = new SlowFiles();
    List<byte[]> all = entries(new Random(7), 300);
    List<LogView> heads = new ArrayList<>();
    FileStorage storage = FileStorage.open(directory, KEY.verifier(), ops);
    try (storage;
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      ops.holds = true;
      appended(log, all.subList(0, 2));
      heads.add(log.reader().head().orElseThrow());
      assertThat(ops.halfWritten.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(directory.resolve("tile/entries/000.p/2")).exists();
      for (int to : new int[] {5, 9, 250, 300}) {
        int from = (int) log.head().size();
        appended(log, all.subList(from, to));
        heads.add(log.reader().head().orElseThrow());
        assertSame(heads, all);
      }
      ops.released.countDown();
      // What came while files were written gets its own a moment later.
      byte[] last = log.head().bytes();
      for (int i = 0; i < 1_200 && !Arrays.equals(last, checkpoint()); i++) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      assertThat(checkpoint()).isEqualTo(last);
    }
    for (int width : new int[] {5, 9, 250}) {
      assertThat(directory.resolve("tile/entries/000.p/" + width)).doesNotExist();
    }
    assertSame(heads, all);
    // Of what nobody has signed there is nothing.
    assertThat(storage.read("tile/entries/001.p/45")).isEmpty();
    assertThat(storage.read("tile/0/001.p/45")).isEmpty();
    assertThat(storage.read("tile/0/001")).isEmpty();
  }

  private byte[] checkpoint() throws IOException {
    return Files.readAllBytes(directory.resolve("checkpoint"));
  }

  /** Each head has the entries that it states, and their proofs hold. */
  private static void assertSame(List<LogView> heads, List<byte[]> entries) throws IOException {
    for (LogView head : heads) {
      List<byte[]> found = new ArrayList<>();
      head.forEach(0, head.size(), (_, entry) -> found.add(entry));
      assertThat(found).hasSize((int) head.size());
      for (int i = 0; i < found.size(); i++) {
        assertThat(found.get(i)).isEqualTo(entries.get(i));
      }
      assertThat(
              head.inclusion(head.size() - 1)
                  .verifies(Hashing.leaf(found.getLast()), head.checkpoint().checkpoint().root()))
          .isTrue();
    }
  }

  @Test
  void aJournalThatTurnsAllTheTime_waitsForItsFiles_andNeverForItself() throws Exception {
    int half = 2 * CommitJournal.BLOCK;
    try (FileStorage storage = FileStorage.open(directory, KEY.verifier(), FileOps.REAL, half);
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      for (int i = 0; i < 600; i++) {
        appended(log, entries(new Random(i), 1));
      }
      LogView view = log.reader().head().orElseThrow();
      assertThat(view.size()).isEqualTo(600);
      view.forEach(0, view.size(), (_, _) -> {});
    }
    assertThat(verify().findings()).isEmpty();
    assertThat(verify().size()).contains(600L);
  }

  @Test
  void aSyncThatFailsAfterItsCommit_endsTheNextOne_andNothingIsLost() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    FileOps ops =
        new FileOps() {
          @Override
          public void forceAll(Collection<Path> paths, Executor executor) throws IOException {
            if (fails.get()) {
              throw new IOException("Input/output error");
            }
            FileOps.REAL.forceAll(paths, executor);
          }
        };
    try (FileStorage storage = FileStorage.open(directory, KEY.verifier(), ops);
        Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      fails.set(true);
      appended(log, entries(new Random(1), 5));
      AppendResult last = append(log, entries(new Random(2), 1));
      for (int i = 0; i < 1_200 && last instanceof AppendResult.Appended; i++) {
        TimeUnit.MILLISECONDS.sleep(50); // until the sync has been tried
        last = append(log, entries(new Random(2), 1));
      }
      assertThat(refused(last)).isEqualTo(LedgerFault.UNAVAILABLE);
    }
    assertThat(directory.resolve(CommitJournal.FILE)).exists();
    assertThat(verify().findings()).isEmpty();
    fill(3);
    assertThat(verify().size().orElseThrow()).isGreaterThanOrEqualTo(8);
    assertThat(directory.resolve(CommitJournal.FILE)).doesNotExist();
  }

  private Path sub(Trouble trouble) {
    return directory.resolve(trouble.name());
  }

  @Test
  void tornTail_isRemovedByTheNextWriter_andIsNoFindingBefore() throws Exception {
    fill(10, 300);
    Path torn = directory.resolve("tile/entries/001.p/60");
    Files.write(torn, new byte[] {0, 9, 1});
    Files.write(directory.resolve("tile/0/001.p/60"), new byte[7]);
    Files.write(directory.resolve("tmp/next"), new byte[100]);
    assertThat(verify().findings()).isEmpty();
    assertThat(verify().beyondCheckpoint())
        .containsExactly("tile/0/001.p/60", "tile/entries/001.p/60", "tmp/next");
    fill(5);
    assertThat(torn).doesNotExist();
    assertThat(verify().findings()).isEmpty();
    assertThat(verify().beyondCheckpoint()).isEmpty();
    assertThat(verify().size()).contains(315L);
  }

  @Test
  void partialFiles_goWhenTheFullOneIsThere_andAnEarlierHeadCanStillBeRead() throws Exception {
    fill(10, 100);
    LogReader reader = new LogReader(FileStorage.readOnly(directory), KEY.verifier());
    LogView early = reader.head().orElseThrow();
    byte[] entry = early.entry(109);
    fill(300);
    assertThat(directory.resolve("tile/entries/000.p")).doesNotExist();
    assertThat(directory.resolve("tile/0/000.p")).doesNotExist();
    assertThat(early.entry(109)).isEqualTo(entry);
    assertThat(reader.head().orElseThrow().size()).isEqualTo(410);
    assertThat(
            reader
                .head()
                .orElseThrow()
                .consistency(110, 410)
                .verifies(
                    early.checkpoint().checkpoint().root(),
                    reader.head().orElseThrow().checkpoint().checkpoint().root()))
        .isTrue();
  }

  @Test
  void L6_secondWriter_isRefused_untilTheFirstCloses() throws Exception {
    FileStorage first = open();
    assertThat(fault(this::open)).isEqualTo(LedgerFault.LOCKED);
    first.close();
    open().close();
  }

  @Test
  void readOnlyStorage_refusesToCommit() {
    assertThat(
            fault(() ->
                FileStorage.readOnly(directory)
                    .commit(Optional.empty(), new LinkedHashMap<>(), new byte[1])))
        .isEqualTo(LedgerFault.READ_ONLY);
  }

  @Test
  void L5_olderCheckpointBesideNewerFiles_isRefused() throws Exception {
    fill(10);
    byte[] older = Files.readAllBytes(directory.resolve("checkpoint"));
    fill(3);
    fill(4);
    Files.write(directory.resolve("checkpoint"), older);
    assertThat(fault(this::open)).isEqualTo(LedgerFault.ROLLED_BACK);
  }

  @Test
  void lostOrForeignCheckpoint_andForeignKey_areRefused_andNothingIsDeleted() throws Exception {
    fill(10);
    Path checkpoint = directory.resolve("checkpoint");
    byte[] bytes = Files.readAllBytes(checkpoint);
    Files.delete(checkpoint);
    assertThat(fault(this::open)).isEqualTo(LedgerFault.CHAIN_BROKEN);
    byte[] flipped = bytes.clone();
    flipped[20] ^= 1;
    Files.write(checkpoint, flipped);
    assertThat(fault(this::open)).isEqualTo(LedgerFault.CHECKPOINT_INVALID);
    Files.write(checkpoint, bytes);
    Path key = directory.resolve("log.vkey");
    Files.writeString(key, LogFixture.key(9).verifier().format() + "\n");
    assertThat(fault(this::open)).isEqualTo(LedgerFault.KEY_MISMATCH);
    Files.writeString(key, KEY.verifier().format() + "\n");
    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void publishedTile_neverGetsOtherBytes() throws Exception {
    fill(10);
    try (FileStorage storage = open()) {
      Optional<byte[]> head = storage.read(LogStorage.CHECKPOINT);
      LinkedHashMap<String, byte[]> writes = new LinkedHashMap<>();
      writes.put("tile/0/000.p/10", new byte[320]);
      assertThat(fault(() -> storage.commit(head, writes, head.orElseThrow())))
          .isEqualTo(LedgerFault.CHAIN_BROKEN);
    }
    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void pathsOutsideOfTheFormat_readNothing() throws Exception {
    fill(10);
    Files.writeString(directory.resolve("secret"), "secret");
    try (FileStorage storage = open()) {
      for (String path :
          List.of(
              "secret", "../x", "tile/../secret", "log.vkey", "/checkpoint", "tile/0/000.p/010")) {
        assertThat(storage.read(path)).as(path).isEmpty();
      }
      assertThat(storage.read("tile/0/000.p/10")).isPresent();
    }
  }

  private interface Action {
    Object run() throws Exception;
  }

  private static LedgerFault fault(Action action) {
    try {
      Object result = action.run();
      throw new AssertionError("was taken: " + result);
    } catch (LedgerUnavailable e) {
      return e.fault();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
