package dev.parlance.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process that the demonstration starts and ends. It is told to stop by the end of its standard
 * input, which also reaches it when the demonstration itself is killed.
 */
record DemoProcess(String name, Path log, Process process) implements AutoCloseable {
  /** For the processes of a few agents; all live for seconds and start quickly. */
  static final String SMALL = "-Xmx256m -XX:TieredStopAtLevel=1";

  /** For one of many of a kind. */
  static final String SMALLER = "-Xmx112m -Xss512k -XX:TieredStopAtLevel=1";

  static final Duration READY = Duration.ofMinutes(2);
  private static final long POLL_MS = 20;
  private static final Duration STOP_ASKED = Duration.ofSeconds(4);
  private static final Duration STOP_FORCED = Duration.ofSeconds(5);

  /** Launchers add what this variable holds to the flags of their JVM. */
  private static final String JVM_FLAGS = "PARLANCE_JAVA_OPTS";

  /** Starts a process whose output and errors go to {@code <name>.log} in {@code workDir}. */
  static DemoProcess start(String name, List<String> command, Path workDir, String jvmFlags)
      throws IOException {
    Path log = workDir.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    // What the reader sets comes later and wins.
    builder.environment().merge(JVM_FLAGS, jvmFlags, (set, small) -> small + " " + set);
    return new DemoProcess(name, log, builder.start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The content of a file that the child writes atomically once it is ready. */
  JsonNode await(Path file, Duration limit) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    while (!Files.exists(file)) {
      if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "%s ended with status %d before it was ready; see %s"
                .formatted(name, process.exitValue(), log));
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IOException(
            "%s was not ready within %d s; see %s".formatted(name, limit.toSeconds(), log));
      }
    }
    return JsonMapper.shared().readTree(Files.readString(file));
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
  private void everyOne(Consumer<ProcessHandle> end) {
    List<ProcessHandle> descendants = process.descendants().toList();
    end.accept(process.toHandle());
    descendants.forEach(end);
  }
}
