package dev.parlance.ledger.note;

import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.tree.Hash;
import java.util.List;
import java.util.Optional;

/**
 * The text of a checkpoint: which log, how many entries, which root.
 *
 * <pre>
 * origin\n
 * size in decimal\n
 * base64 of the root\n
 * extension lines, opaque, rarely any\n
 * </pre>
 *
 * @param origin name of the log, non-empty, no newline
 * @param size number of entries, from 0
 * @param root root of the tree of that size
 * @param extensions non-empty lines
 */
public record Checkpoint(String origin, long size, Hash root, List<String> extensions) {
  public Checkpoint {
    extensions = List.copyOf(extensions);
    if (!line(origin) || size < 0 || !extensions.stream().allMatch(Checkpoint::line)) {
      throw new IllegalArgumentException("origin " + origin + ", size " + size);
    }
  }

  /** A checkpoint without extension lines. */
  public Checkpoint(String origin, long size, Hash root) {
    this(origin, size, root, List.of());
  }

  /** Reads the text of a note. */
  public static Parsed<Checkpoint> parse(String text) {
    if (!text.endsWith("\n")) {
      return Parsed.bad(NoteFault.BAD_CHECKPOINT, "no newline at the end");
    }
    List<String> lines = text.substring(0, text.length() - 1).lines().toList();
    if (lines.size() < 3) {
      return Parsed.bad(NoteFault.BAD_CHECKPOINT, lines.size() + " lines instead of 3");
    }
    if (!lines.stream().allMatch(Checkpoint::line)
        || !String.join("\n", lines).concat("\n").equals(text)) {
      return Parsed.bad(NoteFault.BAD_CHECKPOINT, "an empty line or a control character");
    }
    Optional<Long> size = size(lines.get(1));
    if (size.isEmpty()) {
      return Parsed.bad(NoteFault.BAD_CHECKPOINT, "the size is no plain decimal number");
    }
    Optional<Hash> root = Hash.parseBase64(lines.get(2));
    if (root.isEmpty()) {
      return Parsed.bad(NoteFault.BAD_CHECKPOINT, "the root is no base64 of 32 bytes");
    }
    return Parsed.ok(
        new Checkpoint(lines.getFirst(), size.get(), root.get(), lines.subList(3, lines.size())));
  }

  /** The text, which is what is signed. */
  public String format() {
    StringBuilder text = new StringBuilder(origin + "\n" + size + "\n" + root.base64() + "\n");
    extensions.forEach(extension -> text.append(extension).append('\n'));
    return text.toString();
  }

  private static boolean line(String line) {
    return !line.isEmpty() && line.chars().noneMatch(c -> c < 0x20);
  }

  private static Optional<Long> size(String digits) {
    if (!digits.matches("0|[1-9][0-9]{0,18}")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(digits));
    } catch (NumberFormatException above) {
      return Optional.empty();
    }
  }
}
