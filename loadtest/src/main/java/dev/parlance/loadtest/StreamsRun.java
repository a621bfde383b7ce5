package dev.parlance.loadtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Puts streams through a sidecar that observes them and one that judges them by windows. For the
 * time to the first byte a direct stream and one through the sidecar take turns, and what counts is
 * the difference and the quotient of each pair, so that whatever else the machine does hits both.
 */
final class StreamsRun {
  /** How a route treats streams, and in which mode its sidecar runs. */
  private record Treatment(String name, String mode) {}

  private static final List<Treatment> TREATMENTS =
      List.of(new Treatment("observe", "observe"), new Treatment("window", "enforce"));

  private static final long MB = 1_000_000;
  private static final long SETTLE_MS = 2_000;
  private static final int SETTLE_TRIES = 10;
  private static final long OPENING_NS = 60_000_000_000L;

  /**
   * What a long stream may cost above the idle sidecar, however long it is: the last decisions that
   * a sidecar keeps in memory are 16 MiB, and the heap may grow to its limit of 256 MiB.
   */
  private static final MemoryUse FLOW_BOUND = new MemoryUse(24, 16, 272);

  /**
   * What one slow reader may cost, in MiB: the text of a segment in a buffer that grows by halves,
   * what the judge knows of it, and the unsent bytes up to the mark with what was read beyond it.
   */
  private static final MemoryUse READER_BOUND = new MemoryUse(0.1875, 0.1875, 0.1875);

  private final StreamsPlan plan;
  private final Cores cores;
  private final Path scratch;
  private final Consumer<String> progress;
  private final List<StreamsReport.Delay> delays = new ArrayList<>();
  private final List<StreamsReport.Memory> memory = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  StreamsRun(StreamsPlan plan, Cores cores, Path scratch, Consumer<String> progress) {
    this.plan = plan;
    this.cores = cores;
    this.scratch = scratch;
    this.progress = progress;
  }

