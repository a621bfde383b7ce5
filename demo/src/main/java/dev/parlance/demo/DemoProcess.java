package dev.parlance.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process that the demonstration starts and ends. It is told to stop by the end of its standard
 * input, which also reaches it when the demonstration itself is killed.
 */
final class DemoProcess implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(60);
  private static final long POLL_MS = 20;
  private static final Duration STOP_ASKED = Duration.ofSeconds(4);
  private static final Duration STOP_FORCED = Duration.ofSeconds(5);

  /** Launchers add what this variable holds to the flags of their JVM. */
  private static final String JVM_FLAGS = "PARLANCE_JAVA_OPTS";

  private final String name;
  private final Path log;
  private final Process process;

  private DemoProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /** A process that has been started and may not be ready yet. */
  record Starting<T>(DemoProcess child, Path readyFile, Function<JsonNode, T> reading) {
    /** Waits for the file that says that it is ready, and reads it. */
    T ready() throws IOException, InterruptedException {
      return reading.apply(JsonMapper.shared().readTree(child.await(readyFile, READY)));
    }
  }

  /** How much memory a launched JVM may have; all of them live for seconds and start quickly. */
  enum Memory {
    /** For the processes of a few agents. */
    SMALL("-Xmx256m -XX:TieredStopAtLevel=1"),
    /** For one of many of a kind. */
    SMALLER("-Xmx112m -Xss512k -XX:TieredStopAtLevel=1");

    private final String jvmFlags;

    Memory(String jvmFlags) {
      this.jvmFlags = jvmFlags;
    }
  }

  /** Starts a process whose output and errors go to {@code <name>.log} in {@code workDir}. */
  static DemoProcess start(String name, List<String> command, Path workDir, Memory memory)
      throws IOException {
    Path log = workDir.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(ProcessBuilder.Redirect.PIPE);
    // What the reader sets comes later and wins.
    builder.environment().merge(JVM_FLAGS, memory.jvmFlags, (set, small) -> small + " " + set);
    return new DemoProcess(name, log, builder.start());
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
  private void everyOne(Consumer<ProcessHandle> end) {
    List<ProcessHandle> descendants = process.descendants().toList();
    end.accept(process.toHandle());
    descendants.forEach(end);
  }
}
