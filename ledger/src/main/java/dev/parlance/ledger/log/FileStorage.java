package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.LedgerFiles.FileOps;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tile.EntryBundles;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.Hash;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A log in a directory, in the layout of tlog-tiles, so that the directory can be served or copied
 * as it is.
 *
 * <pre>
 * checkpoint            signed head; replaced last, by rename
 * tile/...              hash tiles and entry bundles; a name never gets other bytes
 * log.vkey              the verifier key, for convenience: a verifier takes it from elsewhere
 * log.lock              locked by the one writer
 * log.journal           last commits, while a writer is open or after it was killed
 * tmp/                  what is not yet renamed; emptied when a writer opens
 * </pre>
 *
 * <p>A commit waits for the disk once: for its record in the {@link CommitJournal}. Whoever reads
 * this object sees all of it before it is acknowledged. The files follow a moment later, those of
 * all commits that came meanwhile together, and always before a record in the journal is written
 * over: first the tiles under their names, which nobody reads before a checkpoint states their
 * size, then the checkpoint in the place of the one before. So the directory is a log at any
 * moment, of what a loss of power could not take back. A writer that opens the directory first
 * brings the files to the last commit of the journal, and then removes what lies beyond the
 * checkpoint; one that is closed leaves no journal. A commit that is too large for the journal
 * waits twice: for its files, then for the checkpoint.
 *
 * <p>After one failed write or sync this object commits nothing more: the kernel may have dropped
 * what it could not write and call the next sync a success.
 */
public final class FileStorage implements LogStorage, AutoCloseable {
  private static final String KEY_FILE = "log.vkey";
  private static final String LOCK_FILE = "log.lock";

  /** Files that are synced at the same time: a flush has some six, rarely more. */
  private static final int SYNC_THREADS = 6;

  private static final long IDLE_S = 10;

  /**
   * How long commits wait for their files to be written together, in milliseconds: a round has
   * several, and each one makes another partial bundle and tile.
   */
  private static final long FLUSH_AFTER_MS = 100;

  private final Path directory;
  private final LogFolder folder;
  private final FileOps ops;
  private final @Nullable FileChannel lock;
  private final ExecutorService syncs;

  /** Its one thread waits for those that sync, and so is none of them. */
  private final ExecutorService flushes;

  private final FlushBacklog backlog;
  private final int journalHalfBytes;
  private long committedSize;
  private @Nullable CommitJournal journal;
  private @Nullable LedgerUnavailable broken;

  private FileStorage(
      Path directory, FileOps ops, @Nullable FileChannel lock, int journalHalfBytes) {
    this.directory = directory;
    this.folder = new LogFolder(directory, ops);
    this.ops = ops;
    this.lock = lock;
    this.journalHalfBytes = journalHalfBytes;
    this.syncs = threads("ledger-sync-", SYNC_THREADS);
    this.flushes = threads("ledger-flush-", 1);
    this.backlog = new FlushBacklog(folder, ops, syncs);
  }

  /** Threads that end by themselves when there is nothing to wait for. */
  private static ExecutorService threads(String name, int most) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_S,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon(true).name(name, 0).factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * Opens a directory for writing, makes it where it is not there, and removes what a crash left
   * beyond the checkpoint.
   *
   * @param key key of the log; a directory of another key is refused
   * @throws LedgerUnavailable locked, of another key, rolled back, or its checkpoint is not signed
   */
  public static FileStorage open(Path directory, VerifierKey key) throws IOException {
    return open(directory, key, FileOps.REAL);
  }

  static FileStorage open(Path directory, VerifierKey key, FileOps ops) throws IOException {
    return open(directory, key, ops, CommitJournal.DEFAULT_HALF_BYTES);
  }

  /** The same with a journal of another size. */
  static FileStorage open(Path directory, VerifierKey key, FileOps ops, int journalHalfBytes)
      throws IOException {
    Path absolute = directory.toAbsolutePath();
    if (!Files.isDirectory(absolute)) {
      Files.createDirectories(absolute);
      ops.forceAt(LedgerFiles.parent(absolute));
    }
    FileChannel lock = lock(absolute);
    FileStorage storage = new FileStorage(absolute, ops, lock, journalHalfBytes);
    boolean opened = false;
    try {
      storage.committedSize = new LogRecovery(absolute, key, ops, storage.syncs).run();
      storage.backlog.restart(storage.committedSize);
      storage.keepKey(key);
      storage.journal = storage.makeJournal();
      opened = true;
      return storage;
    } finally {
      if (!opened) {
        storage.syncs.shutdown();
        storage.flushes.shutdown();
        lock.close();
      }
    }
  }

