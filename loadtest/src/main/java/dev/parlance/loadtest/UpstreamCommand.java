package dev.parlance.loadtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest upstream}: an agent that answers at once, until it is interrupted. */
@Command(
    name = "upstream",
    mixinStandardHelpOptions = true,
    description = "Answers A2A SendMessage on a loopback port until interrupted.")
final class UpstreamCommand implements Callable<Integer> {
  @Mixin private BodyOptions bodies = new BodyOptions();

  @Option(names = "--port", description = "Port (default: a free one).")
  private int port;

  @Option(names = "--port-file", hidden = true)
  private Optional<Path> portFile = Optional.empty();

  @Option(names = "--until-input-ends", hidden = true)
  private boolean untilInputEnds;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (FakeUpstream upstream =
        new FakeUpstream(port, bodies.plans().stream().map(Corpus::build).toList())) {
      spec.commandLine().getOut().println("answering on http://127.0.0.1:" + upstream.port());
      spec.commandLine().getOut().flush();
      if (portFile.isPresent()) {
        publish(portFile.get(), upstream.port());
      }
      if (untilInputEnds) {
        System.in.transferTo(java.io.OutputStream.nullOutputStream());
      } else {
        new CountDownLatch(1).await();
      }
    }
    return 0;
  }

  /** Readers see the whole number or no file. */
  private static void publish(Path file, int port) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, Integer.toString(port));
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
