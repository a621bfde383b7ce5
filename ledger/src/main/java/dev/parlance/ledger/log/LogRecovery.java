package dev.parlance.ledger.log;

import dev.parlance.ledger.log.CommitJournal.JournaledCommit;
import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.LedgerFiles.FileOps;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Brings a log's directory to its last durable commit, before a writer goes on: first the commits
 * of the journal whose files may be lost or torn are put into the files again, which can be done
 * any number of times; then what lies beyond the checkpoint is removed.
 */
final class LogRecovery {
  private final Path directory;
  private final LogFolder folder;
  private final VerifierKey key;
  private final FileOps ops;
  private final Executor syncs;

  LogRecovery(Path directory, VerifierKey key, FileOps ops, Executor syncs) {
    this.directory = directory;
    this.folder = new LogFolder(directory, ops);
    this.key = key;
    this.ops = ops;
    this.syncs = syncs;
  }

  /**
   * The entries of the log, after what had to be done; its files are durable then, and the journal
   * is needed no more.
   *
   * @throws LedgerUnavailable rolled back, forked, or its checkpoint is not signed
   */
  long run() throws IOException {
    folder.clearTemporary();
    replay();
    return removeBeyond();
  }

  private void replay() throws IOException {
    List<JournaledCommit> commits = CommitJournal.read(directory);
    if (commits.isEmpty()) {
      return;
    }
    requireResources(commits);
    JournaledCommit last = commits.getLast();
    SignedCheckpoint end = journaled(last);
    // The head may be torn, where the disk had its name before its content.
    Optional<SignedCheckpoint> head =
        folder
            .read(LogSource.CHECKPOINT, Note.MAX_BYTES)
            .flatMap(bytes -> SignedCheckpoint.open(bytes, key).value());
    if (head.isPresent() && head.get().size() > end.size()) {
      return; // written since by somebody who leaves no journal
    }
    if (head.isPresent()
        && head.get().size() == end.size()
        && !head.get().checkpoint().equals(end.checkpoint())) {
      throw new LedgerUnavailable(
          LedgerFault.FORKED,
          "%s has another root over %d entries than the checkpoint"
              .formatted(folder.resolve(CommitJournal.FILE), end.size()));
    }
    long size = head.map(SignedCheckpoint::size).orElse(0L);
    if (head.isPresent()) {
      requireConnected(commits, size);
    }
    Set<Path> changed = new LinkedHashSet<>();
    for (JournaledCommit commit : commits) {
      if (commit.sequence() > last.flushed() || commit.size() > size) {
        // Always new files: the kernel may hold for clean what it could not write.
        for (var write : commit.writes().entrySet()) {
          folder.replace(write.getKey(), write.getValue(), changed);
        }
      }
    }
    folder.replace(
        LogSource.CHECKPOINT,
        size == end.size() && head.isPresent() ? head.get().bytes() : last.checkpoint(),
        changed);
    ops.forceAll(changed, syncs);
    for (JournaledCommit commit : commits) {
      LedgerFiles.deletePartials(directory, commit.writes().keySet(), ops);
    }
  }

  /**
   * A record that names anything but tiles and entries would have any file written in its place.
   */
  private void requireResources(List<JournaledCommit> commits) throws LedgerUnavailable {
    for (JournaledCommit commit : commits) {
      for (String path : commit.writes().keySet()) {
        if (TlogPath.parse(path).filter(named -> !(named instanceof TlogPath.Head)).isEmpty()) {
          throw new LedgerUnavailable(
              LedgerFault.CHAIN_BROKEN,
              "%s names '%s', which is no tile and no bundle"
                  .formatted(folder.resolve(CommitJournal.FILE), path));
        }
      }
    }
  }

  /** Every commit that the checkpoint lacks has to be in the journal, one on top of the other. */
  private void requireConnected(List<JournaledCommit> commits, long size) throws LedgerUnavailable {
    long reached = size;
    for (JournaledCommit commit : commits) {
      if (commit.size() > reached) {
        if (commit.base() > reached) {
          throw new LedgerUnavailable(
              LedgerFault.ROLLED_BACK,
              "the checkpoint says %d entries, but %s goes on after %d"
                  .formatted(size, CommitJournal.FILE, commit.base()));
        }
        reached = commit.size();
      }
    }
  }

  private SignedCheckpoint journaled(JournaledCommit commit) throws LedgerUnavailable {
    return switch (SignedCheckpoint.open(commit.checkpoint(), key)) {
      case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint checkpoint) -> checkpoint;
      case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
          throw invalid(CommitJournal.FILE, fault, detail);
    };
  }

  /** Removes what lies beyond the checkpoint; the size that the checkpoint states. */
  private long removeBeyond() throws IOException {
    List<TlogPath> files = LedgerFiles.list(directory);
    Optional<byte[]> stored = folder.read(LogSource.CHECKPOINT, Note.MAX_BYTES);
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
              throw invalid(LogSource.CHECKPOINT, fault, detail);
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

  private LedgerUnavailable invalid(String file, NoteFault fault, String detail) {
    return new LedgerUnavailable(
        LedgerFault.CHECKPOINT_INVALID, folder.resolve(file) + " " + fault.code() + ", " + detail);
  }
}
