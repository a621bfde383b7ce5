package dev.parlance.cli.run;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.ProcessSignals;
import dev.parlance.cli.Terminal;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.Lifecycle;
import dev.parlance.service.OpenFiles;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One sidecar from its configuration file to its end. */
final class SidecarRun {

  /** Descriptors with which a sidecar starts and takes a few connections. */
  private static final int LEAST_FILES = 120;

  /** Of those, what it still needs once it runs and has opened most of its class path. */
  private static final int LEAST_LEFT = 40;

  private final Terminal terminal;
  private volatile int status = ExitStatus.OK;

  SidecarRun(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Runs it.
   *
   * @param file its configuration
   * @param stopOnStdinClose whether it ends with standard input
   * @return an exit status
   * @throws IOException if an address is taken or the data folder cannot be used
   */
  int run(Path file, boolean stopOnStdinClose) throws IOException {
    // First of all: without descriptors not even the classes that read the file can be loaded.
    Optional<OpenFiles> files = OpenFiles.ofProcess();
    if (files.isPresent()
        && (files.get().limit() < LEAST_FILES || files.get().left() < LEAST_LEFT)) {
      return terminal.fail(
          "proxy: this process may open %d files and sockets (ulimit -n) and has opened %d, a"
              + " sidecar needs at least %d; raise the limit (ulimit -n 1024, LimitNOFILE= of"
              + " systemd, --ulimit nofile= of a container engine)",
          files.get().limit(), files.get().open(), LEAST_FILES);
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return terminal.usage(
          "proxy: cannot read " + file + "; expected a sidecar configuration (YAML)");
    }
    return switch (ConfigLoader.load(file)) {
      case ConfigResult.Refused<SidecarConfig> refused -> {
        refused
            .problems()
            .forEach(problem -> terminal.err().println(ConfigFile.line(file, problem)));
        yield ExitStatus.FAILED;
      }
      case ConfigResult.Loaded(SidecarConfig config) -> run(config, file, stopOnStdinClose);
    };
  }

  private int run(SidecarConfig config, Path file, boolean stopOnStdinClose) throws IOException {
    CompletableFuture<Sidecar> running = new CompletableFuture<>();
    ProcessSignals.handle(
        "HUP",
        () -> {
          CompletableFuture<Void> _ = running.thenAccept(Sidecar::reload);
        });
    Sidecar sidecar = Sidecar.start(config, file);
    running.complete(sidecar);
    HeapTrimmer.watch();
    Lifecycle.closeOnSignal(sidecar::close, () -> status);
    if (stopOnStdinClose) {
      terminal.whenInputEnds(sidecar::close);
    }
    try {
      sidecar.stopped().get();
    } catch (ExecutionException e) {
      status = terminal.fail("proxy: stopped because of " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      status = ExitStatus.FAILED;
    } finally {
      sidecar.close();
    }
    return status;
  }

  /**
   * Gives memory back after a burst: the serial collector shrinks the heap at a full collection
   * only, and a process at rest makes none. So one is asked for when there were collections and
   * then none for {@value #REST_MS} ms: hardly anything was allocated since, so nobody waits for
   * its pause.
   */
  static final class HeapTrimmer {
    static final long REST_MS = 15_000;

    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    private static final int STACK_BYTES = 128 * 1024;

    private long seen;
    private long changedAtMs;
    private boolean busySince;

    /** A process that starts now. */
    HeapTrimmer(long collections, long nowMs) {
      this.seen = collections;
      this.changedAtMs = nowMs;
      this.busySince = true; // starting leaves something as well
    }

    /**
     * Whether a full collection is due now; after it, {@link #collected} has to be told.
     *
     * @param collections how many there were so far
     * @param nowMs on any clock that only goes forward
     */
    boolean isDue(long collections, long nowMs) {
      if (collections != seen) {
        seen = collections;
        changedAtMs = nowMs;
        busySince = true;
      }
      return busySince && nowMs - changedAtMs >= REST_MS;
    }

    /** It was done; {@code collections} counts it. */
    void collected(long collections) {
      seen = collections;
      busySince = false;
    }

    /** Watches this process from a thread of its own until the process ends. */
    static void watch() {
      Thread watcher = new Thread(null, HeapTrimmer::run, "idle-memory", STACK_BYTES);
      watcher.setDaemon(true);
      watcher.start();
    }

    @SuppressWarnings("SystemGc") // the only way to have the heap shrunk
    private static void run() {
      HeapTrimmer idle = new HeapTrimmer(collections(), nowMs());
      try {
        while (true) {
          Thread.sleep(LOOK_EVERY);
          if (idle.isDue(collections(), nowMs())) {
            System.gc();
            idle.collected(collections());
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private static long nowMs() {
      return System.nanoTime() / 1_000_000;
    }

    private static long collections() {
      long count = 0;
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        count += Math.max(0, collector.getCollectionCount());
      }
      return count;
    }
  }
}
