package dev.parlance.cli.review;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.client.SidecarClient;
import dev.parlance.proxy.audit.LoggedProfiles;
import dev.parlance.service.IoWords;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What somebody who helps needs to see. */
@Command(
    name = "diagnostics",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DiagnosticsCommand.Bundle.class})
final class DiagnosticsCommand {
  @Command(name = "bundle")
  static final class Bundle extends TerminalCommand {
    private static final DateTimeFormatter STAMP =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int LINES_MAX = 100_000;

    @Mixin AdminOptions admin = new AdminOptions();

    @Option(
        names = "--lines",
        paramLabel = "N",
        description = "latest lines of the decision log, 0 to 100000 (default: 2000)")
    int lines = 2000;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description = "the file to write, which must not exist (default: parlance-TIME.zip)")
    Optional<Path> out = Optional.empty();

    @Override
    public Integer call() throws IOException {
      CommandProblem.checkRange("--lines", lines, 0, LINES_MAX);
      Path folder = admin.dataDir.orElse(AdminOptions.DATA_DIR_DEFAULT);
      if (!admin.pod.isGiven() && !Files.isDirectory(folder)) {
        return terminal.fail(
            "there is no folder " + folder + "; name the data folder of a sidecar with --data-dir");
      }
      Path file =
          out.orElseGet(
              () -> Path.of("parlance-" + STAMP.format(Clock.systemUTC().instant()) + ".zip"));
      DiagnosticsBundle bundle = new DiagnosticsBundle(folder, lines);
      try {
        bundle.write(file, admin);
      } catch (FileAlreadyExistsException e) {
        return terminal.fail(file + " is there already");
      }
      terminal.out().println(file);
      bundle.missing().forEach(what -> terminal.fail("not in it: " + what));
      return bundle.missing().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }

  /** One ZIP file about a sidecar, without texts of messages and without secrets. */
  static final class DiagnosticsBundle {
    private static final int FILES_MAX = 10_000;

    /** What is asked, by the name it gets. None of these answers holds a text of a message. */
    private static final Map<String, String> ASKED = asked();

    private final Path dataDir;
    private final int lines;
    private final List<String> missing = new ArrayList<>();

    /**
     * Nothing is collected yet.
     *
     * @param dataDir data folder of the sidecar
     * @param lines latest lines of the decision log, 0 or more
     */
    DiagnosticsBundle(Path dataDir, int lines) {
      this.dataDir = dataDir;
      this.lines = lines;
    }

    private static Map<String, String> asked() {
      Map<String, String> asked = new LinkedHashMap<>();
      asked.put("readyz.json", "/readyz");
      asked.put("config.json", "/config");
      asked.put("metrics.txt", "/metrics");
      asked.put("cores.json", "/cores");
      return asked;
    }

    /** What could not be had, and why, one line each. */
    List<String> missing() {
      return List.copyOf(missing);
    }

    /**
     * Writes the file.
     *
     * @param file must not exist
     */
    void write(Path file, AdminOptions admin) throws IOException {
      createForOwner(file);
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.TRUNCATE_EXISTING);
          ZipOutputStream zip = new ZipOutputStream(out)) {
        try {
          ask(admin, zip);
        } catch (CommandProblem problem) {
          missing.add("the sidecar: " + problem.getMessage());
        }
        if (!admin.pod.isGiven()) {
          log(zip);
          entry(zip, "files.txt", files().getBytes(StandardCharsets.UTF_8));
        }
        entry(zip, "bundle.json", Json.pretty(about()).getBytes(StandardCharsets.UTF_8));
      }
    }

    /** Ids, peers and paths are nobody else's business on a machine that others use too. */
    private static void createForOwner(Path file) throws IOException {
      if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      } else {
        Files.createFile(file);
      }
    }

    private void ask(AdminOptions admin, ZipOutputStream zip) throws IOException {
      try (SidecarClient client = admin.client()) {
        for (Map.Entry<String, String> each : ASKED.entrySet()) {
          try {
            HttpResponse<byte[]> answer = client.raw(each.getValue());
            entry(zip, each.getKey(), answer.body());
            if (answer.statusCode() != 200 && !each.getValue().equals("/readyz")) {
              missing.add(each.getValue() + ": status " + answer.statusCode());
            }
          } catch (IOException e) {
            missing.add(each.getValue() + ": " + IoWords.why(e));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            missing.add(each.getValue() + ": interrupted");
            return;
          }
        }
        if (admin.pod.isGiven()) {
          decisions(client, zip);
        }
      }
    }

    /** What the admin API has of the log, as its files are out of reach. */
    private void decisions(SidecarClient client, ZipOutputStream zip) throws IOException {
      Deque<String> latest = new AdminLines(client).last(lines);
      entry(
          zip,
          "decisions.jsonl",
          String.join("\n", latest).concat("\n").getBytes(StandardCharsets.UTF_8));
    }

    private void log(ZipOutputStream zip) throws IOException {
      Deque<String> latest = new ArrayDeque<>();
      LoggedProfiles profiles = new LoggedProfiles();
      for (String name : List.of("decisions-1.jsonl", "decisions.jsonl")) {
        profiles(dataDir.resolve(name), profiles);
        try (LogTail tail = new LogTail(dataDir.resolve(name), dataDir.resolve(name))) {
          latest.addAll(tail.last(lines));
        }
      }
      while (latest.size() > lines) {
        latest.remove();
      }
      StringBuilder text = new StringBuilder();
      latest.forEach(line -> text.append(profiles.whole(line)).append('\n'));
      entry(zip, "decisions.jsonl", text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** What the lines of a log name that stands before them; one byte is one character. */
    private static void profiles(Path file, LoggedProfiles into) throws IOException {
      if (Files.isReadable(file)) {
        try (Stream<String> all = Files.lines(file, StandardCharsets.ISO_8859_1)) {
          all.filter(LoggedProfiles::isProfile).forEach(into::read);
        }
      }
    }

    /** Names, sizes and ages; never contents. */
    private String files() throws IOException {
      StringBuilder text = new StringBuilder();
      try (Stream<Path> paths = Files.walk(dataDir, 3)) {
        paths.sorted().limit(FILES_MAX).forEach(path -> text.append(line(path)).append('\n'));
      }
      return text.toString();
    }

    private String line(Path path) {
      String name = TerminalEscaper.line(dataDir.relativize(path).toString());
      try {
        return "%12d  %s  %s"
            .formatted(
                Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? 0 : Files.size(path),
                Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS),
                name);
      } catch (IOException e) {
        return "           -  gone meanwhile  " + name;
      }
    }

    private Map<String, Object> about() {
      BuildInfo build = BuildInfo.load();
      Map<String, Object> about = new LinkedHashMap<>();
      about.put("madeAt", Instant.now().toString());
      about.put("commandVersion", build.version());
      about.put("commandRevision", build.revision());
      about.put("java", Runtime.version().toString());
      about.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
      about.put("architecture", System.getProperty("os.arch"));
      about.put("processors", Runtime.getRuntime().availableProcessors());
      about.put("missing", missing);
      return about;
    }

    private static void entry(ZipOutputStream zip, String name, byte[] content) throws IOException {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
      zip.closeEntry();
    }
  }
}
