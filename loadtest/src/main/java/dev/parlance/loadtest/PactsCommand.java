package dev.parlance.loadtest;

import dev.parlance.loadtest.compare.ReportTable;
import dev.parlance.loadtest.load.BodyOptions;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.pact.PactBed;
import dev.parlance.loadtest.pact.PactBed.Way;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest pacts}: what a pact from a template adds to the first request under it. */
@Command(
    name = "pacts",
    mixinStandardHelpOptions = true,
    description = {
      "Two sidecars, an agent that answers at once and a control plane, in this process. Asks in",
      "threes: a request on a route without pact, the first one under a new pact from a template,",
      "and a later one under it; the pact is then ended. Tells the times of each and what was",
      "added within a three, for every folder, and how long a sync of 4 KiB takes there. A folder",
      "in memory shows what remains without the disk."
    })
final class PactsCommand implements Callable<Integer> {
  private static final double NS_PER_MS = 1e6;
  private static final int SYNCED_BYTES = 4096;
  private static final double P50 = .5;
  private static final double P90 = .9;
  private static final double P99 = .99;

  /**
   * Requests without a pact between two threes, at least, and until the ledger says that the last
   * pact has ended: what ends it is not to be measured with the next one.
   */
  private static final int BETWEEN = 20;

  @Mixin private BodyOptions bodies = new BodyOptions();

  @Option(
      names = "--data-dir",
      split = ",",
      paramLabel = "FOLDERS",
      description =
          "Where ledger, store and journals are kept (default: a folder for temporaries).")
  private List<Path> folders = List.of();

  @Option(names = "--pacts", description = "Threes to measure (default: ${DEFAULT-VALUE}).")
  private int pacts = 300;

  @Option(names = "--warm-up", description = "Threes before those (default: ${DEFAULT-VALUE}).")
  private int warmUp = 150;

  @Option(
      names = {"-o", "--output"},
      description = "TEXT or MARKDOWN (default: ${DEFAULT-VALUE}).",
      defaultValue = "TEXT")
  private LoadTestMain.Format format = LoadTestMain.Format.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Times of one kind, in nanoseconds, in the order of the threes. */
  private static final class Times {
    private final String name;
    private final long[] ns;

    Times(String name, long[] ns) {
      this.name = name;
      this.ns = ns;
    }

    Times minus(String difference, Times other) {
      long[] added = new long[ns.length];
      Arrays.setAll(added, i -> ns[i] - other.ns[i]);
      return new Times(difference, added);
    }

    List<String> cells(String folder) {
      long[] sorted = ns.clone();
      Arrays.sort(sorted);
      return List.of(
          name, folder, ms(sorted, P50), ms(sorted, P90), ms(sorted, P99), ms(sorted, 1));
    }

    private static String ms(long[] sorted, double share) {
      int rank = (int) Math.ceil(share * sorted.length);
      return String.format(Locale.ROOT, "%.2f", sorted[Math.max(rank, 1) - 1] / NS_PER_MS);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadPlan.check("pacts", pacts, 1, 100_000);
    LoadPlan.check("pacts to warm up", warmUp, 0, 100_000);
    List<List<String>> rows = new ArrayList<>();
    for (Path parent : folders.isEmpty() ? List.of(Path.of("")) : folders) {
      Path folder =
          folders.isEmpty()
              ? Files.createTempDirectory("parlance-pacts")
              : Files.createTempDirectory(parent, "parlance-pacts");
      String where = folders.isEmpty() ? "temporaries" : parent.toString();
      measure(folder).forEach(times -> rows.add(times.cells(where)));
    }
    ReportTable table =
        new ReportTable(
            pacts + " pacts from a template, ms",
            List.of("what", "kept in", "p50", "p90", "p99", "max"),
            rows);
    spec.commandLine()
        .getOut()
        .println(format == LoadTestMain.Format.MARKDOWN ? table.markdown() : table.text());
    return 0;
  }

  private List<Times> measure(Path folder) throws IOException, InterruptedException {
    Times plain = new Times("no pact", new long[pacts]);
    Times first = new Times("first under a pact", new long[pacts]);
    Times later = new Times("later under it", new long[pacts]);
    Times sync = new Times("one sync", new long[pacts]);
    try (PactBed bed = PactBed.start(folder, bodies.plans().getFirst());
        FileChannel file =
            FileChannel.open(
                folder.resolve("synced"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int i = -warmUp; i < pacts; i++) {
        for (int between = 0; between < BETWEEN || bed.hasOpenPacts(); between++) {
          bed.send(Way.PLAIN);
        }
        long syncNs = sync(file);
        long plainNs = bed.send(Way.PLAIN);
        long firstNs = bed.send(Way.PACT);
        long laterNs = bed.send(Way.PACT);
        bed.endPact();
        if (i >= 0) {
          plain.ns[i] = plainNs;
          first.ns[i] = firstNs;
          later.ns[i] = laterNs;
          sync.ns[i] = syncNs;
        }
      }
    }
    return List.of(
        plain,
        first,
        later,
        first.minus("added to the first", plain),
        later.minus("added to a later one", plain),
        sync);
  }

  private static long sync(FileChannel file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SYNCED_BYTES);
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    long beganNs = System.nanoTime();
    file.force(false);
    return System.nanoTime() - beganNs;
  }
}
