package dev.parlance.proxy.main;

import dev.parlance.proxy.config.ConfigLoader;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Real messages through a real pipeline before the sidecar says that it is ready, so that its first
 * callers do not pay for loading and compiling: a listener, a gate and an origin of their own on
 * the sidecar's own event loops, over loopback, to an agent in this process.
 *
 * <p>The pipeline has its own metrics, budgets, decision log and review queue in a folder {@value
 * #FOLDER} below the data folder that is gone afterwards, so nothing of it is seen in those of the
 * sidecar. It ends after {@code startup.warmUpMessages} messages or {@code startup.warmUpMs},
 * whichever comes first; whatever goes wrong, the sidecar starts.
 */
final class WarmUp {
  static final String FOLDER = ".warm-up";

  private static final Logger log = LoggerFactory.getLogger(WarmUp.class);
  private static final long NS_PER_MS = 1_000_000;
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  /** What came of a warm-up. */
  sealed interface Outcome {
    /** Nothing was asked for. */
    record Off() implements Outcome {}

    /**
     * Another sidecar of this process has done it: what is loaded and compiled is the process's.
     */
    record Before() implements Outcome {}

    /**
     * All messages were answered.
     *
     * @param messages how many
     * @param ms how long it took
     */
    record Done(int messages, long ms) implements Outcome {}

    /**
     * The time was up first.
     *
     * @param messages how many were answered
     * @param ms how long it took
     */
    record Late(int messages, long ms) implements Outcome {}

    /**
     * It could not be done, or not to its end.
     *
     * @param messages how many were answered
     * @param reason what went wrong
     */
    record Failed(int messages, String reason) implements Outcome {}
  }

  private final SidecarConfig config;
  private final EventLoops loops;

  WarmUp(SidecarConfig config, EventLoops loops) {
    this.config = config;
    this.loops = loops;
  }

  /** Runs it on this thread, once in a process, and logs the outcome. */
  Outcome run() {
    boolean wanted = config.startup().warmUpMessages() > 0;
    Outcome outcome =
        wanted && !STARTED.compareAndSet(false, true) ? new Outcome.Before() : attempt();
    switch (outcome) {
      case Outcome.Off(), Outcome.Before() -> log.atDebug().log("no warm-up");
      case Outcome.Done(int messages, long ms) ->
          log.atInfo().addKeyValue("messages", messages).addKeyValue("ms", ms).log("warm");
      case Outcome.Late(int messages, long ms) ->
          log.atInfo()
              .addKeyValue("messages", messages)
              .addKeyValue("ms", ms)
              .log("warm-up ended by its time");
      case Outcome.Failed(int messages, String reason) ->
          log.atWarn()
              .addKeyValue("messages", messages)
              .addKeyValue("reason", reason)
              .log("warm-up failed; the first messages will be slow");
    }
    return outcome;
  }

  /** As {@link #run}, whatever was before, and without a word. */
  Outcome attempt() {
    int messages = config.startup().warmUpMessages();
    if (messages == 0) {
      return new Outcome.Off();
    }
    long began = System.nanoTime();
    long deadlineNs = began + config.startup().warmUpMs() * NS_PER_MS;
    Path folder = config.dataDir().resolve(FOLDER);
    int answered = 0;
    try {
      empty(folder);
      Files.createDirectories(folder);
      try (WarmUpAgent agent = WarmUpAgent.start()) {
        Optional<SidecarConfig> own = configuration(folder, agent.port());
        if (own.isEmpty()) {
          return new Outcome.Failed(0, "its own configuration is refused");
        }
        Sidecar rehearsal = Sidecar.rehearsal(own.get(), loops);
        try (WarmUpCaller caller = new WarmUpCaller(rehearsal.inboundPort().orElseThrow())) {
          while (answered < messages && caller.ask(answered, deadlineNs)) {
            answered++;
          }
        } finally {
          rehearsal.cut();
        }
      }
      long ms = (System.nanoTime() - began) / NS_PER_MS;
      return answered == messages ? new Outcome.Done(answered, ms) : new Outcome.Late(answered, ms);
    } catch (IOException | RuntimeException e) {
      return new Outcome.Failed(answered, e.toString());
    } finally {
      emptyQuietly(folder);
    }
  }

  /** What an ordinary sidecar in front of one A2A agent has. */
  static Optional<SidecarConfig> configuration(Path folder, int agentPort) {
    String yaml =
        """
        node: warm-up
        mode: enforce
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d" }
        admin: { listen: "127.0.0.1:0" }
        dataDir: .
        limits: { flows: 1000 }
        routes:
          - { name: warm-up, match: { pathPrefix: %s }, codec: a2a, grounding: optional }
        """
            .formatted(agentPort, WarmUpTexts.PATH);
    return switch (ConfigLoader.parse(yaml, folder)) {
      case ConfigResult.Loaded(SidecarConfig loaded) -> Optional.of(loaded);
      case ConfigResult.Refused<SidecarConfig> _ -> Optional.empty();
    };
  }

  private static void emptyQuietly(Path folder) {
    try {
      empty(folder);
    } catch (IOException e) {
      log.atWarn().addKeyValue("folder", folder).setCause(e).log("warm-up left files");
    }
  }

  private static void empty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> inside;
    try (Stream<Path> files = Files.walk(folder)) {
      inside = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : inside) {
      Files.deleteIfExists(file);
    }
  }
}
