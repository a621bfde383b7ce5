package dev.parlance.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that the demonstration starts and ends. It is told to stop by the end of its standard
 * input, which also reaches it when the demonstration itself is killed.
 */
final class DemoProcess implements AutoCloseable {
  private static final long POLL_MS = 20;
  private static final Duration STOP_ASKED = Duration.ofSeconds(4);
  private static final Duration STOP_FORCED = Duration.ofSeconds(5);

  /** Launchers add what this variable holds to the flags of their JVM. */
  private static final String JVM_FLAGS = "PARLANCE_JAVA_OPTS";

  /** Processes that live for seconds on a machine with few cores: little memory, quick start. */
  private static final String SMALL_JVM = "-Xmx256m -XX:TieredStopAtLevel=1";

  /** The same for one of many of a kind. */
  private static final String SMALLER_JVM = "-Xmx112m -Xss512k -XX:TieredStopAtLevel=1";

  private final String name;
  private final Path log;
  private final Process process;

  private DemoProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a process whose standard output and error go to {@code <name>.log} in {@code workDir}.
   */
  static DemoProcess start(String name, List<String> command, Path workDir) throws IOException {
    return start(name, command, workDir, SMALL_JVM);
  }

  /** As {@link #start}, for processes of which there are many at once: with less memory. */
  static DemoProcess startOfMany(String name, List<String> command, Path workDir)
      throws IOException {
    return start(name, command, workDir, SMALLER_JVM);
  }

  private static DemoProcess start(String name, List<String> command, Path workDir, String jvmFlags)
      throws IOException {
    Path log = workDir.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(ProcessBuilder.Redirect.PIPE);
    // What the reader sets comes later and wins.
    builder.environment().merge(JVM_FLAGS, jvmFlags, (set, small) -> small + " " + set);
    return new DemoProcess(name, log, builder.start());
  }

  String name() {
    return name;
  }

  Path log() {
    return log;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Writes lines to its standard input, which stays open. */
  void tell(List<String> lines) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** The content of a file that the child writes atomically once it is ready. */
  String await(Path file, Duration limit) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    while (!Files.exists(file)) {
      if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            name
                + " ended with status "
                + process.exitValue()
                + " before it was ready; see "
                + log);
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IOException(
            name + " was not ready within " + limit.toSeconds() + " s; see " + log);
      }
    }
    return Files.readString(file);
  }

  /** Asks it to stop without waiting; {@link #close} waits. */
  void askToStop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The pipe is broken because the child is gone or going: that is what was wanted.
      process.destroy();
    }
  }

  /** Ends it: by closing its input, then by SIGTERM, then by SIGKILL, each for a bounded time. */
  @Override
  public void close() {
    askToStop();
    try {
      if (!process.waitFor(STOP_ASKED)) {
        everyOne(ProcessHandle::destroy);
      }
      if (!process.waitFor(STOP_FORCED)) {
        everyOne(ProcessHandle::destroyForcibly);
        process.waitFor(STOP_FORCED);
      }
    } catch (InterruptedException e) {
      everyOne(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  /** A launcher script may have the real process as its child. */
  private void everyOne(java.util.function.Consumer<ProcessHandle> end) {
    List<ProcessHandle> descendants = process.descendants().toList();
    end.accept(process.toHandle());
    descendants.forEach(end);
  }
}
