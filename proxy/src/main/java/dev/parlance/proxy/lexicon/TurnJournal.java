package dev.parlance.proxy.lexicon;

import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.proxy.gate.Lexicons.Digest;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns that the ledger was asked to take, or to give back, and of which no reply has come: a
 * sidecar that is killed meanwhile takes them back when it is there again. Each is a file named by
 * its digest, with what a retraction has to say:
 *
 * <pre>
 * board \n number \n changes it was read behind \n channel \n speaker
 * </pre>
 *
 * Files survive the process; nothing is forced to the disk. Bounded; without room, or a disk that
 * takes it, a turn goes to the ledger all the same. For any number of threads.
 */
final class TurnJournal {
  private static final Logger log = LoggerFactory.getLogger(TurnJournal.class);
  private static final String DRAFT = ".new";
  private static final int LINES = 5;
  private static final int MAX = 2 * Retractions.MAX;

  private final Path folder;
  private final Set<Digest> open = ConcurrentHashMap.newKeySet();

  TurnJournal(Path folder) {
    this.folder = folder;
  }

  /** What was open when the process before this one ended. */
  List<TurnReport> left() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().limit(MAX).flatMap(this::read).toList();
    } catch (IOException | UncheckedIOException e) {
      warn(e);
      return List.of();
    }
  }

  private Stream<TurnReport> read(Path file) {
    try {
      List<String> lines = Files.readString(file).lines().toList();
      if (lines.size() == LINES) {
        Digest digest = new Digest(file.getFileName().toString());
        Channel channel = Channel.of(lines.get(3)).orElseThrow(IllegalArgumentException::new);
        TurnReport turn =
            new TurnReport(
                lines.get(0),
                digest,
                Long.parseLong(lines.get(1)),
                Long.parseLong(lines.get(2)),
                new TurnFacts(lines.get(4), channel, 0, false, List.of(), List.of(), List.of()));
        open.add(digest);
        return Stream.of(turn);
      }
    } catch (IllegalArgumentException e) {
      log.atDebug().setCause(e).log("a file among the open turns is none");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    delete(file);
    return Stream.of();
  }

  /** Completes once the turn would be found after a kill, or cannot be written. */
  CompletableFuture<?> begin(TurnReport turn) {
    if (open.size() >= MAX) {
      return CompletableFuture.completedFuture(false);
    }
    open.add(turn.digest());
    return CompletableFuture.runAsync(() -> write(turn), Thread::startVirtualThread);
  }

  private void write(TurnReport turn) {
    String name = turn.digest().hex();
    try {
      Files.createDirectories(folder);
      Path draft = Files.createTempFile(folder, name, DRAFT);
      Files.writeString(
          draft,
          String.join(
              "\n",
              turn.board(),
              Long.toString(turn.number()),
              Long.toString(turn.after()),
              turn.facts().channel().toString(),
              turn.facts().speaker()));
      Path _ = Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      warn(e);
    }
  }

  /** Completes once it would not be found any more. */
  CompletableFuture<?> end(Digest turn) {
    return open.remove(turn)
        ? CompletableFuture.runAsync(
            () -> delete(folder.resolve(turn.hex())), Thread::startVirtualThread)
        : CompletableFuture.completedFuture(true);
  }

  private static void delete(Path file) {
    try {
      boolean _ = Files.deleteIfExists(file);
    } catch (IOException e) {
      warn(e);
    }
  }

  private static void warn(Exception e) {
    log.atWarn().setCause(e).log("open turns of the lexicon cannot be kept");
  }
}
