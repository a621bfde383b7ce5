package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.LedgerFiles.FileOps;
import dev.parlance.ledger.note.Checkpoint;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tile.EntryBundles;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.Hash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
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
 * tmp/                  the checkpoint not yet renamed; emptied when a writer opens
 * </pre>
 *
 * <p>A commit waits for the disk twice: it writes the tiles under their names, which nobody reads
 * before a checkpoint states their size, and the checkpoint under a temporary one; syncs all of
 * them and their directories at the same time; then renames the checkpoint and syncs its directory.
 * What a crash leaves beyond the checkpoint, torn or whole, is one batch at most, and is removed
 * when the next writer opens. After one failed write or sync this object commits nothing more: the
 * kernel may have dropped what it could not write and call the next sync a success.
 */
public final class FileStorage implements LogStorage, AutoCloseable {
  private static final String KEY_FILE = "log.vkey";
  private static final String LOCK_FILE = "log.lock";
  private static final String TEMPORARY = "tmp";
  private static final String NEXT = "next";

  /** Files that are synced at the same time: a commit has some six, rarely more. */
  private static final int SYNC_THREADS = 6;

  private static final long SYNC_IDLE_S = 10;

  private final Path directory;
  private final FileOps ops;
  private final @Nullable FileChannel lock;
  private final ExecutorService syncs = syncs();
  private long committedSize;
  private @Nullable LedgerUnavailable broken;

  private FileStorage(Path directory, FileOps ops, @Nullable FileChannel lock, long size) {
    this.directory = directory;
    this.ops = ops;
    this.lock = lock;
    this.committedSize = size;
  }

