package dev.parlance.ledger.verify;

import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Verifies a log from the command line: {@code DIR [--vkey KEY] [--witness KEY]... [--checkpoint
 * FILE]}. Exit code 0 for a sound log, 1 where something is wrong with it, 2 where it could not be
 * verified at all.
 */
public final class VerifyMain {
  private static final String USAGE =
      "usage: DIR [--vkey KEY] [--witness KEY]... [--checkpoint FILE]";
  private static final int SOUND = 0;
  private static final int FOUND = 1;
  private static final int NOT_VERIFIED = 2;
  private static final int MAX_NOTES_SHOWN = 20;

  private VerifyMain() {}

  /** Verifies and ends the process with the exit code. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(args, out, err));
  }

  /** Verifies and says the exit code. */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    Optional<Path> directory = Optional.empty();
    Optional<String> key = Optional.empty();
    Optional<Path> older = Optional.empty();
    List<VerifierKey> witnesses = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      boolean option = args[i].startsWith("--");
      if (option && i + 1 == args.length) {
        return notVerified(err, args[i] + " needs a value; " + USAGE);
      }
      switch (args[i]) {
        case "--vkey" -> key = Optional.of(args[++i]);
        case "--checkpoint" -> older = Optional.of(Path.of(args[++i]));
        case "--witness" -> {
          Optional<VerifierKey> witness = parse(args[++i], err);
          if (witness.isEmpty()) {
            return NOT_VERIFIED;
          }
          witnesses.add(witness.get());
        }
        default -> {
          if (option || directory.isPresent()) {
            return notVerified(err, args[i] + " is not understood; " + USAGE);
          }
          directory = Optional.of(Path.of(args[i]));
        }
      }
    }
    return directory.isEmpty()
        ? notVerified(err, USAGE)
        : run(directory.get(), key, witnesses, older, out, err);
  }

  private static int run(
      Path directory,
      Optional<String> givenKey,
      List<VerifierKey> witnesses,
      Optional<Path> older,
      PrintStream out,
      PrintStream err) {
    try {
      String text =
          givenKey.isPresent()
              ? givenKey.get()
              : Files.readString(directory.resolve("log.vkey"), StandardCharsets.UTF_8).strip();
      Optional<VerifierKey> key = parse(text, err);
      if (key.isEmpty()) {
        return NOT_VERIFIED;
      }
      Optional<byte[]> checkpoint =
          older.isPresent() ? Optional.of(Files.readAllBytes(older.get())) : Optional.empty();
      VerifyReport report = LedgerVerifier.verify(directory, key.get(), witnesses, checkpoint);
      out.println(
          "key "
              + report.keyUsed()
              + (givenKey.isPresent()
                  ? " (given)"
                  : " (from the log's own directory: it proves nothing about who wrote the log)"));
      print(report, older.isPresent(), out);
      return report.sound() ? SOUND : FOUND;
    } catch (IOException e) {
      return notVerified(err, "cannot read " + e.getMessage());
    }
  }

  private static void print(VerifyReport report, boolean olderHeld, PrintStream out) {
    report.findings().forEach(finding -> out.println(finding.format()));
    report.beyondCheckpoint().stream()
        .limit(MAX_NOTES_SHOWN)
        .forEach(path -> out.println("note: beyond_checkpoint " + path));
    if (report.beyondCheckpoint().size() > MAX_NOTES_SHOWN) {
      out.println("note: beyond_checkpoint, " + report.beyondCheckpoint().size() + " files in all");
    }
    report.witnesses().forEach(name -> out.println("cosigned by " + name));
    if (!olderHeld) {
      out.println("note: no older checkpoint was given, so a rewritten history would not be seen");
    }
    String size = report.size().map(entries -> entries + " entries").orElse("of unknown size");
    out.println(
        (report.sound() ? "sound: " : report.findings().size() + " findings: ")
            + report.origin()
            + ", "
            + size);
  }

  private static Optional<VerifierKey> parse(String text, PrintStream err) {
    return switch (VerifierKey.parse(text)) {
      case Parsed.Ok<VerifierKey>(VerifierKey key) -> Optional.of(key);
      case Parsed.Bad<VerifierKey>(NoteFault fault, String detail) -> {
        err.println("not a verifier key: " + fault.code() + ", " + detail);
        yield Optional.empty();
      }
    };
  }

  private static int notVerified(PrintStream err, String why) {
    err.println(why);
    return NOT_VERIFIED;
  }
}
