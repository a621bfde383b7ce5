package dev.parlance.cli.ledger;

import dev.parlance.cli.Json;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.tree.InclusionProof;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * An inclusion proof as it is printed and read again: everything that is needed to check it.
 *
 * @param leafHash hex hash of the entry
 * @param path hex hashes beside the way to the root, nearest first
 * @param checkpoint the signed note
 * @param vkey the log's key
 * @param entry the entry as base64
 */
public record ProofView(
    long index,
    long treeSize,
    String leafHash,
    List<String> path,
    String rootHash,
    String checkpoint,
    String vkey,
    String entry) {
  /** Copies the list. */
  public ProofView {
    path = List.copyOf(path);
  }

  /**
   * What came of reading a proof.
   *
   * @param holds whether the entry is in the log
   * @param detail what it proves, or why not, for people
   */
  public record Checked(boolean holds, String detail) {}

  static ProofView of(LedgerSource ledger, InclusionProof proof, Hash leaf, byte[] entry) {
    return new ProofView(
        proof.index(),
        proof.treeSize(),
        leaf.hex(),
        proof.path().stream().map(Hash::hex).toList(),
        ledger.checkpoint().checkpoint().root().hex(),
        new String(ledger.checkpoint().bytes(), StandardCharsets.UTF_8),
        ledger.key().format(),
        Base64.getEncoder().encodeToString(entry));
  }

  void print(PrintStream out) {
    out.println("entry  " + index + " of " + treeSize);
    out.println(
        "       %s"
            .formatted(
                TerminalEscaper.line(
                    new String(Base64.getDecoder().decode(entry), StandardCharsets.UTF_8))));
    out.println("leaf   " + leafHash);
    for (int i = 0; i < path.size(); i++) {
      out.println((i == 0 ? "path   " : "       ") + path.get(i));
    }
    out.println("root   " + rootHash);
    out.println("key    " + TerminalEscaper.line(vkey));
    out.println("signed checkpoint:");
    TerminalEscaper.block(checkpoint).lines().forEach(line -> out.println("  | " + line));
  }

  /**
   * Checks a proof from its JSON: the entry against its hash, the path against the root, the root
   * against the signed checkpoint.
   *
   * @param trusted the log's key; without one the proof's own is used
   */
  static Checked check(byte[] json, Optional<VerifierKey> trusted) {
    try {
      return check(Json.MAPPER.readTree(json), trusted);
    } catch (JacksonException e) {
      return new Checked(false, "it is not JSON");
    }
  }

  /** The same of what was read already. */
  public static Checked check(JsonNode proof, Optional<VerifierKey> trusted) {
    Optional<VerifierKey> key = trusted.or(() -> VerifierKey.parse(text(proof, "vkey")).value());
    if (key.isEmpty()) {
      return new Checked(false, "it names no verifier key (--vkey names one)");
    }
    return switch (SignedCheckpoint.open(
        text(proof, "checkpoint").getBytes(StandardCharsets.UTF_8), key.get())) {
      case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
          new Checked(false, "the checkpoint is refused: " + fault.code() + ", " + detail);
      case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint checkpoint) -> check(proof, checkpoint);
    };
  }

  private static Checked check(JsonNode proof, SignedCheckpoint checkpoint) {
    JsonNode index = proof.path("index");
    if (!index.isIntegralNumber()
        || !index.canConvertToLong()
        || index.longValue() < 0
        || index.longValue() >= checkpoint.size()) {
      return new Checked(false, "index: expected a number from 0 and below " + checkpoint.size());
    }
    if (proof.path("treeSize").asLong(-1) != checkpoint.size()) {
      return new Checked(false, "treeSize: expected the checkpoint's " + checkpoint.size());
    }
    List<Hash> path = new ArrayList<>();
    for (JsonNode node : proof.path("path")) {
      Optional<Hash> hash = Hash.parseHex(node.asString(""));
      if (hash.isEmpty()) {
        return new Checked(false, "path: expected hashes of 64 hex digits");
      }
      path.add(hash.get());
    }
    byte[] entry;
    try {
      entry = Base64.getDecoder().decode(text(proof, "entry"));
    } catch (IllegalArgumentException e) {
      return new Checked(false, "entry: expected base64");
    }
    Hash leaf = Hashing.leaf(entry);
    if (!leaf.hex().equals(text(proof, "leafHash"))) {
      return new Checked(false, "the entry's hash is " + leaf.hex() + ", not the one it names");
    }
    return new InclusionProof(index.longValue(), checkpoint.size(), path)
            .verifies(leaf, checkpoint.checkpoint().root())
        ? new Checked(
            true,
            "entry %s is in the log %s of %s entries"
                .formatted(index.longValue(), checkpoint.checkpoint().origin(), checkpoint.size()))
        : new Checked(false, "the path does not lead from the entry to the checkpoint's root");
  }

  private static String text(JsonNode object, String member) {
    return object.path(member).asString("");
  }
}