  /** Threads that end by themselves when there is nothing to sync. */
  private static ExecutorService syncs() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            SYNC_THREADS,
            SYNC_THREADS,
            SYNC_IDLE_S,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon(true).name("ledger-sync-", 0).factory());
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
    Path absolute = directory.toAbsolutePath();
    if (!Files.isDirectory(absolute)) {
      Files.createDirectories(absolute);
      ops.forceAt(LedgerFiles.parent(absolute));
    }
    FileChannel lock = lock(absolute);
    boolean opened = false;
    try {
      long size = recover(absolute, key, ops);
      FileStorage storage = new FileStorage(absolute, ops, lock, size);
      storage.keepKey(key);
      opened = true;
      return storage;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  /** Opens a directory for reading beside its writer, which need not run. */
  public static FileStorage readOnly(Path directory) {
    return new FileStorage(directory.toAbsolutePath(), FileOps.REAL, null, 0);
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

  /** Removes what lies beyond the checkpoint; the size that the checkpoint states. */
  private static long recover(Path directory, VerifierKey key, FileOps ops) throws IOException {
    Path temporary = directory.resolve(TEMPORARY);
    if (Files.isDirectory(temporary)) {
      LedgerFiles.clear(temporary);
    } else {
      Files.createDirectory(temporary);
    }
    List<TlogPath> files = LedgerFiles.list(directory);
    Optional<byte[]> stored = readFile(directory.resolve(CHECKPOINT), Note.MAX_BYTES);
    if (stored.isEmpty()) {
      if (!files.isEmpty()) {
        throw new LedgerUnavailable(
            LedgerFault.CHAIN_BROKEN, directory + " has tiles and no checkpoint");
      }
      return 0;
    }
    long size =
        switch (SignedCheckpoint.open(stored.get(), key)) {
          case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint checkpoint) -> checkpoint.size();
          case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
              throw new LedgerUnavailable(
                  LedgerFault.CHECKPOINT_INVALID,
                  directory.resolve(CHECKPOINT) + " " + fault.code() + ", " + detail);
        };
    List<TlogPath> beyond = files.stream().filter(path -> Tiles.sizeNeeded(path) > size).toList();
    // A crash leaves one batch, which ends in one partial bundle. Two stand for two batches, and
    // the first of them had a checkpoint: somebody put an older one in its place.
    long partialBundles =
        beyond.stream()
            .filter(
                path -> path instanceof TlogPath.EntryBundle bundle && bundle.width() < Tiles.WIDTH)
            .count();
    if (partialBundles > 1) {
      throw new LedgerUnavailable(
          LedgerFault.ROLLED_BACK,
          "the checkpoint says " + size + " entries, but later commits lie beside it");
    }
    LedgerFiles.delete(directory, beyond, ops);
    return size;
  }

  private void keepKey(VerifierKey key) throws IOException {
    Path file = directory.resolve(KEY_FILE);
    Optional<byte[]> stored = readFile(file, 4096);
    if (stored.isEmpty()) {
      ops.write(next(), (key.format() + "\n").getBytes(StandardCharsets.UTF_8));
      ops.forceAt(next());
      ops.rename(next(), file);
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
    int maxBytes =
        switch (parsed.get()) {
          case TlogPath.Head head -> Note.MAX_BYTES;
          case TlogPath.HashTile tile -> Tiles.WIDTH * Hash.BYTES;
          case TlogPath.EntryBundle bundle -> EntryBundles.MAX_BUNDLE_BYTES;
        };
    return readFile(directory.resolve(path), maxBytes);
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
      Optional<byte[]> stored = read(CHECKPOINT);
      if (!sameBytes(stored, expectedCheckpoint)) {
        committed = true;
        return Commit.CONFLICT;
      }
      Set<Path> changed = writeResources(writes);
      ops.write(next(), newCheckpoint);
      changed.add(next());
      ops.forceAll(changed, syncs);
      ops.rename(next(), directory.resolve(CHECKPOINT));
      ops.forceAt(directory);
      committed = true;
      committedSize = sizeOf(newCheckpoint);
    } catch (LedgerUnavailable e) {
      broken = e;
      throw e;
    } catch (IOException e) {
      broken = new LedgerUnavailable(LedgerFault.UNAVAILABLE, directory + ": " + e, e);
      throw broken;
    } finally {
      if (!committed && broken == null) {
        broken = new LedgerUnavailable(LedgerFault.UNAVAILABLE, "a commit ended half way");
      }
    }
    dropPartials(writes);
    return Commit.COMMITTED;
  }

  /** The files and directories that have to be durable before a checkpoint covers them. */
  private Set<Path> writeResources(SequencedMap<String, byte[]> writes) throws IOException {
    Set<Path> changed = new LinkedHashSet<>();
    for (Map.Entry<String, byte[]> write : writes.entrySet()) {
      TlogPath path =
          TlogPath.parse(write.getKey())
              .filter(parsed -> !(parsed instanceof TlogPath.Head))
              .orElseThrow(() -> new IllegalArgumentException(write.getKey() + " is no tile"));
      Path file = directory.resolve(path.path());
      if (Tiles.sizeNeeded(path) <= committedSize) {
        requirePublished(file, write.getValue());
        continue;
      }
      Path parent = LedgerFiles.parent(file);
      makeDirectory(parent, changed);
      ops.write(file, write.getValue());
      changed.add(file);
      changed.add(parent);
    }
    return changed;
  }

  /** What the checkpoint covers may be written again with the same bytes only. */
  private static void requirePublished(Path file, byte[] bytes) throws IOException {
    if (!sameBytes(readFile(file, EntryBundles.MAX_BUNDLE_BYTES), Optional.of(bytes))) {
      throw new LedgerUnavailable(
          LedgerFault.CHAIN_BROKEN, file + " is published and would get other bytes");
    }
  }

  /** The full tiles are there, so nobody needs their beginnings any more. */
  private void dropPartials(SequencedMap<String, byte[]> writes) {
    try {
      for (String path : writes.keySet()) {
        if (!path.contains(".p/")) {
          LedgerFiles.deletePartials(directory.resolve(path));
        }
      }
    } catch (IOException e) {
      // The commit stands. A disk that cannot delete is not one to go on writing to.
      broken = new LedgerUnavailable(LedgerFault.UNAVAILABLE, directory + ": " + e, e);
    }
  }

  private void makeDirectory(Path wanted, Set<Path> changed) throws IOException {
    if (Files.isDirectory(wanted)) {
      return;
    }
    Path parent = LedgerFiles.parent(wanted);
    makeDirectory(parent, changed);
    Files.createDirectory(wanted);
    changed.add(parent);
  }

  /** Where what takes a file's place in one step is written first. */
  private Path next() {
    return directory.resolve(TEMPORARY).resolve(NEXT);
  }

  private static long sizeOf(byte[] checkpoint) {
    return Note.parse(checkpoint)
        .value()
        .flatMap(note -> Checkpoint.parse(note.text()).value())
        .orElseThrow(() -> new IllegalArgumentException("no checkpoint"))
        .size();
  }

  private static boolean sameBytes(Optional<byte[]> first, Optional<byte[]> second) {
    return first.isPresent() == second.isPresent()
        && (first.isEmpty() || Arrays.equals(first.get(), second.get()));
  }

  private static Optional<byte[]> readFile(Path file, int maxBytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(maxBytes);
      if (in.read() >= 0) {
        throw new IOException(file + " has more than " + maxBytes + " bytes");
      }
      return Optional.of(bytes);
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  /** Lets another writer open the directory. */
  @Override
  public synchronized void close() throws IOException {
    if (lock != null) {
      if (broken == null) {
        broken = new LedgerUnavailable(LedgerFault.CLOSED, directory + " was closed");
      }
      syncs.shutdown();
      lock.close();
    }
  }
}
