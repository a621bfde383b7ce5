package dev.parlance.loadtest.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that we started, with its output in a file. It and what it started itself are ended by
 * their own process ids when this closes, and at the latest when this virtual machine ends.
 */
public final class ChildProcess implements AutoCloseable {
  private static final int GRACE_SECONDS = 10;
  private static final int TAIL_LINES = 15;

  private final Process process;
  private final Path log;
  private final Thread hook = new Thread(this::stop, "stop-child");

  private ChildProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a command whose output goes to {@code log}; its standard input stays open until it ends.
   */
  public static ChildProcess start(List<String> command, Path folder, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    ChildProcess child = new ChildProcess(process, log);
    try {
      Runtime.getRuntime().addShutdownHook(child.hook);
    } catch (IllegalStateException e) {
      child.stop(); // this virtual machine is ending already, so nobody else would stop it
      throw new IOException("interrupted", e);
    }
    return child;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** The end of what it printed. */
  public String tail() {
    try {
      List<String> lines = Files.readString(log, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The virtual machine is ending: the hook runs anyway and finds the process gone.
    }
  }

  private void stop() {
    List<ProcessHandle> handles =
        java.util.stream.Stream.concat(
                process.descendants(), java.util.stream.Stream.of(process.toHandle()))
            .toList();
    handles.forEach(ProcessHandle::destroy);
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // Those that ignored the polite signal, or that nobody waits for.
    handles.stream().filter(ProcessHandle::isAlive).forEach(ProcessHandle::destroyForcibly);
  }
}
