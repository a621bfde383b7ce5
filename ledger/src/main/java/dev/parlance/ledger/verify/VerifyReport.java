package dev.parlance.ledger.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a verifier found.
 *
 * @param origin name of the log, as the key says it
 * @param size number of entries that the checkpoint states; empty where it could not be read
 * @param keyUsed the verifier key, in its text form
 * @param witnesses names of the known witnesses whose cosignature holds
 * @param findings what is wrong, in the order of the files; empty for a sound log
 * @param beyondCheckpoint files that no checkpoint covers: what a crash left, or files of others
 */
public record VerifyReport(
    String origin,
    Optional<Long> size,
    String keyUsed,
    List<String> witnesses,
    List<Finding> findings,
    List<String> beyondCheckpoint) {
  public VerifyReport {
    witnesses = List.copyOf(witnesses);
    findings = List.copyOf(findings);
    beyondCheckpoint = List.copyOf(beyondCheckpoint);
  }

  /** Whether nothing is wrong. */
  public boolean sound() {
    return findings.isEmpty();
  }

  /**
   * One thing that is not as it must be, and where.
   *
   * @param kind what is wrong
   * @param path path of the file under the log's directory
   * @param index index of the entry in the log, or of the hash among those of its level; -1 where
   *     the file as a whole is meant
   * @param expected what should be there
   * @param found what is there
   */
  public record Finding(Kind kind, String path, long index, String expected, String found) {
    /** No particular entry or hash. */
    public static final long WHOLE_FILE = -1;

    public Finding {
      if (path.isEmpty() || index < WHOLE_FILE) {
        throw new IllegalArgumentException("a finding names a place");
      }
    }

    /** What is wrong; the codes are stable. */
    public enum Kind {
      /** The file is not there. */
      MISSING("missing"),
      /** The file does not have the form that its path asks for. */
      MALFORMED("malformed"),
      /** The checkpoint's signature, origin or form is not right. */
      CHECKPOINT("checkpoint_invalid"),
      /** No combination of what is stored leads to the root that the checkpoint states. */
      ROOT("root_mismatch"),
      /** An entry is not the one that was logged at its index. */
      ENTRY("entry_mismatch"),
      /** A hash in a tile is not the hash of what lies under it. */
      TILE("tile_mismatch"),
      /** A known witness's cosignature does not hold. */
      COSIGNATURE("cosignature_invalid"),
      /** The log does not begin with the log of the checkpoint that was held elsewhere. */
      HISTORY("history_mismatch"),
      /** The key that lies beside the log is not the key that was given. */
      KEY("key_mismatch"),
      /** There is more to say than the report takes. */
      MORE("more");

      private final String code;

      Kind(String code) {
        this.code = code;
      }

      /** The stable code. */
      public String code() {
        return code;
      }
    }

    /** One line for people. */
    public String format() {
      String place = index == WHOLE_FILE ? path : path + " #" + index;
      return kind.code() + " " + place + ": expected " + expected + ", found " + found;
    }
  }

  /** Collects findings; bounded per file and in all, and says where it left some out. */
  static final class Findings {
    private static final int MAX_PER_FILE = 300;
    private static final int MAX_ALL = 10_000;

    private final List<Finding> all = new ArrayList<>();
    private final Map<String, Integer> perFile = new LinkedHashMap<>();
    private boolean full;

    void add(Finding.Kind kind, String path, long index, String expected, String found) {
      if (full) {
        return;
      }
      int count = perFile.merge(path, 1, Integer::sum);
      if (count < MAX_PER_FILE && all.size() < MAX_ALL) {
        all.add(new Finding(kind, path, index, expected, found));
      } else {
        full = all.size() >= MAX_ALL;
        if (full || count == MAX_PER_FILE) {
          all.add(
              new Finding(
                  Finding.Kind.MORE, path, Finding.WHOLE_FILE, "nothing more", "more, left out"));
        }
      }
    }

    void add(Finding.Kind kind, String path, String expected, String found) {
      add(kind, path, Finding.WHOLE_FILE, expected, found);
    }

    boolean names(String path) {
      return perFile.containsKey(path);
    }

    List<Finding> list() {
      return all;
    }
  }
}
