package dev.parlance.cli.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An agent that runs: a process that has the standard input of this one, and what it has started.
 * Both its outputs are prefixed with its name.
 */
record AgentProcess(AgentSpec agent, String run, Process process, List<Thread> outputs)
    implements AutoCloseable {
  /** What a shell answers for a program that is not there, and for one that is none. */
  static final int NOT_FOUND = 127;

  static final int NOT_EXECUTABLE = 126;

  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration OUTPUT_ENDS = Duration.ofSeconds(2);
  private static final long POLL_MS = 20;

  /** Where an agent writes. */
  record Outputs(PrefixedLines out, PrefixedLines err) {}

  /**
   * Starts it.
   *
   * @param input whether it has the standard input of this process, or none
   * @throws IOException if there is no such program or it cannot be started
   */
  static AgentProcess start(
      AgentSpec agent, AgentEnvironment environment, Input input, Outputs outputs)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(agent.command())
            .directory(agent.folder().toFile())
            .redirectInput(
                switch (input) {
                  case OURS -> ProcessBuilder.Redirect.INHERIT;
                  case NONE -> ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile());
                });
    builder.environment().clear();
    builder.environment().putAll(environment.all());
    Process process = builder.start();
    return new AgentProcess(
        agent,
        environment.all().getOrDefault(AgentEnvironment.RUN, ""),
        process,
        List.of(
            outputs.out().follow(process.getInputStream(), agent.name() + "-out"),
            outputs.err().follow(process.getErrorStream(), agent.name() + "-err")));
  }

  /** What an agent reads. */
  enum Input {
    OURS,
    NONE
  }

  /** Hands a signal on, by its name without SIG. */
  void signal(String name) {
    if (name.equals("TERM")) {
      // not the process, whose outputs would be closed with it
      process.toHandle().destroy();
      return;
    }
    try {
      // Java has a way for two signals only
      Process kill =
          new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + process.pid())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      kill.waitFor(OUTPUT_ENDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException _) {
      process.toHandle().destroy();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      process.toHandle().destroy();
    }
  }

  /** Ends it at once. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits for its end: its exit status, or 128 and the number of the signal that ended it. */
  int await() throws InterruptedException {
    int status = process.waitFor();
    for (Thread output : outputs) {
      output.join(OUTPUT_ENDS); // something that it has left may still hold the pipe
    }
    return status;
  }

  /** Waits so long for its end. */
  boolean await(Duration limit) throws InterruptedException {
    return process.waitFor(limit);
  }

  /** Ends it and everything it has started, each with a moment to end by itself. */
  @Override
  public void close() {
    end(started());
  }

  private static void end(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroy);
    if (!haveEnded(processes, GRACE)) {
      processes.forEach(ProcessHandle::destroyForcibly);
      haveEnded(processes, GRACE); // a moment until the system has done it
    }
  }

  private static boolean haveEnded(List<ProcessHandle> processes, Duration limit) {
    long deadlineNs = System.nanoTime() + limit.toNanos();
    while (processes.stream().anyMatch(ProcessHandle::isAlive)) {
      if (System.nanoTime() - deadlineNs > 0) {
        return false;
      }
      try {
        Thread.sleep(POLL_MS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  /**
   * What it has started and is still there, itself first. By the mark in their environment, for one
   * whose parent has ended is nobody's child any more.
   */
  private List<ProcessHandle> started() {
    return ProcessHandle.allProcesses()
        .filter(one -> one.pid() != ProcessHandle.current().pid())
        .filter(one -> one.pid() == process.pid() || isMarked(one))
        .filter(ProcessHandle::isAlive)
        .toList();
  }

  private boolean isMarked(ProcessHandle one) {
    Path environment = Path.of("/proc", Long.toString(one.pid()), "environ");
    try {
      String all = new String(Files.readAllBytes(environment), StandardCharsets.ISO_8859_1);
      return ("\0" + all).contains("\0" + AgentEnvironment.RUN + "=" + run + "\0");
    } catch (IOException _) {
      return false; // somebody else's, gone, or a system that has no such files
    }
  }
}