  private CommitJournal makeJournal() throws IOException {
    return CommitJournal.create(directory, folder.temporary("journal"), ops, journalHalfBytes);
  }

  /** Opens a directory for reading beside its writer, which need not run. */
  public static FileStorage readOnly(Path directory) {
    return new FileStorage(
        directory.toAbsolutePath(), FileOps.REAL, null, CommitJournal.DEFAULT_HALF_BYTES);
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock held = null;
    try {
      held = channel.tryLock();
    } catch (OverlappingFileLockException sameProcess) {
      throw new LedgerUnavailable(
          LedgerFault.LOCKED, directory + " is written by this process", sameProcess);
    } finally {
      if (held == null) {
        channel.close();
      }
    }
    if (held == null) {
      throw new LedgerUnavailable(LedgerFault.LOCKED, directory + " has another writer");
    }
    return channel;
  }

  private void keepKey(VerifierKey key) throws IOException {
    Path file = directory.resolve(KEY_FILE);
    Optional<byte[]> stored = folder.read(KEY_FILE, 4096);
    if (stored.isEmpty()) {
      Path next = folder.temporary("key");
      ops.write(next, (key.format() + "\n").getBytes(StandardCharsets.UTF_8));
      ops.forceAt(next);
      ops.rename(next, file);
      ops.forceAt(directory);
    } else if (!new String(stored.get(), StandardCharsets.UTF_8).strip().equals(key.format())) {
      throw new LedgerUnavailable(
          LedgerFault.KEY_MISMATCH, file + " is not the key " + key.format());
    }
  }

  @Override
  public Optional<byte[]> read(String path) throws IOException {
    Optional<TlogPath> parsed = TlogPath.parse(path);
    if (parsed.isEmpty()) {
      return Optional.empty();
    }
    return switch (parsed.get()) {
      case TlogPath.Head _ -> backlog.checkpoint();
      case TlogPath.HashTile tile -> backlog.part(tile, Tiles.WIDTH * Hash.BYTES);
      case TlogPath.EntryBundle bundle -> backlog.part(bundle, EntryBundles.MAX_BUNDLE_BYTES);
    };
  }

  @Override
  public boolean isExclusive() {
    return lock != null;
  }

  @Override
  public synchronized Commit commit(
      Optional<byte[]> expectedCheckpoint,
      SequencedMap<String, byte[]> writes,
      byte[] newCheckpoint)
      throws IOException {
    if (lock == null) {
      throw new LedgerUnavailable(LedgerFault.READ_ONLY, directory + " is open for reading");
    }
    if (broken != null) {
      throw new LedgerUnavailable(LedgerFault.UNAVAILABLE, "an earlier write failed", broken);
    }
    boolean committed = false;
    try {
      if (backlog.failure().isPresent()) {
        throw backlog.failure().get();
      }
      Optional<byte[]> stored = read(CHECKPOINT);
      if (!sameBytes(stored, expectedCheckpoint)) {
        committed = true;
        return Commit.CONFLICT;
      }
      SequencedMap<String, byte[]> added = withoutPublished(writes);
      int recordBytes = CommitJournal.recordBytes(added, newCheckpoint);
      if (journal == null) {
        journal = makeJournal();
      }
      if (journal.fits(recordBytes)) {
        commitByJournal(journal, recordBytes, added, newCheckpoint);
      } else {
        commitByFiles(added, newCheckpoint);
      }
      committed = true;
    } catch (LedgerUnavailable e) {
      broken = e;
      throw e;
    } catch (IOException e) {
      broken = new LedgerUnavailable(LedgerFault.UNAVAILABLE, directory + ": " + e.getMessage(), e);
      throw broken;
    } finally {
      if (!committed && broken == null) {
        broken = new LedgerUnavailable(LedgerFault.UNAVAILABLE, "a commit ended half way");
      }
    }
    return Commit.COMMITTED;
  }

