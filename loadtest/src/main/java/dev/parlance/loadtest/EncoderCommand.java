package dev.parlance.loadtest;

import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.Embedders;
import dev.parlance.control.embed.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.ManifestDraft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest encoder}: what it costs to turn a text into a vector. */
@Command(
    name = "encoder",
    mixinStandardHelpOptions = true,
    description = {
      "Measures an encoder of the control plane in this process: how long it takes to",
      "load, memory, time per text one by one, and texts per second from many callers."
    })
final class EncoderCommand implements Callable<Integer> {
  private static final List<Integer> LENGTHS = List.of(40, 150, 600, 2_400);
  private static final int QUEUE = 4_096;

  @Option(
      names = "--dir",
      description = "The encoder's folder (default: the one that comes with Parlance).")
  private Optional<Path> dir = Optional.empty();

  @Option(
      names = "--random-minilm",
      description = "An encoder of the shape of all-MiniLM-L6-v2 with random weights.")
  private boolean isRandom;

  @Option(
      names = "--threads",
      description = "Threads that encode (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private int threads;

  @Option(
      names = "--callers",
      description = "Callers at once in the second part (default: ${DEFAULT-VALUE}).",
      defaultValue = "64")
  private int callers;

  @Option(
      names = "--seconds",
      description = "Length of each measurement (default: ${DEFAULT-VALUE}).",
      defaultValue = "5")
  private int seconds;

  @Mixin private FormOption form = new FormOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Counts runs and the texts in them. */
  private static final class Runs implements EncoderListener {
    final AtomicLong runs = new AtomicLong();
    final AtomicLong texts = new AtomicLong();
    final AtomicLong refused = new AtomicLong();

    @Override
    public void encoded(int count, long tookNs) {
      runs.incrementAndGet();
      texts.addAndGet(count);
    }

    @Override
    public void refused(Embedding.EmbedFault fault) {
      refused.incrementAndGet();
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (threads < 1 || callers < 1 || seconds < 1) {
      throw new IllegalArgumentException(
          "expected --threads, --callers and --seconds of at least 1");
    }
    Optional<Path> made = isRandom ? Optional.of(randomEncoder()) : Optional.empty();
    try {
      return measure(
          made.or(() -> dir)
              .<EncoderChoice>map(EncoderChoice.Folder::new)
              .orElseGet(EncoderChoice.BuiltIn::new));
    } finally {
      if (made.isPresent()) {
        delete(made.get());
      }
    }
  }

  private int measure(EncoderChoice choice) throws InterruptedException {
    long before = residentKb();
    long began = System.nanoTime();
    Runs runs = new Runs();
    try (Embedder embedder = Embedders.open(choice, threads, QUEUE, runs)) {
      double loadMs = (System.nanoTime() - began) / 1e6;
      if (!(embedder.status() instanceof EncoderStatus.Ready(var info))) {
        spec.commandLine().getErr().println("loadtest: " + embedder.status());
        return 1;
      }
      long loaded = residentKb();
      List<List<String>> rows = new ArrayList<>();
      for (int length : LENGTHS) {
        rows.add(row(embedder, runs, length));
      }
      long used = residentKb();
      print(
          new Table(
              String.format(
                  Locale.ROOT,
                  "%s, %d numbers, %d thread(s), %d callers; loaded in %.0f ms; memory of the"
                      + " process +%.0f MiB when loaded, +%.0f MiB after use",
                  info.id(),
                  info.dim(),
                  threads,
                  callers,
                  loadMs,
                  (loaded - before) / 1024.0,
                  (used - before) / 1024.0),
              List.of(
                  "characters",
                  "alone p50, us",
                  "alone p99, us",
                  "CPU each, us",
                  "texts/s",
                  "CPU each, us",
                  "waiting p99, ms",
                  "texts/run"),
              rows));
      return runs.refused.get() == 0 ? 0 : 1;
    }
  }

  private List<String> row(Embedder embedder, Runs runs, int length) throws InterruptedException {
    List<String> texts = texts(length);
    alone(embedder, texts, seconds / 2.0);
    long cpuBefore = cpuUs();
    Histogram alone = alone(embedder, texts, seconds);
    long cpuAlone = cpuUs() - cpuBefore;
    long runsBefore = runs.runs.get();
    long textsBefore = runs.texts.get();
    long began = System.nanoTime();
    Histogram together = together(embedder, texts);
    double took = (System.nanoTime() - began) / 1e9;
    long encoded = runs.texts.get() - textsBefore;
    long cpuTogether = cpuUs() - cpuBefore - cpuAlone;
    return List.of(
        Integer.toString(length),
        String.format(Locale.ROOT, "%,.0f", Percentiles.of(alone).p50Us()),
        String.format(Locale.ROOT, "%,.0f", Percentiles.of(alone).p99Us()),
        cpuEach(cpuAlone, alone.getTotalCount()),
        String.format(Locale.ROOT, "%,.0f", encoded / took),
        cpuEach(cpuTogether, encoded),
        String.format(Locale.ROOT, "%,.1f", Percentiles.of(together).p99Us() / 1e3),
        String.format(
            Locale.ROOT, "%.1f", (double) encoded / Math.max(1, runs.runs.get() - runsBefore)));
  }

  private static Histogram alone(Embedder embedder, List<String> texts, double forSeconds) {
    Histogram times = new Histogram(3);
    long end = System.nanoTime() + (long) (forSeconds * 1e9);
    for (int i = 0; System.nanoTime() < end; i++) {
      long began = System.nanoTime();
      embedder.embed(texts.get(i % texts.size())).toCompletableFuture().join();
      times.recordValue(System.nanoTime() - began);
    }
    return times;
  }

  private Histogram together(Embedder embedder, List<String> texts) throws InterruptedException {
    ConcurrentLinkedQueue<Histogram> all = new ConcurrentLinkedQueue<>();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      List<String> shifted = new ArrayList<>(texts.subList(i % texts.size(), texts.size()));
      shifted.addAll(texts.subList(0, i % texts.size()));
      running.add(Thread.ofVirtual().start(() -> all.add(alone(embedder, shifted, seconds))));
    }
    for (Thread each : running) {
      each.join();
    }
    Histogram sum = new Histogram(3);
    all.forEach(sum::add);
    return sum;
  }

  /** Texts of about this length, from the license, none twice. */
  private static List<String> texts(int length) {
    List<String> sentences = LicenseText.sentences();
    List<String> texts = new ArrayList<>();
    for (int from = 0; from < sentences.size(); from++) {
      StringBuilder text = new StringBuilder();
      for (int i = from; text.length() < length; i++) {
        text.append(sentences.get(i % sentences.size())).append(' ');
      }
      texts.add(text.substring(0, length));
    }
    return texts;
  }

  private static String cpuEach(long us, long texts) {
    return String.format(Locale.ROOT, "%,.0f", (double) us / Math.max(1, texts));
  }

  /** Processor time of this process. */
  private static long cpuUs() {
    return ProcFs.cpuUs(ProcessHandle.current().pid()).orElse(0);
  }

  private static long residentKb() {
    System.gc();
    return ProcFs.residentKb(ProcessHandle.current().pid()).orElse(0);
  }

  private static Path randomEncoder() throws IOException {
    Path folder = Files.createTempDirectory("parlance-encoder");
    RandomBert.miniLmL6().write(folder, LicenseText.sentences());
    var draft =
        new ManifestDraft(
            "random-minilm",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            256,
            Optional.empty(),
            false);
    switch (draft.of(folder)) {
      case ManifestDraft.Result.Made(String json) ->
          Files.writeString(folder.resolve("manifest.json"), json);
      case ManifestDraft.Result.Refused(var fault, String detail) ->
          throw new IllegalStateException(fault + ": " + detail);
    }
    return folder;
  }

  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> inside = Files.list(folder)) {
      files = inside.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(folder);
  }

  private void print(Table table) {
    form.print(spec.commandLine().getOut(), table);
  }
}
