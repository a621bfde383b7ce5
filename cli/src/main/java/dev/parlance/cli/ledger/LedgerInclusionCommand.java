package dev.parlance.cli.ledger;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.api.LedgerSource;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.tree.InclusionProof;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

@Command(
    name = "inclusion",
    description = {
      "Proves that an entry is in a ledger.",
      "Prints the entry, its hash, the hashes beside the way to the root, and the",
      "signed checkpoint (RFC 9162, section 2.1.3). With --verify: checks such a",
      "proof (-o json writes it) without the ledger. Exit status 1 if the proof does",
      "not hold."
    },
    footer = {
      "",
      "Examples:",
      "  parlance ledger inclusion parlance-control/ledger 17 -o json > proof.json",
      "  parlance ledger inclusion 17 --control 127.0.0.1:7070",
      "  parlance ledger inclusion --verify proof.json --vkey KEY"
    })
final class LedgerInclusionCommand extends TerminalCommand {
  @Parameters(
      paramLabel = "[DIR] INDEX",
      arity = "0..2",
      description = "the ledger's directory, unless it is read elsewhere; the entry, from 0")
  List<String> arguments = new ArrayList<>();

  @Option(
      names = "--verify",
      paramLabel = "FILE",
      description = "check the proof in this file instead")
  Optional<Path> given = Optional.empty();

  @Mixin LedgerOptions options = new LedgerOptions();
  @Mixin OutputOption output = new OutputOption();
  @Spec CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    options.logKey.key("ledger inclusion");
    if (given.isPresent()) {
      if (!arguments.isEmpty()) {
        throw usage("--verify needs neither a ledger nor an index");
      }
      return verify(given.get());
    }
    if (arguments.isEmpty()) {
      throw usage("an index is missing, or --verify FILE");
    }
    Optional<Path> directory =
        arguments.size() == 2 ? Optional.of(Path.of(arguments.getFirst())) : Optional.empty();
    if (!arguments.getLast().matches("[0-9]{1,18}")) {
      throw usage(
          "expected an index from 0, got " + TerminalEscaper.shortened(arguments.getLast(), 40));
    }
    return prove(directory, Long.parseLong(arguments.getLast()));
  }

  private int prove(Optional<Path> directory, long index) throws IOException {
    try (LedgerSource ledger = options.open(directory)) {
      if (index >= ledger.checkpoint().size()) {
        return terminal.fail(
            "ledger inclusion: there is no entry %s; the ledger has %s",
            index, ledger.checkpoint().size());
      }
      byte[] entry = ledger.entry(index);
      InclusionProof proof = ledger.inclusion(index);
      Hash leaf = Hashing.leaf(entry);
      Hash root = ledger.checkpoint().checkpoint().root();
      boolean holds = proof.verifies(leaf, root);
      var view = ProofView.of(ledger, proof, leaf, entry);
      output.print(terminal, view, () -> view.print(terminal.out()));
      return holds
          ? ExitStatus.OK
          : terminal.fail(
              "ledger inclusion: the proof does not lead to the checkpoint's root %s; "
                  + "the ledger is damaged (parlance ledger verify)",
              root.hex());
    }
  }

  private int verify(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      return terminal.usage("ledger inclusion: cannot read " + file + "; expected a proof");
    }
    Optional<VerifierKey> key = options.key();
    ProofView.Checked checked = ProofView.check(Files.readAllBytes(file), key);
    switch (output.format) {
      case JSON -> terminal.json(checked);
      case TEXT -> {
        if (checked.holds()) {
          terminal.line("the proof holds: " + checked.detail());
          if (key.isEmpty()) {
            terminal.println(
                "note: the key is the proof's own, which proves nothing about who made it"
                    + " (--vkey)");
          }
        } else {
          return terminal.fail("the proof does not hold: " + checked.detail());
        }
      }
    }
    return checked.holds() ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(command.commandLine(), message);
  }

  /**
   * An inclusion proof as it is printed and read again: everything that is needed to check it.
   *
   * @param leafHash hex hash of the entry
   * @param path hex hashes beside the way to the root, nearest first
   * @param checkpoint the signed note
   * @param vkey the log's key
   * @param entry the entry as base64
   */
  record ProofView(
      long index,
      long treeSize,
      String leafHash,
      List<String> path,
      String rootHash,
      String checkpoint,
      String vkey,
      String entry) {
    /** Copies the list. */
    ProofView {
      path = List.copyOf(path);
    }

    /** Whether a proof that was read holds, and what it proves or why not. */
    record Checked(boolean holds, String detail) {}

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
      JsonNode proof;
      try {
        proof = Json.MAPPER.readTree(json);
      } catch (JacksonException e) {
        return new Checked(false, "it is not JSON");
      }
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
                  .formatted(
                      index.longValue(), checkpoint.checkpoint().origin(), checkpoint.size()))
          : new Checked(false, "the path does not lead from the entry to the checkpoint's root");
    }

    private static String text(JsonNode object, String member) {
      return object.path(member).asString("");
    }
  }
}
