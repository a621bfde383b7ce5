package dev.parlance.ledger.record;

import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.verify.LedgerVerifier;
import dev.parlance.ledger.verify.VerifyReport;
import dev.parlance.ledger.verify.VerifyReport.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Everything that can be checked of a ledger's directory: its tree, and what its entries say. */
public final class LedgerAudit {
  private LedgerAudit() {}

  /**
   * What was found.
   *
   * @param structure findings on files, hashes, root and signatures
   * @param recomputation what the entries come to; empty where they could not be read to the end
   * @param unread why they could not
   */
  public record Report(
      VerifyReport structure,
      Optional<RecomputationReport> recomputation,
      Optional<String> unread) {
    /** Whether the tree is sound and every decision follows. */
    public boolean sound() {
      return structure.sound() && recomputation.isPresent() && recomputation.get().agrees();
    }

    /** Lines for people. */
    public String format() {
      StringBuilder out = new StringBuilder();
      for (Finding finding : structure.findings()) {
        out.append(finding.format()).append('\n');
      }
      structure.witnesses().forEach(name -> out.append("cosigned by ").append(name).append('\n'));
      recomputation.ifPresent(report -> out.append(report.format()));
      unread.ifPresent(why -> out.append("not recomputed: ").append(why).append('\n'));
      String size = structure.size().map(entries -> entries + " entries").orElse("unknown size");
      return out.append(sound() ? "sound: " : "not sound: ")
          .append(structure.origin())
          .append(", ")
          .append(size)
          .append('\n')
          .toString();
    }
  }

  /** The same, with the members' keys that are on the ledger. */
  public static Report check(
      Path directory,
      VerifierKey key,
      List<VerifierKey> witnesses,
      Optional<byte[]> olderCheckpoint,
      long nowMs)
      throws IOException {
    return check(directory, key, witnesses, olderCheckpoint, MemberKeys.OF_LEDGER, nowMs);
  }

  /**
   * Checks a ledger in a directory.
   *
   * @param key the log's key, best not taken from the directory itself
   * @param witnesses keys of witnesses whose cosignatures must hold where they are there
   * @param olderCheckpoint bytes of a checkpoint of this log that was held elsewhere
   * @param members keys of members of rounds
   * @param nowMs what time it is
   * @throws IOException where the directory cannot be read
   */
  public static Report check(
      Path directory,
      VerifierKey key,
      List<VerifierKey> witnesses,
      Optional<byte[]> olderCheckpoint,
      MemberKeys members,
      long nowMs)
      throws IOException {
    VerifyReport structure = LedgerVerifier.verify(directory, key, witnesses, olderCheckpoint);
    try {
      Optional<LogView> head = new LogReader(FileStorage.readOnly(directory), key).head();
      return head.isPresent()
          ? new Report(
              structure,
              Optional.of(Recomputation.of(head.get(), members, nowMs)),
              Optional.empty())
          : new Report(structure, Optional.empty(), Optional.of("there is no checkpoint"));
    } catch (LedgerUnavailable broken) {
      return new Report(
          structure, Optional.empty(), Optional.of(String.valueOf(broken.getMessage())));
    }
  }
}
