package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.RecomputationReport.Disagreement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;

/** The verifier of a stranger: Python, its standard library, and {@code docs/evidence.md}. */
final class PythonVerifier {
  private static final int TIMEOUT_S = 120;
  private static final String STATUS = "status: ";

  private final Path directory;

  PythonVerifier(Path directory) {
    this.directory = directory;
  }

  /** Exit status and output. */
  record Run(int status, String output) {}

  /** Ends the test where there is no Python. */
  static void assumePresent() throws InterruptedException {
    boolean present;
    try {
      present = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException absent) {
      present = false;
    }
    if (!present) {
      System.err.println("SKIPPED: no python3 here, so no stranger has checked the ledger");
    }
    Assumptions.assumeTrue(present, "no python3 on this machine");
  }

  /**
   * One process for all ledgers of the test run; it ends when its input does, at the latest with
   * us.
   */
  private static final class Batch {
    private static Optional<Batch> running = Optional.empty();

    private final Process process;
    private final BufferedReader output;

    private Batch() throws IOException {
      process =
          new ProcessBuilder("python3", "-B", script().toString(), "-")
              .redirectErrorStream(true)
              .start();
      output = process.inputReader(StandardCharsets.UTF_8);
    }

    static synchronized Run verify(Path export, Optional<String> key) throws Exception {
      Batch batch = running.isPresent() ? running.get() : new Batch();
      running = Optional.empty();
      FutureTask<Run> report = new FutureTask<>(() -> batch.report(export, key));
      Thread.startVirtualThread(report);
      try {
        Run run = report.get(TIMEOUT_S, TimeUnit.SECONDS);
        running = Optional.of(batch);
        return run;
      } finally {
        if (running.isEmpty()) {
          batch.process.destroyForcibly();
        }
      }
    }

    private Run report(Path export, Optional<String> key) throws IOException {
      Writer input = process.outputWriter(StandardCharsets.UTF_8);
      input.write(export + key.map(vkey -> "\t" + vkey).orElse("") + "\n");
      input.flush();
      StringBuilder report = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith(STATUS)) {
          return new Run(
              Integer.parseInt(line, STATUS.length(), line.length(), 10), report.toString());
        }
        report.append(line).append('\n');
      }
      throw new IOException("the verifier has ended: " + report);
    }
  }

  Run verify(List<String> export, Optional<String> key) throws Exception {
    return Batch.verify(file(export), key);
  }

  /** The same, with keys that the reader has from the members. */
  Run verify(List<String> export, Optional<String> key, List<String> members) throws Exception {
    Path keys = Files.write(Files.createTempFile(directory, "members", ".txt"), members);
    return Batch.verify(file(export), key.map(vkey -> vkey + "\t" + keys));
  }

  /** Checks records of proof with these keys of members. */
  Run proofs(String records, List<String> members) throws Exception {
    Path keys = Files.write(Files.createTempFile(directory, "members", ".txt"), members);
    Path proofs = Files.writeString(Files.createTempFile(directory, "proofs", ".txt"), records);
    return run(
        List.of(
            "python3", "-B", script().toString(), "--proofs", proofs.toString(), keys.toString()));
  }

  /** The same, by a process for this ledger alone. */
  Run verifyAlone(List<String> export, Optional<String> key) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("python3", "-B", script().toString(), file(export).toString()));
    key.ifPresent(command::add);
    return run(command);
  }

  /** With these arguments and nothing else. */
  Run with(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3", "-B", script().toString()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private Path file(List<String> export) throws IOException {
    return Files.write(
        Files.createTempFile(directory, "export", ".jsonl"), export, StandardCharsets.UTF_8);
  }

  /** A program that may import the verifier. */
  Run program(List<String> lines, List<String> arguments) throws Exception {
    Path file = Files.createTempFile(directory, "program", ".py");
    Files.write(file, lines, StandardCharsets.UTF_8);
    List<String> command = new ArrayList<>(List.of("python3", "-B", file.toString()));
    command.add(String.valueOf(script().getParent()));
    command.addAll(arguments);
    return run(command);
  }

  private Run run(List<String> command) throws Exception {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(output));
  }

  /** The script lies beside the modules; tests run in a module's directory. */
  private static Path script() {
    return besideTheModules("tools/verify_ledger.py");
  }

  static Path besideTheModules(String path) {
    Path here = Path.of("").toAbsolutePath();
    Path inModule = here.resolve("..").resolve(path).normalize();
    return Files.exists(inModule) ? inModule : here.resolve(path);
  }

  List<String> export(List<byte[]> entries) throws Exception {
    return ExportTest.export(Files.createTempDirectory(directory, "log"), entries);
  }

  /** A ledger whose operator has signed what he changed: only recomputing finds it. */
  Run verifyChanged(List<byte[]> sample, int index, UnaryOperator<String> change) throws Exception {
    List<byte[]> entries = new ArrayList<>(sample);
    String text = new String(entries.get(index), StandardCharsets.UTF_8);
    String changed = change.apply(text);
    assertThat(changed).isNotEqualTo(text);
    entries.set(index, changed.getBytes(StandardCharsets.UTF_8));
    RecomputationReport ours = RecomputationTest.recompute(entries);
    assertThat(ours.agrees()).isFalse();
    Run run = verify(export(entries), Optional.of(ExportTest.KEY.verifier().format()));
    assertThat(run.output()).doesNotContain("Traceback");
    // It names the first of the entries that we name.
    long first = ours.disagreements().stream().mapToLong(Disagreement::index).min().orElseThrow();
    assertThat(run.output()).contains("entry " + first + ":");
    return run;
  }
}