  StreamsReport run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(scratch, "parlance-streams-");
    cores.pinThisProcess();
    List<Exchange> exchanges =
        Corpus.build(
            new CorpusPlan(CorpusPlan.DEFAULT_SEED, CorpusPlan.DEFAULT_EXCHANGES, 1, 4.5, 0));
    try (StreamAgent agent = new StreamAgent(exchanges)) {
      for (Treatment treatment : TREATMENTS) {
        measure(
            treatment, agent, exchanges, Files.createDirectories(folder.resolve(treatment.name)));
      }
    }
    StreamsReport report = new StreamsReport(delays, memory, faults);
    if (report.allFaults().isEmpty()) {
      delete(folder);
    } else {
      progress.accept("configurations and logs are kept in " + folder);
    }
    return report;
  }

  private void measure(
      Treatment treatment, StreamAgent agent, List<Exchange> exchanges, Path folder)
      throws IOException, InterruptedException {
    String config =
        ProxyConfigs.streams(
            treatment.mode, treatment.name, agent.port(), folder, SidecarProcess.portsFile(folder));
    byte[] probe = StreamBytes.request("/a2a/answer/0", exchanges.getFirst().question());
    SidecarProcess.Started started =
        SidecarProcess.start(
            plan.parlanceCommand(),
            cores,
            folder,
            config,
            plan.startTimeout(),
            port -> streams(port, probe));
    switch (started) {
      case SidecarProcess.Started.Not(String reason) ->
          faults.add(treatment.name + ": the sidecar " + reason);
      case SidecarProcess.Started.Ready(SidecarProcess sidecar) -> {
        try (sidecar;
            MemoryWatch watch = new MemoryWatch(sidecar)) {
          delays(treatment, agent, sidecar, exchanges);
          // The idle sidecar is one that has been warm: its code is loaded and compiled.
          MemoryUse idle = watch.afterCollection();
          flow(treatment, sidecar, watch, idle);
          readers(treatment, agent, sidecar, watch, idle);
        }
      }
    }
  }

  private static boolean streams(int port, byte[] request) {
    try (StreamClient client = new StreamClient(port)) {
      return client.ask(request).completed();
    } catch (IOException e) {
      return false; // not there yet
    }
  }

  private void delays(
      Treatment treatment, StreamAgent agent, SidecarProcess sidecar, List<Exchange> exchanges)
      throws IOException {
    progress.accept(treatment.name + ": time to the first byte");
    List<StreamClient.Timing> direct = new ArrayList<>();
    List<StreamClient.Timing> through = new ArrayList<>();
    int wrong = 0;
    try (StreamClient toAgent = new StreamClient(agent.port());
        StreamClient toSidecar = new StreamClient(sidecar.inbound())) {
      for (int i = -plan.warmup(); i < plan.pairs(); i++) {
        int which = Math.floorMod(i, exchanges.size());
        byte[] request =
            StreamBytes.request("/a2a/answer/" + which, exchanges.get(which).question());
        boolean directFirst = i % 2 == 0;
        StreamClient.Timing one = (directFirst ? toAgent : toSidecar).ask(request);
        StreamClient.Timing other = (directFirst ? toSidecar : toAgent).ask(request);
        StreamClient.Timing passed = directFirst ? other : one;
        if (!passed.completed() || passed.firstTextNs() < 0) {
          wrong++;
        } else if (i >= 0) {
          direct.add(directFirst ? one : other);
          through.add(passed);
        }
      }
    }
    if (wrong > 0) {
      faults.add(treatment.name + ": " + wrong + " streams were not whole");
    }
    delay(treatment, "first byte", direct, through, StreamClient.Timing::firstByteNs);
    delay(treatment, "first text", direct, through, StreamClient.Timing::firstTextNs);
    delay(treatment, "end", direct, through, StreamClient.Timing::wholeNs);
  }

  private void delay(
      Treatment treatment,
      String what,
      List<StreamClient.Timing> direct,
      List<StreamClient.Timing> through,
      ToDoubleFunction<StreamClient.Timing> time) {
    double[] without = direct.stream().mapToDouble(time).map(ns -> ns / 1e3).toArray();
    double[] with = through.stream().mapToDouble(time).map(ns -> ns / 1e3).toArray();
    double[] added = new double[with.length];
    double[] ratio = new double[with.length];
    for (int i = 0; i < with.length; i++) {
      added[i] = with[i] - without[i];
      ratio[i] = with[i] / without[i];
    }
    if (with.length > 0) {
      delays.add(
          new StreamsReport.Delay(
              treatment.name,
              what,
              quartiles(without),
              quartiles(with),
              quartiles(added),
              quartiles(ratio)));
    }
  }

  /** Median and quartiles, by the nearest rank. */
  static Range quartiles(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    return new Range(
        sorted[last / 2],
        sorted[(int) Math.round(last * 0.25)],
        sorted[(int) Math.round(last * 0.75)]);
  }

  private void flow(Treatment treatment, SidecarProcess sidecar, MemoryWatch watch, MemoryUse idle)
      throws IOException, InterruptedException {
    if (plan.flowMb() == 0) {
      return;
    }
    String what = String.format(Locale.ROOT, "after a stream of %,d MB", plan.flowMb());
    progress.accept(treatment.name + ": a stream of " + plan.flowMb() + " MB");
    List<StreamClient.Timing> timings = new ArrayList<>();
    MemoryUse peak =
        watch.peakDuring(() -> {
          try (StreamClient client = new StreamClient(sidecar.inbound())) {
            timings.add(
                client.ask(
                    StreamBytes.request(
                        "/a2a/flow/" + plan.flowMb() * MB, "Say the license, again and again.")));
          }
        });
    StreamClient.Timing timing = timings.getFirst();
    if (!timing.completed() || timing.bytes() < plan.flowMb() * MB) {
      faults.add(treatment.name + ": the long stream was not whole");
    }
    progress.accept(
        String.format(
            Locale.ROOT, "  %.0f MB/s", timing.bytes() * 1e3 / Math.max(1, timing.wholeNs())));
    memory.add(
        new StreamsReport.Memory(
            treatment.name, what, watch.afterCollection(), peak, FLOW_BOUND, idle));
  }

  private void readers(
      Treatment treatment,
      StreamAgent agent,
      SidecarProcess sidecar,
      MemoryWatch watch,
      MemoryUse idle)
      throws IOException, InterruptedException {
    if (plan.readers() == 0) {
      return;
    }
    int count = plan.readers();
    progress.accept(treatment.name + ": " + count + " slow readers");
    byte[] request =
        StreamBytes.request(
            "/a2a/flow/" + plan.readerMb() * MB, "Say the license, again and again.");
    List<MemoryUse> held = new ArrayList<>();
    long before = agent.flowBytes();
    MemoryUse peak =
        watch.peakDuring(() -> {
          try (SlowReaders readers = new SlowReaders(count, sidecar.inbound(), request)) {
            long end = System.nanoTime() + OPENING_NS;
            while (readers.reading() < count && System.nanoTime() < end) {
              Thread.sleep(100);
            }
            Thread.sleep(plan.readerSeconds() * 1000L);
            held.add(watch.afterCollection());
            if (readers.reading() < count || readers.broken() > 0) {
              faults.add(
                  String.format(
                      Locale.ROOT,
                      "%s: of %d slow readers %d had anything to read and %d were cut",
                      treatment.name,
                      count,
                      readers.reading(),
                      readers.broken()));
            }
            progress.accept(
                String.format(
                    Locale.ROOT,
                    "  the agent could write %.1f MB per reader, of %d",
                    (agent.flowBytes() - before) / 1e6 / count,
                    plan.readerMb()));
          }
        });
    MemoryUse bound =
        new MemoryUse(
            FLOW_BOUND.heap() + count * READER_BOUND.heap(),
            FLOW_BOUND.direct() + count * READER_BOUND.direct(),
            FLOW_BOUND.resident() + count * READER_BOUND.resident());
    memory.add(
        new StreamsReport.Memory(
            treatment.name,
            String.format(Locale.ROOT, "%,d slow readers", count),
            held.getFirst(),
            peak,
            bound,
            idle));
    // A thousand streams end with a last verdict each; that takes a moment.
    MemoryUse after = watch.afterCollection();
    for (int i = 0; i < SETTLE_TRIES && after.heap() - idle.heap() > FLOW_BOUND.heap(); i++) {
      Thread.sleep(SETTLE_MS);
      after = watch.afterCollection();
    }
    memory.add(
        new StreamsReport.Memory(
            treatment.name,
            "after they left",
            after,
            after,
            new MemoryUse(FLOW_BOUND.heap(), bound.direct(), bound.resident()),
            idle));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
