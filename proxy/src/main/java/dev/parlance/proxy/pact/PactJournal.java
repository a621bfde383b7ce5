package dev.parlance.proxy.pact;

import dev.parlance.policy.pact.Predicate;
import dev.parlance.service.file.AppendLog;
import dev.parlance.service.file.Disk;
import dev.parlance.service.file.SafeFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the sidecar still owes to the ledger: signed pacts that the control plane has not confirmed,
 * dissolutions it has not taken, and the last counts, which must not fall. Used on the loop only.
 *
 * <pre>
 * CRC32C of the rest, 8 hex digits | blank | kind | blank | pact | blank | base64 of the note | \n
 * </pre>
 *
 * A line without a note says that nothing is owed any more. The last line of a kind and pact
 * counts. A line that is torn or damaged is left out: who dies while writing has told nobody yet.
 */
final class PactJournal implements AutoCloseable {
  /** Name of the file in the data folder. */
  static final String FILE_NAME = "pacts.journal";

  private static final Logger log = LoggerFactory.getLogger(PactJournal.class);
  private static final int COMPACT_BYTES = 4 << 20;
  private static final int PARTS = 3;
  private static final int CRC_CHARS = 8;

  /** What is owed. */
  enum Kind {
    /** A note with both signatures, not attested yet. */
    ATTEST,
    /** A signed dissolution, not taken yet. */
    DISSOLVE,
    /** The last counts of a pact that has ended, not taken yet. */
    FINAL,
    /** A pact that holds, with its note: it is taken up again after a restart. */
    OPEN,
    /** Its private predicates, a line each: nobody else has them. */
    HIDDEN,
    /** The last counts that were signed. */
    COUNTS;

    /** True if the ledger has to hear of it. */
    boolean isDebt() {
      return this == ATTEST || this == DISSOLVE || this == FINAL;
    }
  }

  /** Of what. */
  record Key(Kind kind, String pact) {}

  private final Path file;
  private final Map<Key, String> owed;
  private AppendLog out;

  private PactJournal(Path file, Map<Key, String> owed, AppendLog out) {
    this.file = file;
    this.owed = owed;
    this.out = out;
  }

  /** Reads what is owed, and goes on from there. */
  static PactJournal open(Path dataDir) throws IOException {
    Files.createDirectories(dataDir);
    Path file = dataDir.resolve(FILE_NAME);
    Map<Key, String> owed = Files.exists(file) ? read(file) : new LinkedHashMap<>();
    return new PactJournal(file, owed, rewrite(file, owed));
  }

  private static Map<Key, String> read(Path file) throws IOException {
    Map<Key, String> owed = new LinkedHashMap<>();
    int damaged = 0;
    for (String line :
        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).lines().toList()) {
      damaged += take(owed, line) ? 0 : 1;
    }
    if (damaged > 0) {
      log.atWarn().addKeyValue("lines", damaged).log("lines of the pact journal were damaged");
    }
    return owed;
  }

  private static boolean take(Map<Key, String> owed, String line) {
    if (line.length() <= CRC_CHARS
        || !line.substring(0, CRC_CHARS).equals(crc(line.substring(CRC_CHARS)))) {
      return false;
    }
    String[] parts = line.substring(CRC_CHARS + 1).split(" ", PARTS);
    if (parts.length != PARTS) {
      return false;
    }
    try {
      Key key = new Key(Kind.valueOf(parts[0]), parts[1]);
      if (parts[2].isEmpty()) {
        owed.remove(key);
      } else {
        owed.put(key, ofBase64(parts[2]));
      }
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String crc(String rest) {
    CRC32C sum = new CRC32C();
    sum.update(rest.getBytes(StandardCharsets.ISO_8859_1));
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String ofBase64(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }

  private static byte[] line(Key key, String note) {
    String rest = " " + key.kind() + " " + key.pact() + " " + base64(note);
    return (crc(rest) + rest + "\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Replaces the file, whole and durably, by one that says the same in the fewest lines. */
  private static AppendLog rewrite(Path file, Map<Key, String> owed) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    owed.forEach((key, note) -> lines.writeBytes(line(key, note)));
    SafeFile.replace(file, lines.toByteArray());
    return AppendLog.open(file, Disk.REAL);
  }

  /** All of a kind that is owed, by pact. */
  Map<String, String> owed(Kind kind) {
    Map<String, String> found = new LinkedHashMap<>();
    owed.forEach((key, note) -> {
      if (key.kind() == kind) {
        found.put(key.pact(), note);
      }
    });
    return found;
  }

  /** What is owed of this. */
  Optional<String> owed(Kind kind, String pact) {
    return Optional.ofNullable(owed.get(new Key(kind, pact)));
  }

  /**
   * Notes what is owed; survives the process when this returns, and the machine too if it is a
   * debt.
   *
   * @return false if it could not be written
   */
  boolean owe(Kind kind, String pact, String note) {
    Key key = new Key(kind, pact);
    owed.put(key, note);
    return append(key, note, kind.isDebt());
  }

  /** It is not owed any more. */
  void paid(Kind kind, String pact) {
    if (owed.remove(new Key(kind, pact)) != null) {
      append(new Key(kind, pact), "", false);
    }
  }

  /** Keeps the predicates of a pact that its note does not show. */
  void hide(String pact, List<Predicate> hidden) {
    if (!hidden.isEmpty() && owed(Kind.HIDDEN, pact).isEmpty()) {
      boolean _ =
          owe(
              Kind.HIDDEN,
              pact,
              hidden.stream()
                  .map(one -> one.id() + " " + one.category() + " " + base64(one.body()))
                  .collect(Collectors.joining("\n")));
    }
  }

  /** Those that are kept, by their ids. */
  Map<String, Predicate> hidden(String pact) {
    Map<String, Predicate> found = new HashMap<>();
    owed(Kind.HIDDEN, pact).stream()
        .flatMap(String::lines)
        .map(line -> line.split(" ", PARTS))
        .filter(parts -> parts.length == PARTS)
        .forEach(
            parts -> found.put(parts[0], new Predicate(parts[0], parts[1], ofBase64(parts[2]))));
    return found;
  }

  /** The pact holds no more. */
  void closed(String pact) {
    paid(Kind.OPEN, pact);
    paid(Kind.HIDDEN, pact);
    paid(Kind.COUNTS, pact);
  }

  private boolean append(Key key, String note, boolean force) {
    try {
      out.appendLines(ByteBuffer.wrap(line(key, note)));
      if (force) {
        out.force();
      }
      if (out.size() > COMPACT_BYTES && out.size() > 2 * live()) {
        out.close();
        out = rewrite(file, owed);
      }
      return true;
    } catch (IOException e) {
      log.atError().setCause(e).log("the pact journal cannot be written");
      return false;
    }
  }

  private long live() {
    return owed.values().stream().mapToLong(String::length).sum();
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the pact journal could not be closed");
    }
  }
}
