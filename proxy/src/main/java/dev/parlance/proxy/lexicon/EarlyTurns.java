package dev.parlance.proxy.lexicon;

import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Lexicons.Digest;
import dev.parlance.proxy.gate.Lexicons.TurnReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of conversations that have no board yet, kept in case they get one, until the control
 * plane has been told of them. They survive the process: a file for each conversation, named by the
 * board that it would have, to which lines are added:
 *
 * <pre>
 * conversation, in base64
 * digest number tokens channel speaker
 * ...
 * </pre>
 *
 * No text of a turn is there, and no use of a term: before the first coinage there is none. Nothing
 * is forced to the disk. Bounded; those heard of longest ago make room. What is kept is asked for
 * on any thread, and files are written and deleted on that of {@link TurnReports} alone.
 */
final class EarlyTurns {
  /** Most turns of a conversation. */
  static final int MAX_TURNS = 64;

  private static final Logger log = LoggerFactory.getLogger(EarlyTurns.class);
  private static final int PARTS = 5;

  private final Path folder;
  private final int max;

  /** By board, the one heard of longest ago first. */
  private final Map<String, Kept> boards = new LinkedHashMap<>(16, 0.75f, true);

  /** Boards whose files are to go. */
  private final List<String> dropped = new ArrayList<>();

  private static final class Kept {
    final String conversation;
    final Map<Digest, TurnReport> turns = new LinkedHashMap<>();

    /** True once somebody tells the control plane of them. */
    boolean handedOver;

    Kept(String conversation) {
      this.conversation = conversation;
    }
  }

  /**
   * Without any.
   *
   * @param max most conversations
   */
  EarlyTurns(Path folder, int max) {
    this.folder = folder;
    this.max = max;
  }

  /** Takes up what the process before this one has kept; the conversations that it is of. */
  synchronized List<String> load() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Path> oldestFirst;
    try (Stream<Path> files = Files.list(folder)) {
      oldestFirst = files.sorted(Comparator.comparing(EarlyTurns::written)).toList();
    } catch (IOException e) {
      warn(e);
      return List.of();
    }
    oldestFirst.forEach(this::load);
    makeRoom();
    dropped.forEach(this::delete);
    dropped.clear();
    return boards.values().stream().map(one -> one.conversation).toList();
  }

  private static FileTime written(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return FileTime.fromMillis(0);
    }
  }

  private void load(Path file) {
    String board = file.getFileName().toString();
    try {
      String all = Files.readString(file);
      // A line without its end is one that a killed process did not finish.
      List<String> lines = all.substring(0, all.lastIndexOf('\n') + 1).lines().toList();
      if (!lines.isEmpty()) {
        String conversation =
            new String(Base64.getUrlDecoder().decode(lines.getFirst()), StandardCharsets.UTF_8);
        if (Lexicons.boardOf(conversation).equals(board)) {
          Kept kept = new Kept(conversation);
          lines.stream()
              .skip(1)
              .limit(MAX_TURNS)
              .flatMap(line -> turn(board, line).stream())
              .forEach(turn -> kept.turns.put(turn.digest(), turn));
          boards.put(board, kept);
          return;
        }
      }
      log.atDebug().log("a file among the early turns is none");
    } catch (IllegalArgumentException e) {
      log.atDebug().setCause(e).log("a file among the early turns is none");
    } catch (IOException e) {
      warn(e);
    }
    dropped.add(board);
  }

  private static Optional<TurnReport> turn(String board, String line) {
    String[] parts = line.split(" ", PARTS);
    if (parts.length != PARTS || parts[4].isEmpty()) {
      return Optional.empty();
    }
    try {
      TurnFacts facts =
          new TurnFacts(
              parts[4],
              Channel.of(parts[3]).orElseThrow(IllegalArgumentException::new),
              Integer.parseInt(parts[2]),
              false,
              List.of(),
              List.of(),
              List.of());
      return Optional.of(
          new TurnReport(board, new Digest(parts[0]), Long.parseLong(parts[1]), 0, facts));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Keeps a turn.
   *
   * @return false if there is no room, or it is kept already; else {@link #write} it
   */
  synchronized boolean keep(String conversation, TurnReport turn) {
    Kept kept = boards.computeIfAbsent(turn.board(), _ -> new Kept(conversation));
    kept.handedOver = false;
    boolean isNew =
        kept.turns.size() < MAX_TURNS && kept.turns.putIfAbsent(turn.digest(), turn) == null;
    makeRoom();
    return isNew;
  }

  private void makeRoom() {
    Iterator<String> oldest = boards.keySet().iterator();
    for (int over = boards.size() - max; over > 0; over--) {
      dropped.add(oldest.next());
      oldest.remove();
    }
  }

  /** Writes a turn that is kept now, and deletes what has made room for it. */
  void write(String conversation, TurnReport turn) {
    Path file = folder.resolve(turn.board());
    try {
      Files.createDirectories(folder);
      String head =
          Files.exists(file)
              ? ""
              : Base64.getUrlEncoder().encodeToString(conversation.getBytes(StandardCharsets.UTF_8))
                  + "\n";
      String line =
          String.join(
              " ",
              turn.digest().hex(),
              Long.toString(turn.number()),
              Integer.toString(turn.facts().tokens()),
              turn.facts().channel().toString(),
              turn.facts().speaker());
      Path _ =
          Files.writeString(
              file, head + line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      warn(e);
    }
    List<String> gone;
    synchronized (this) {
      gone = List.copyOf(dropped);
      dropped.clear();
    }
    gone.forEach(this::delete);
  }

  /** The largest number of a turn that is kept of a board; 0 if there is none. */
  synchronized long highest(String board) {
    Kept kept = boards.get(board);
    return kept == null
        ? 0
        : kept.turns.values().stream().mapToLong(TurnReport::number).max().orElse(0);
  }

  /** The board is there: what the control plane is to be told now, in the order of the turns. */
  synchronized List<TurnReport> handOver(String board) {
    Kept kept = boards.get(board);
    if (kept == null || kept.handedOver) {
      return List.of();
    }
    kept.handedOver = true;
    return List.copyOf(kept.turns.values());
  }

  /** The control plane has heard of these turns, whatever it made of them. */
  void told(List<TurnReport> turns) {
    List<String> done = new ArrayList<>();
    synchronized (this) {
      for (TurnReport turn : turns) {
        Kept kept = boards.get(turn.board());
        if (kept != null && kept.turns.remove(turn.digest()) != null && kept.turns.isEmpty()) {
          boards.remove(turn.board());
          done.add(turn.board());
        }
      }
    }
    done.forEach(this::delete);
  }

  private void delete(String board) {
    try {
      boolean _ = Files.deleteIfExists(folder.resolve(board));
    } catch (IOException e) {
      warn(e);
    }
  }

  private static void warn(IOException e) {
    log.atWarn().setCause(e).log("early turns of the lexicon cannot be kept");
  }
}