  /** Durable with its record in the journal; the files follow. */
  private void commitByJournal(
      CommitJournal open,
      int recordBytes,
      SequencedMap<String, byte[]> writes,
      byte[] newCheckpoint)
      throws IOException {
    backlog.flush(open.replaced(recordBytes));
    boolean isTurning = !open.hasRoom(recordBytes);
    long size = CommitJournal.sizeOf(newCheckpoint);
    long sequence = open.append(backlog.flushed(), committedSize, writes, newCheckpoint);
    boolean isFirst = backlog.add(sequence, size, writes, newCheckpoint);
    committedSize = size;
    if (size == 0) {
      backlog.flush(sequence); // whoever looks for a log looks for its checkpoint
    } else if (isTurning) {
      flushes.execute(() -> flushLater(sequence)); // before the full half is written over
    } else if (isFirst) {
      CompletableFuture.delayedExecutor(FLUSH_AFTER_MS, TimeUnit.MILLISECONDS, flushes)
          .execute(() -> flushLater(sequence));
    }
  }

  /** A failure is kept by the backlog, and ends the next commit. */
  private void flushLater(long sequence) {
    try {
      backlog.flush(sequence);
    } catch (IOException kept) {
      assert backlog.failure().isPresent();
    }
  }

  /** Without the journal, which goes first: what it has must not be put into later files. */
  private void commitByFiles(SequencedMap<String, byte[]> writes, byte[] newCheckpoint)
      throws IOException {
    dropJournal();
    Set<Path> changed = writeResources(writes);
    folder.writeNext(newCheckpoint);
    changed.add(folder.next());
    ops.forceAll(changed, syncs);
    folder.renameNext();
    ops.forceAt(directory);
    LedgerFiles.deletePartials(directory, writes.keySet(), ops);
    committedSize = CommitJournal.sizeOf(newCheckpoint);
    backlog.restart(committedSize);
  }

  /** Makes durable what waits, after which the journal has nothing to say. */
  private void dropJournal() throws IOException {
    if (journal != null) {
      backlog.flush(Long.MAX_VALUE);
      journal.close();
      journal = null;
      ops.delete(directory.resolve(CommitJournal.FILE));
      ops.forceAt(directory);
      backlog.restart(committedSize);
    }
  }

  /** The files and directories that have to be durable for the resources to be there. */
  private Set<Path> writeResources(SequencedMap<String, byte[]> writes) throws IOException {
    Set<Path> changed = new LinkedHashSet<>();
    for (Map.Entry<String, byte[]> write : writes.entrySet()) {
      folder.write(write.getKey(), write.getValue(), changed);
    }
    return changed;
  }

  /** What the checkpoint covers may be written again with the same bytes only. */
  private SequencedMap<String, byte[]> withoutPublished(SequencedMap<String, byte[]> writes)
      throws IOException {
    SequencedMap<String, byte[]> added = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> write : writes.entrySet()) {
      TlogPath path =
          TlogPath.parse(write.getKey())
              .filter(parsed -> !(parsed instanceof TlogPath.Head))
              .orElseThrow(() -> new IllegalArgumentException(write.getKey() + " is no tile"));
      if (Tiles.sizeNeeded(path) > committedSize) {
        added.put(write.getKey(), write.getValue());
      } else if (!sameBytes(read(write.getKey()), Optional.of(write.getValue()))) {
        throw new LedgerUnavailable(
            LedgerFault.CHAIN_BROKEN,
            folder.resolve(write.getKey()) + " is published and would get other bytes");
      }
    }
    return added;
  }

  private static boolean sameBytes(Optional<byte[]> first, Optional<byte[]> second) {
    return first.isPresent() == second.isPresent()
        && (first.isEmpty() || Arrays.equals(first.get(), second.get()));
  }

  /**
   * Lets another writer open the directory. The journal goes, unless something has failed: then the
   * next writer needs it.
   */
  @Override
  public synchronized void close() throws IOException {
    if (lock == null || !lock.isOpen()) {
      return;
    }
    try {
      if (broken == null) {
        dropJournal();
      }
    } finally {
      if (broken == null) {
        broken = new LedgerUnavailable(LedgerFault.CLOSED, directory + " was closed");
      }
      backlog.end();
      syncs.shutdown();
      flushes.shutdown();
      if (journal != null) {
        journal.close();
      }
      lock.close();
    }
  }
}
