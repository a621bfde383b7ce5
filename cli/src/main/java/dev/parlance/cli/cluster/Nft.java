package dev.parlance.cli.cluster;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The program that sets the kernel's packet filter. */
final class Nft {
  private static final String NAME = "nft";
  private static final long TIMEOUT_S = 30;
  private static final int SHOWN_CHARS = 2_000;
  private static final int MOST_BYTES = 1 << 20;

  private final Optional<Path> program;
  private final Terminal terminal;

  private Nft(Optional<Path> program, Terminal terminal) {
    this.program = program;
    this.terminal = terminal;
  }

  /**
   * The program.
   *
   * @param given where it is, if somebody said so
   */
  static Nft of(Optional<Path> given, Terminal terminal) {
    return new Nft(given.or(() -> find(terminal)), terminal);
  }

  private static Optional<Path> find(Terminal terminal) {
    List<String> folders = new ArrayList<>();
    String path = terminal.environment().getOrDefault("PATH", "");
    folders.addAll(List.of(path.split(File.pathSeparator, -1)));
    folders.addAll(List.of("/usr/sbin", "/sbin"));
    return folders.stream()
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, NAME))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Has it carry out a script, all of it or nothing. It is ended after half a minute.
   *
   * @param command whose errors these are
   * @return the exit status of the command
   */
  int run(String command, String script) throws IOException, InterruptedException {
    if (program.isEmpty()) {
      return terminal.complain(
          ExitStatus.FAILED,
          command + ": no program nft on the PATH, in /usr/sbin or /sbin; name it with --nft");
    }
    Process process =
        new ProcessBuilder(program.get().toString(), "-f", "-").redirectErrorStream(true).start();
    Executor later = CompletableFuture.delayedExecutor(TIMEOUT_S, TimeUnit.SECONDS);
    later.execute(process::destroyForcibly);
    try (var in = process.getOutputStream()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It ended before it had read everything; its status and words say why.
      terminal.err().flush();
    }
    String words;
    try (var out = process.getInputStream()) {
      words = new String(out.readNBytes(MOST_BYTES), StandardCharsets.UTF_8).strip();
    }
    int status = process.waitFor();
    return status == 0
        ? ExitStatus.OK
        : terminal.complain(
            ExitStatus.FAILED,
            command
                + ": nft failed with status "
                + status
                + ": "
                + TerminalEscaper.shortened(words, SHOWN_CHARS)
                + hint(words));
  }

  private static String hint(String words) {
    if (words.contains("Operation not permitted")) {
      return " (this needs the capability NET_ADMIN)";
    }
    return words.contains("No such file or directory") || words.contains("not supported")
        ? " (the kernel of this node may lack nf_tables; see docs/interception.md)"
        : "";
  }
}
