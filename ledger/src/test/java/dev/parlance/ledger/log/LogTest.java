package dev.parlance.ledger.log;

import static dev.parlance.ledger.log.LogFixture.KEY;
import static dev.parlance.ledger.log.LogFixture.append;
import static dev.parlance.ledger.log.LogFixture.appended;
import static dev.parlance.ledger.log.LogFixture.entries;
import static dev.parlance.ledger.log.LogFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.log.Log.LogOptions;
import dev.parlance.ledger.note.Checkpoint;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LogTest {
  private static final int MAX_ENTRY = 0xffff;

  @Test
  void randomBatches_giveTheTreeOfAllTheirEntries_andEveryProofHolds() throws Exception {
    Random random = new Random(1);
    List<byte[]> all = new ArrayList<>();
    List<SignedCheckpoint> heads = new ArrayList<>();
    MemoryStorage storage = new MemoryStorage();
    try (Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      assertThat(log.head().checkpoint().root()).isEqualTo(Hashing.EMPTY_ROOT);
      while (all.size() < 1500) {
        List<byte[]> batch = entries(random, 1 + random.nextInt(random.nextBoolean() ? 5 : 400));
        AppendResult.Appended appended = appended(log, batch);
        assertThat(appended.firstIndex()).isEqualTo(all.size());
        all.addAll(batch);
        assertThat(appended.treeSize()).isEqualTo(all.size());
        heads.add(appended.checkpoint());
      }
    }
    CompactRange naive = CompactRange.empty();
    all.forEach(entry -> naive.append(Hashing.leaf(entry), (level, index, hash) -> {}));
    LogView view = new LogReader(storage, KEY.verifier()).head().orElseThrow();
    Hash root = view.checkpoint().checkpoint().root();
    assertThat(root).isEqualTo(naive.root());
    List<byte[]> read = new ArrayList<>();
    view.forEach(
        0,
        view.size(),
        (index, entry) -> {
          assertThat(index).isEqualTo(read.size());
          read.add(entry);
        });
    assertThat(read).usingElementComparator(Arrays::compare).isEqualTo(all);
    assertThat(view.entry(700)).isEqualTo(all.get(700));
    for (int index = 0; index < all.size(); index += 37) {
      assertThat(view.inclusion(index).verifies(Hashing.leaf(all.get(index)), root)).isTrue();
    }
    for (SignedCheckpoint head : heads) {
      assertThat(
              view.consistency(head.size(), view.size()).verifies(head.checkpoint().root(), root))
          .isTrue();
    }
  }

  @Test
  void reopenedLog_goesOnWhereItEnded() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    Random random = new Random(2);
    CompactRange naive = CompactRange.empty();
    for (int round = 0; round < 40; round++) {
      try (Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
        List<byte[]> batch = entries(random, 1 + random.nextInt(40));
        batch.forEach(entry -> naive.append(Hashing.leaf(entry), (level, index, hash) -> {}));
        assertThat(appended(log, batch).checkpoint().checkpoint().root()).isEqualTo(naive.root());
      }
    }
  }

  @Test
  void tooLargeEntriesAndBatches_areRefusedByCode_andNothingIsLogged() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    try (Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      assertThat(refused(append(log, List.of(new byte[MAX_ENTRY + 1]))))
          .isEqualTo(LedgerFault.ENTRY_TOO_LARGE);
      assertThat(refused(append(log, entries(new Random(3), 4097))))
          .isEqualTo(LedgerFault.BATCH_TOO_LARGE);
      assertThat(log.head().size()).isZero();
      byte[] largest = new byte[MAX_ENTRY];
      appended(log, List.of(largest));
      assertThat(log.reader().head().orElseThrow().entry(0)).isEqualTo(largest);
    }
  }

  @Test
  void fullQueue_isRefusedByCode_andWhatWaitedIsCommittedAsOneBatch() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger commits = new AtomicInteger();
    MemoryStorage storage =
        new MemoryStorage() {
          @Override
          public Commit commit(
              Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] next)
              throws IOException {
            if (commits.getAndIncrement() == 1) {
              entered.countDown();
              try {
                assertThat(release.await(30, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
            }
            return super.commit(expected, writes, next);
          }
        };
    LogOptions options = new LogOptions(100, MAX_ENTRY, 3, MAX_ENTRY, 0, 10_000);
    try (Log log = Log.open(storage, KEY, options)) {
      byte[] entry = {1};
      var first = log.append(List.of(entry));
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
      var waiting =
          List.of(
              log.append(List.of(entry)), log.append(List.of(entry)), log.append(List.of(entry)));
      assertThat(refused(append(log, List.of(entry)))).isEqualTo(LedgerFault.QUEUE_FULL);
      release.countDown();
      assertThat(first.toCompletableFuture().get(30, TimeUnit.SECONDS))
          .isInstanceOf(AppendResult.Appended.class);
      for (var append : waiting) {
        assertThat(append.toCompletableFuture().get(30, TimeUnit.SECONDS))
            .isInstanceOfSatisfying(
                AppendResult.Appended.class,
                appended -> assertThat(appended.treeSize()).isEqualTo(4));
      }
    }
    assertThat(commits).hasValue(3);
  }

  @Test
  void closedLog_refuses_afterCommittingWhatWaited() throws Exception {
    Log log = Log.open(new MemoryStorage(), KEY, LogOptions.DEFAULTS);
    var last = log.append(List.of(new byte[] {1}));
    log.close();
    assertThat(last.toCompletableFuture().get(30, TimeUnit.SECONDS))
        .isInstanceOf(AppendResult.Appended.class);
    assertThat(refused(append(log, List.of(new byte[] {2})))).isEqualTo(LedgerFault.CLOSED);
  }

  @Test
  void L6_twoWritersOverOneStorage_bothAppend_andTheChainHolds() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    LogOptions patient = new LogOptions(64, 1 << 20, 1000, 1 << 24, 10_000, 10_000);
    int each = 150;
    try (Log first = Log.open(storage, KEY, patient);
        Log second = Log.open(storage, KEY, patient)) {
      List<CompletableFuture<AppendResult>> results = new ArrayList<>();
      for (int i = 0; i < each; i++) {
        results.add(first.append(List.of(new byte[] {1, (byte) i})).toCompletableFuture());
        results.add(second.append(List.of(new byte[] {2, (byte) i})).toCompletableFuture());
      }
      List<Long> indices = new ArrayList<>();
      for (var result : results) {
        assertThat(result.get(60, TimeUnit.SECONDS))
            .isInstanceOfSatisfying(
                AppendResult.Appended.class, appended -> indices.add(appended.firstIndex()));
      }
      assertThat(indices).doesNotHaveDuplicates().hasSize(2 * each);
    }
    LogView view = new LogReader(storage, KEY.verifier()).head().orElseThrow();
    assertThat(view.size()).isEqualTo(2L * each);
    assertThat(Edge.load(view).root()).isEqualTo(view.checkpoint().checkpoint().root());
  }

  @Test
  void writerThatIsAlwaysLate_isRefusedWithConflict_afterBoundedTries() throws Exception {
    AtomicInteger commits = new AtomicInteger();
    MemoryStorage storage =
        new MemoryStorage() {
          @Override
          public Commit commit(
              Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] next)
              throws IOException {
            return commits.getAndIncrement() == 0
                ? super.commit(expected, writes, next)
                : Commit.CONFLICT;
          }
        };
    LogOptions options = new LogOptions(64, 1 << 20, 10, 1 << 20, 3, 10_000);
    try (Log log = Log.open(storage, KEY, options)) {
      assertThat(refused(append(log, List.of(new byte[] {1})))).isEqualTo(LedgerFault.CONFLICT);
    }
    assertThat(commits).hasValue(1 + 4);
  }

  @Test
  void L5_storageWithAnotherHistory_isAFork_andThisWriterNeverWritesAgain() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    MemoryStorage other = new MemoryStorage();
    try (Log log = Log.open(storage, KEY, LogOptions.DEFAULTS);
        Log fork = Log.open(other, KEY, LogOptions.DEFAULTS)) {
      appended(log, entries(new Random(4), 10));
      appended(fork, entries(new Random(5), 12));
      storage.become(other);
      assertThat(refused(append(log, List.of(new byte[] {1})))).isEqualTo(LedgerFault.FORKED);
      assertThat(refused(append(log, List.of(new byte[] {1})))).isEqualTo(LedgerFault.FORKED);
      assertThat(new LogReader(storage, KEY.verifier()).head().orElseThrow().size()).isEqualTo(12);
    }
  }

  @Test
  void L5_storageRolledBackUnderAWriter_isAFork() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    MemoryStorage backup = new MemoryStorage();
    try (Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      appended(log, entries(new Random(6), 10));
      backup.become(storage);
      appended(log, entries(new Random(7), 10));
      storage.become(backup);
      assertThat(refused(append(log, List.of(new byte[] {1})))).isEqualTo(LedgerFault.FORKED);
    }
  }

  @Test
  void L3_storageThatFailsWithoutSayingWhetherItCommitted_costsOneAcknowledgement()
      throws Exception {
    AtomicInteger commits = new AtomicInteger();
    MemoryStorage storage =
        new MemoryStorage() {
          @Override
          public Commit commit(
              Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] next)
              throws IOException {
            Commit commit = super.commit(expected, writes, next);
            if (commits.getAndIncrement() == 2) {
              throw new IOException("the connection went away after the commit");
            }
            return commit;
          }
        };
    try (Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      appended(log, List.of(new byte[] {1}));
      assertThat(refused(append(log, List.of(new byte[] {2})))).isEqualTo(LedgerFault.UNAVAILABLE);
      AppendResult.Appended third = appended(log, List.of(new byte[] {3}));
      assertThat(third.firstIndex()).isEqualTo(2);
      assertThat(log.reader().head().orElseThrow().entry(1)).containsExactly(2);
    }
  }

  @Test
  void L8_inclusionProofAmongTenMillionEntries_readsAFewTiles() throws Exception {
    long size = 10_000_019;
    Hash leaf = Hashing.leaf(new byte[0]);
    CountingTwins storage = new CountingTwins(leaf);
    Hash root = CompactRange.load(size, (level, index) -> storage.perfect(level)).root();
    SignedCheckpoint head = SignedCheckpoint.sign(new Checkpoint(KEY.name(), size, root), KEY);
    LogReader reader = new LogReader(storage, KEY.verifier());
    LogView view = reader.at(head);
    for (long index : new long[] {0, 255, 256, 5_000_000, size - 1}) {
      storage.reads.set(0);
      assertThat(view.inclusion(index).verifies(leaf, root)).isTrue();
      assertThat(storage.reads.get()).isLessThanOrEqualTo(8);
    }
  }

  /** A log of any size whose entries are all the same, so that every full tile of a level is. */
  private static final class CountingTwins implements LogStorage {
    private final List<Hash> perfect = new ArrayList<>();
    private final AtomicInteger reads = new AtomicInteger();

    CountingTwins(Hash leaf) {
      perfect.add(leaf);
      for (int level = 1; level < 64; level++) {
        perfect.add(Hashing.node(perfect.getLast(), perfect.getLast()));
      }
    }

    Hash perfect(int level) {
      return perfect.get(level);
    }

    @Override
    public Optional<byte[]> read(String path) {
      reads.incrementAndGet();
      String[] parts = path.split("/", -1);
      int level = Integer.parseInt(parts[1]);
      int width = path.contains(".p/") ? Integer.parseInt(parts[parts.length - 1]) : Tiles.WIDTH;
      Hash hash = perfect(level * Tiles.HEIGHT);
      return Optional.of(Tiles.encode(Collections.nCopies(width, hash)));
    }

    @Override
    public Commit commit(
        Optional<byte[]> expected, SequencedMap<String, byte[]> writes, byte[] next) {
      throw new AssertionError("only read");
    }
  }

  @Test
  void brokenChain_isNeverExtended() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    try (Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      appended(log, entries(new Random(8), 300));
    }
    for (String path : List.of("tile/0/001.p/44", "tile/1/000.p/1", "tile/entries/001.p/44")) {
      MemoryStorage damaged = new MemoryStorage();
      damaged.become(storage);
      byte[] bytes = damaged.read(path).orElseThrow();
      bytes[bytes.length - 1] ^= 1;
      byte[] head = damaged.read(LogStorage.CHECKPOINT).orElseThrow();
      SequencedMap<String, byte[]> damage = new LinkedHashMap<>();
      damage.put(path, bytes);
      damaged.commit(Optional.of(head), damage, head);
      assertThatThrownBy(() -> Log.open(damaged, KEY, LogOptions.DEFAULTS))
          .isInstanceOfSatisfying(
              LedgerUnavailable.class,
              e -> assertThat(e.fault()).isEqualTo(LedgerFault.CHAIN_BROKEN));
    }
    assertThatThrownBy(() -> Log.open(storage, LogFixture.key(8), LogOptions.DEFAULTS))
        .isInstanceOfSatisfying(
            LedgerUnavailable.class,
            e -> assertThat(e.fault()).isEqualTo(LedgerFault.CHECKPOINT_INVALID));
  }

  @Test
  void checkpointThatWasGoodBefore_isCheckedAgainOnceItHasOtherBytes() throws Exception {
    MemoryStorage storage = new MemoryStorage();
    try (Log log = Log.open(storage, KEY, LogOptions.DEFAULTS)) {
      appended(log, entries(new Random(9), 10));
      assertThat(log.reader().head().orElseThrow().size()).isEqualTo(10);
      byte[] good = storage.read(LogStorage.CHECKPOINT).orElseThrow();
      byte[] bad = good.clone();
      bad[bad.length - 8] ^= 1; // in the signature
      storage.commit(Optional.of(good), new LinkedHashMap<>(), bad);
      assertThatThrownBy(() -> log.reader().head())
          .isInstanceOfSatisfying(
              LedgerUnavailable.class,
              e -> assertThat(e.fault()).isEqualTo(LedgerFault.CHECKPOINT_INVALID));
      storage.commit(Optional.of(bad), new LinkedHashMap<>(), good);
      appended(log, entries(new Random(10), 5));
      assertThat(log.reader().head().orElseThrow().size()).isEqualTo(15);
    }
  }
}
