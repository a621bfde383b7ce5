package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;

/** The agent and the client on {@code @a2a-js/sdk}, in processes of Node.js. */
final class JsSide {
  private static final long INSTALL_S = 120;
  private static final long ASK_S = 60;

  private final Path folder;

  private JsSide(Path folder) {
    this.folder = folder;
  }

  /** An agent that runs. */
  record Agent(Process process, int port) implements AutoCloseable {
    /** How often it was asked. */
    int executed() throws IOException {
      try (RawHttp client = new RawHttp(port)) {
        HttpBytes reply = client.send("GET /executed HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").reply();
        return A2a.JSON.readTree(reply.body()).path("executed").asInt(-1);
      }
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /**
   * Installs what the two need below {@code target}, once; where that cannot be done the test is
   * skipped, and says so.
   */
  static JsSide ready() throws IOException, InterruptedException {
    Path source = Path.of("src", "test", "js").toAbsolutePath();
    Path folder = Path.of("target", "js").toAbsolutePath();
    Files.createDirectories(folder);
    Path lock = folder.resolve("package-lock.json");
    Path installed = folder.resolve("node_modules").resolve(".package-lock.json");
    boolean current =
        Files.exists(installed) && Files.mismatch(source.resolve(lock.getFileName()), lock) < 0;
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (!current) {
      install(folder);
    }
    return new JsSide(folder);
  }

  private static void install(Path folder) throws IOException, InterruptedException {
    File output = folder.resolve("npm.log").toFile();
    try {
      Process npm =
          new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output)
              .start();
      if (!npm.waitFor(INSTALL_S, TimeUnit.SECONDS)) {
        npm.destroyForcibly();
        skip("npm ci took more than " + INSTALL_S + " s");
      }
      if (npm.exitValue() != 0) {
        skip("npm ci failed: " + Files.readString(output.toPath()));
      }
    } catch (IOException e) {
      skip("npm cannot be run: " + e.getMessage());
    }
  }

  private static void skip(String why) {
    String message =
        "SKIPPED: nothing was tested with the JavaScript SDK, because Node.js and its packages are"
            + " not there ("
            + why
            + ")";
    System.out.println(message);
    Assumptions.abort(message);
  }

  /** Starts an agent that advertises {@code baseUrl}. */
  Agent agent(String baseUrl) throws IOException {
    Process process =
        new ProcessBuilder("node", "server.mjs", baseUrl)
            .directory(folder.toFile())
            .redirectError(folder.resolve("server.log").toFile())
            .start();
    BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String line = out.readLine();
    if (line == null) {
      throw new IOException("no agent: " + Files.readString(folder.resolve("server.log")));
    }
    return new Agent(process, A2a.JSON.readTree(line).path("port").asInt(0));
  }

  /** Asks the agent at {@code baseUrl} and gives what the client saw, one object a question. */
  List<JsonNode> ask(String baseUrl, String... questions) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("node", "client.mjs", baseUrl));
    command.addAll(List.of(questions));
    Path output = folder.resolve("client.out");
    Path errors = folder.resolve("client.log");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    if (!process.waitFor(ASK_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("the client failed: " + Files.readString(errors));
    }
    return Files.readAllLines(output).stream().map(line -> A2a.JSON.readTree(line)).toList();
  }
}
