package dev.parlance.ledger.record;

import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.Hashing;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads an {@link Export}, checks leaf hashes, root and signature, and recomputes. */
public final class ExportReader {
  private static final int MAX_LINE_BYTES = 2 * EntryCodec.MAX_BYTES;
  private static final int MAX_LISTED = 1000;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final List<String> findings = new ArrayList<>();
  private final CompactRange range = CompactRange.empty();
  private final Recomputation recomputation;

  /** An older checkpoint with which the log must begin. */
  private Optional<SignedCheckpoint> older = Optional.empty();

  /** Why it does not, which counts where nothing else is wrong. */
  private Optional<String> otherwise = Optional.empty();

  private ExportReader(MemberKeys members) {
    this.recomputation = new Recomputation(members);
  }

  /**
   * What an export came to.
   *
   * @param findings what is wrong with lines, hashes, root or signature; empty for a sound export
   * @param recomputation what is wrong with what the entries say
   */
  public record Report(List<String> findings, RecomputationReport recomputation) {
    /** Copies the list. */
    public Report {
      findings = List.copyOf(findings);
    }

    /** Whether nothing is wrong. */
    public boolean sound() {
      return findings.isEmpty() && recomputation.agrees();
    }
  }

  /** The same, with the members' keys that are on the ledger. */
  public static Report read(InputStream export, Optional<VerifierKey> trusted, long nowMs)
      throws IOException {
    return read(export, trusted, MemberKeys.OF_LEDGER, Optional.empty(), nowMs);
  }

  /**
   * Reads to the end.
   *
   * @param trusted the log's key, from elsewhere; without one that of the export is used, which
   *     proves nothing about who wrote the log
   * @param members keys of members of rounds
   * @param older an older checkpoint of the log, kept elsewhere, with which it must begin
   * @param nowMs what time it is
   * @throws IOException where it cannot be read
   */
  public static Report read(
      InputStream export,
      Optional<VerifierKey> trusted,
      MemberKeys members,
      Optional<byte[]> older,
      long nowMs)
      throws IOException {
    return new ExportReader(members).run(new BufferedInputStream(export), trusted, older, nowMs);
  }

  private Report run(
      InputStream in, Optional<VerifierKey> trusted, Optional<byte[]> before, long nowMs)
      throws IOException {
    Optional<SignedCheckpoint> checkpoint = header(line(in).orElse(new byte[0]), trusted, before);
    compareWithOlder();
    for (Optional<byte[]> line = line(in); line.isPresent(); line = line(in)) {
      long index = range.size();
      Optional<byte[]> entry = entry(index, line.get());
      if (entry.isEmpty()) {
        // What follows would stand at another index than it says.
        find("line of entry " + index + " is not one");
        break;
      }
      range.append(Hashing.leaf(entry.get()), (level, at, hash) -> {});
      recomputation.entry(index, entry.get());
      compareWithOlder();
    }
    checkpoint.ifPresent(this::compare);
    older
        .filter(first -> first.size() > range.size())
        .ifPresent(first ->
            otherwise =
                Optional.of(
                    "the older checkpoint has %s entries, the export only %s"
                        .formatted(first.size(), range.size())));
    if (findings.isEmpty()) {
      otherwise.ifPresent(findings::add);
    }
    return new Report(findings, recomputation.report(nowMs));
  }

  private void compare(SignedCheckpoint checkpoint) {
    if (checkpoint.size() != range.size()) {
      find("expected " + checkpoint.size() + " entries, found " + range.size());
    } else if (!range.root().equals(checkpoint.checkpoint().root())) {
      find("the entries do not lead to the checkpoint's root");
    }
  }

  private void compareWithOlder() {
    older
        .filter(before -> before.size() == range.size())
        .map(before -> before.checkpoint().root())
        .filter(root -> !root.equals(range.root()))
        .ifPresent(root ->
            otherwise =
                Optional.of(
                    ("the first %s entries are not those of the older checkpoint: root %s, "
                            + "expected %s")
                        .formatted(range.size(), range.root().hex(), root.hex())));
  }

  private Optional<SignedCheckpoint> header(
      byte[] line, Optional<VerifierKey> trusted, Optional<byte[]> before) {
    String vkey;
    String note;
    try {
      JsonNode header = MAPPER.readTree(new String(line, StandardCharsets.UTF_8));
      if (!header.path("format").asString("").equals(Export.FORMAT)) {
        find("expected the format " + Export.FORMAT);
        return Optional.empty();
      }
      vkey = header.path("vkey").asString("");
      note = header.path("checkpoint").asString("");
    } catch (JacksonException notJson) {
      find("the first line is no header: not JSON");
      return Optional.empty();
    }
    if (trusted.isPresent() && !trusted.get().format().equals(vkey)) {
      find("the export names another key than the trusted one");
    }
    Optional<VerifierKey> key = trusted.or(() -> VerifierKey.parse(vkey).value());
    if (key.isEmpty()) {
      find("the export's key is none");
      return Optional.empty();
    }
    if (before.isPresent()) {
      switch (SignedCheckpoint.open(before.get(), key.get())) {
        case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint checkpoint) ->
            older = Optional.of(checkpoint);
        case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
            otherwise =
                Optional.of("the older checkpoint is refused: " + fault.code() + ", " + detail);
      }
    }
    return switch (SignedCheckpoint.open(note.getBytes(StandardCharsets.UTF_8), key.get())) {
      case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint checkpoint) -> Optional.of(checkpoint);
      case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) -> {
        find("the checkpoint is not one: " + fault.code() + ", " + detail);
        yield Optional.empty();
      }
    };
  }

  /** The entry's bytes, if the line is exactly the one that an export writes for them. */
  private static Optional<byte[]> entry(long index, byte[] line) {
    String text = new String(line, StandardCharsets.UTF_8);
    int begin = text.indexOf("\",\"");
    if (begin < 0 || !text.endsWith("}")) {
      return Optional.empty();
    }
    String rest = text.substring(begin + 2, text.length() - 1);
    byte[] entry;
    if (rest.startsWith("\"entry\":")) {
      entry = rest.substring("\"entry\":".length()).getBytes(StandardCharsets.UTF_8);
    } else if (rest.startsWith("\"bytes\":\"") && rest.endsWith("\"")) {
      try {
        String base64 = rest.substring("\"bytes\":\"".length(), rest.length() - 1);
        entry = Base64.getDecoder().decode(base64);
      } catch (IllegalArgumentException notBase64) {
        return Optional.empty();
      }
    } else {
      return Optional.empty();
    }
    byte[] written = Export.line(index, entry);
    return new String(written, StandardCharsets.UTF_8).equals(text + "\n")
        ? Optional.of(entry)
        : Optional.empty();
  }

  /** The next line without its newline; empty at the end. A longer one than any is cut. */
  private static Optional<byte[]> line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    while (next >= 0 && next != '\n' && line.size() <= MAX_LINE_BYTES) {
      line.write(next);
      next = in.read();
    }
    return Optional.of(line.toByteArray());
  }

  private void find(String what) {
    if (findings.size() < MAX_LISTED) {
      findings.add(what);
    }
  }
}
