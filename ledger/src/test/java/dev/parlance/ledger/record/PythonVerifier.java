package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.RecomputationReport.Disagreement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;

/** The verifier of a stranger: Python, its standard library, and {@code docs/evidence.md}. */
final class PythonVerifier {
  private static final int TIMEOUT_S = 120;

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

  Run verify(List<String> export, Optional<String> key) throws Exception {
    Path file = Files.createTempFile(directory, "export", ".jsonl");
    Files.write(file, export, StandardCharsets.UTF_8);
    List<String> command =
        new ArrayList<>(List.of("python3", script().toString(), file.toString()));
    key.ifPresent(command::add);
    return run(command);
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
