package dev.parlance.loadtest;

import dev.parlance.loadtest.Corpus.CorpusPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A fake upstream in a process of its own, so that its work and its garbage are not the load
 * generator's.
 */
record UpstreamProcess(Child child, int port) implements AutoCloseable {
  private static final long START_NS = 60_000_000_000L;

  /** Starts one that serves these corpora. */
  static UpstreamProcess start(Path folder, Cores cores, List<CorpusPlan> corpora)
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
            Main.class.getName(),
            "upstream",
            "--port-file",
            portFile.toString(),
            "--until-input-ends"));
    CorpusPlan first = corpora.getFirst();
    command.add("--bodies=" + join(corpora.stream().map(CorpusPlan::answerKb).toList()));
    command.add("--request-kb=" + join(corpora.stream().map(CorpusPlan::requestKb).toList()));
    command.add("--distinct=" + first.exchanges());
    command.add("--ungrounded=" + first.ungroundedShare());
    command.add("--seed=" + first.seed());
    Child child =
        Child.start(Cores.on(cores.upstream(), command), folder, folder.resolve("upstream.log"));
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

  private static String join(List<Double> numbers) {
    return String.join(",", numbers.stream().map(Object::toString).toList());
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
