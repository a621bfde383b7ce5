package dev.parlance.cli.ledger;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.ExportReader;
import dev.parlance.ledger.record.LedgerAudit;
import dev.parlance.ledger.verify.VerifyReport.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "verify")
final class LedgerVerifyCommand extends TerminalCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "DIR|EXPORT",
      description = "the ledger's directory, or a file that `parlance ledger export` wrote")
  Optional<Path> place = Optional.empty();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "read the log over HTTP (tlog-tiles), all of it; needs --vkey")
  Optional<String> url = Optional.empty();

  @Mixin LedgerOptions.LogKey logKey = new LedgerOptions.LogKey();

  @Option(
      names = "--witness",
      paramLabel = "KEY",
      description = "key of a witness whose cosignature must hold; may stand several times")
  List<String> witnesses = new ArrayList<>();

  @Option(
      names = "--checkpoint",
      paramLabel = "OLD",
      description = "an older checkpoint of this log, kept elsewhere: the log must begin with it")
  Optional<Path> older = Optional.empty();

  @Option(
      names = "--members",
      paramLabel = "FILE",
      description = {
        "keys of members of rounds, one a line, from the members themselves: every commit",
        "must be signed by 2f+1 of them, and the keys on the ledger count for nothing there"
      })
  Optional<Path> members = Optional.empty();

  @Option(
      names = "--member-faults",
      paramLabel = "F",
      defaultValue = "" + MemberKeys.DEFAULT_FAULTS,
      description =
          "with --members: so many of them may be faulty; rounds that were opened with a smaller f"
              + " are held to this one (default: ${DEFAULT-VALUE})")
  int memberFaults = MemberKeys.DEFAULT_FAULTS;

  private MemberKeys memberKeys = MemberKeys.OF_LEDGER;

  @Mixin OutputOption output = new OutputOption();

  @Override
  public Integer call() throws IOException {
    List<VerifierKey> witnessKeys =
        witnesses.stream()
            .map(text -> LedgerOptions.LogKey.parse("ledger verify", "--witness", text))
            .toList();
    Optional<VerifierKey> trusted = logKey.key("ledger verify");
    if (older.isPresent() && !Files.isReadable(older.get())) {
      return usage("cannot read " + older.get() + "; expected a checkpoint");
    }
    Optional<byte[]> checkpoint =
        older.isPresent() ? Optional.of(Files.readAllBytes(older.get())) : Optional.empty();
    if (members.isPresent()) {
      memberKeys = LedgerOptions.members("ledger verify", members.get(), memberFaults);
    }
    if (url.isPresent() == place.isPresent()) {
      return usage("expected either a directory or an export, or --url");
    }
    if (url.isPresent()) {
      return trusted.isPresent()
          ? served(url.get(), trusted.get(), witnessKeys, checkpoint)
          : usage("--url needs the log's key: --vkey KEY");
    }
    Path named = place.orElseThrow();
    if (Files.isDirectory(named)) {
      return directory(named, trusted, witnessKeys, checkpoint);
    }
    if (Files.isReadable(named)) {
      return witnesses.isEmpty()
          ? export(named, trusted, checkpoint)
          : usage("--witness needs a directory: an export holds one checkpoint as it was signed");
    }
    return usage("cannot read " + named + "; expected a ledger's directory or an export");
  }

  private int served(
      String address, VerifierKey key, List<VerifierKey> witnessKeys, Optional<byte[]> checkpoint)
      throws IOException {
    Path copy = Files.createTempDirectory("parlance-ledger");
    try {
      LedgerOptions.copy(address, key, copy);
      return directory(copy, Optional.of(key), witnessKeys, checkpoint);
    } finally {
      try (Stream<Path> files = Files.walk(copy)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private int usage(String message) {
    return terminal.usage("ledger verify: " + message);
  }

  private int directory(
      Path named,
      Optional<VerifierKey> trusted,
      List<VerifierKey> witnessKeys,
      Optional<byte[]> checkpoint)
      throws IOException {
    Path ledger = LedgerOptions.directory(named);
    Optional<VerifierKey> key = trusted.isPresent() ? trusted : LedgerOptions.keyIn(ledger);
    if (key.isEmpty()) {
      return usage(
          "there is no verifier key in %s; name it with --vkey"
              .formatted(ledger.resolve(LedgerOptions.KEY_FILE)));
    }
    LedgerAudit.Report report =
        LedgerAudit.check(
            ledger, key.get(), witnessKeys, checkpoint, memberKeys, System.currentTimeMillis());
    switch (output.format) {
      case TEXT -> {
        terminal.out().print(TerminalEscaper.block(report.format()));
        notes(trusted.isEmpty(), checkpoint.isEmpty());
      }
      case JSON -> terminal.json(VerificationJson.of(report, trusted.isPresent()));
    }
    return report.sound() ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private int export(Path file, Optional<VerifierKey> trusted, Optional<byte[]> checkpoint)
      throws IOException {
    ExportReader.Report report;
    try (InputStream in = Files.newInputStream(file)) {
      report = ExportReader.read(in, trusted, memberKeys, checkpoint, System.currentTimeMillis());
    }
    switch (output.format) {
      case TEXT -> {
        report.findings().forEach(finding -> terminal.line(finding));
        terminal.out().print(TerminalEscaper.block(report.recomputation().format()));
        notes(trusted.isEmpty(), checkpoint.isEmpty());
        terminal.println(
            (report.sound() ? "sound: " : "not sound: ")
                + report.recomputation().entries()
                + " entries");
      }
      case JSON -> terminal.json(VerificationJson.of(report, trusted.isPresent()));
    }
    return report.sound() ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private void notes(boolean noKey, boolean noOlder) {
    if (noKey) {
      terminal.println(
          "note: the key is the log's own, which proves nothing about who wrote it (--vkey)");
    }
    if (noOlder) {
      terminal.println(
          "note: a history rewritten as a whole shows only beside an older --checkpoint");
    }
  }

  /** What checking a ledger came to, as JSON. */
  static final class VerificationJson {
    private VerificationJson() {}

    /** Of a directory. */
    static Map<String, Object> of(LedgerAudit.Report report, boolean keyGiven) {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("sound", report.sound());
      view.put("origin", report.structure().origin());
      report.structure().size().ifPresent(size -> view.put("size", size));
      view.put("key", report.structure().keyUsed());
      view.put("keyGiven", keyGiven);
      view.put("witnesses", report.structure().witnesses());
      view.put(
          "findings", report.structure().findings().stream().map(VerificationJson::of).toList());
      view.put("beyondCheckpoint", report.structure().beyondCheckpoint());
      report.recomputation().ifPresent(recomputation -> view.put("recomputation", recomputation));
      report.unread().ifPresent(why -> view.put("unread", why));
      return view;
    }

    /** Of an export. */
    static Map<String, Object> of(ExportReader.Report report, boolean keyGiven) {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("sound", report.sound());
      view.put("keyGiven", keyGiven);
      view.put("findings", report.findings());
      view.put("recomputation", report.recomputation());
      return view;
    }

    private static Map<String, Object> of(Finding finding) {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("kind", finding.kind().code());
      view.put("path", finding.path());
      if (finding.index() != Finding.WHOLE_FILE) {
        view.put("index", finding.index());
      }
      view.put("expected", finding.expected());
      view.put("found", finding.found());
      return view;
    }
  }
}
