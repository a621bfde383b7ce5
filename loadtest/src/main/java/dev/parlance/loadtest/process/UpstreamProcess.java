package dev.parlance.loadtest.process;

import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.FakeUpstream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A fake upstream in a process of its own, so that its work and its garbage are not the load
 * generator's.
 */
public record UpstreamProcess(ChildProcess child, int port) implements AutoCloseable {
  private static final long START_NS = 60_000_000_000L;

  /** Starts one that serves these corpora. */
  public static UpstreamProcess start(Path folder, CorePinning cores, List<CorpusPlan> corpora)
      throws IOException, InterruptedException {
    Path portFile = folder.resolve("upstream.port");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xmx512m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dio.netty.jfr.enabled=false",
            "-cp",
            System.getProperty("java.class.path"),
            UpstreamProcess.class.getName(),
            portFile.toString()));
    corpora.forEach(plan -> command.add(word(plan)));
    ChildProcess child =
        ChildProcess.start(
            CorePinning.on(cores.upstream(), command), folder, folder.resolve("upstream.log"));
    long end = System.nanoTime() + START_NS;
    while (child.isAlive() && System.nanoTime() < end) {
      Optional<Integer> port = readPort(portFile);
      if (port.isPresent()) {
        return new UpstreamProcess(child, port.get());
      }
      Thread.sleep(20);
    }
    child.close();
    throw new IOException("the fake upstream did not start:\n" + child.tail());
  }

  private static String word(CorpusPlan plan) {
    return String.join(
        ",",
        Long.toString(plan.seed()),
        Integer.toString(plan.exchanges()),
        Double.toString(plan.requestKb()),
        Double.toString(plan.answerKb()),
        Double.toString(plan.ungroundedShare()));
  }

  private static CorpusPlan plan(String word) {
    String[] parts = word.split(",", 5);
    return new CorpusPlan(
        Long.parseLong(parts[0]),
        Integer.parseInt(parts[1]),
        Double.parseDouble(parts[2]),
        Double.parseDouble(parts[3]),
        Double.parseDouble(parts[4]));
  }

  /**
   * The process itself: answers until its standard input ends.
   *
   * @param args the file to write the port to, and the plan of each corpus
   */
  public static void main(String[] args) throws IOException {
    List<CorpusPlan> plans = Arrays.stream(args).skip(1).map(UpstreamProcess::plan).toList();
    try (FakeUpstream upstream =
        new FakeUpstream(0, plans.stream().map(ExchangeCorpus::build).toList())) {
      Path file = Path.of(args[0]);
      Path partial = file.resolveSibling(file.getFileName() + ".partial");
      Files.writeString(partial, Integer.toString(upstream.port()));
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static Optional<Integer> readPort(Path file) throws IOException {
    return Files.exists(file)
        ? Optional.of(Files.readString(file, StandardCharsets.US_ASCII).strip())
            .filter(text -> text.matches("[0-9]{1,5}"))
            .map(Integer::parseInt)
        : Optional.empty();
  }

  @Override
  public void close() {
    child.close();
  }
}
