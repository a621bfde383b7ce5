package dev.parlance.loadtest;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest streams}: what a sidecar costs a stream, in time and in memory. */
@Command(
    name = "streams",
    mixinStandardHelpOptions = true,
    description = {
      "Measures what a sidecar adds to the time to the first byte of a stream, and its memory"
          + " during",
      "a long stream and with many slow readers, observing and judging by windows."
    })
final class StreamsCommand implements Callable<Integer> {
  @Option(names = "--pairs", description = "Streams, direct and through (default: 400).")
  private int pairs = 400;

  @Option(names = "--warmup", description = "Pairs before that (default: ${DEFAULT-VALUE}).")
  private int warmup = 400;

  @Option(
      names = "--flow-mb",
      paramLabel = "MB",
      description = "Size of the long stream; 0 for none (default: ${DEFAULT-VALUE}).")
  private int flowMb = 1000;

  @Option(
      names = "--readers",
      description = "Slow readers at a time; 0 for none (default: ${DEFAULT-VALUE}).")
  private int readers = 1000;

  @Option(
      names = "--reader-mb",
      paramLabel = "MB",
      description = "What each of them asks for (default: ${DEFAULT-VALUE}).")
  private int readerMb = 16;

  @Option(
      names = "--reader-seconds",
      paramLabel = "SECONDS",
      description = "How long they read (default: ${DEFAULT-VALUE}).")
  private int readerSeconds = 20;

  @Mixin private SidecarOptions sidecars = new SidecarOptions();
  @Mixin private PinningOption pinning = new PinningOption();
  @Mixin private FormOption form = new FormOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    StreamsPlan plan =
        new StreamsPlan(
            pairs,
            warmup,
            flowMb,
            readers,
            readerMb,
            readerSeconds,
            sidecars.command(),
            sidecars.startTimeout());
    PrintWriter err = spec.commandLine().getErr();
    StreamsReport report =
        new StreamsRun(
                plan,
                pinning.cores(),
                Path.of(System.getProperty("java.io.tmpdir")),
                line -> {
                  err.println(line);
                  err.flush();
                })
            .run();
    PrintWriter out = spec.commandLine().getOut();
    print(out, report.delayTable());
    print(out, report.memoryTable());
    report.allFaults().forEach(fault -> out.println("- " + fault));
    out.flush();
    return report.allFaults().isEmpty() ? 0 : 1;
  }

  private void print(PrintWriter out, Table table) {
    if (!table.rows().isEmpty()) {
      form.print(out, table);
    }
  }
}
