package dev.parlance.cli;

import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How to reach the admin API of a sidecar: by its data folder, in which it leaves {@code admin.url}
 * and {@code admin.token}, or by address and token file.
 */
public final class AdminOptions {
  /** Where the sidecar keeps its files unless it is configured otherwise. */
  public static final Path DATA_DIR_DEFAULT = Path.of("parlance-data");

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "[::1]");

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "data folder of the sidecar (default: parlance-data)")
  public Optional<Path> dataDir = Optional.empty();

  @Option(
      names = "--admin",
      paramLabel = "URL",
      description = "address of the admin API, e.g. http://127.0.0.1:15000; needs --token-file")
  public Optional<String> admin = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "file that holds the admin token")
  Optional<Path> tokenFile = Optional.empty();

  @Mixin public PodOptions pod = new PodOptions();

  /** True if {@code id} can be an id of a decision or of a held message. */
  public static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /** The options as they were given, to be repeated in a command that is suggested. */
  public String asArguments() {
    var arguments = new StringBuilder();
    arguments.append(pod.asArguments());
    dataDir.ifPresent(folder -> arguments.append(" --data-dir ").append(folder));
    admin.ifPresent(url -> arguments.append(" --admin ").append(url));
    tokenFile.ifPresent(file -> arguments.append(" --token-file ").append(file));
    return TerminalEscaper.line(arguments.toString());
  }

  /** A client of the sidecar. */
  public SidecarClient client() throws IOException {
    return pod.isGiven() ? pod.client(tokenFile) : new SidecarClient(find(), Json.MAPPER);
  }

  /** Reads address and token; a {@link CommandProblem} says what is missing and what to do. */
  public SidecarClient.Address find() throws IOException {
    Path folder = dataDir.orElse(DATA_DIR_DEFAULT);
    Path urlFile = folder.resolve("admin.url");
    if (admin.isEmpty() && !Files.isReadable(urlFile)) {
      throw CommandProblem.failed(
          ("cannot read %s; a running sidecar writes it. Name its data folder with "
                  + "--data-dir, or its address with --admin and --token-file")
              .formatted(urlFile));
    }
    String url = admin.isPresent() ? admin.get() : text(urlFile);
    Path token = tokenFile.orElse(folder.resolve("admin.token"));
    if (!Files.isReadable(token)) {
      throw CommandProblem.failed(
          ("cannot read the admin token in %s; it belongs to the user the sidecar "
                  + "runs as. Name another file with --token-file")
              .formatted(token));
    }
    try {
      URI base = new URI(url);
      if (!"http".equals(base.getScheme())
          || base.getHost() == null
          || !isLoopback(base.getHost())) {
        throw CommandProblem.failed(
            ("the admin address must be http:// on loopback, got %s (forward the port "
                    + "if the sidecar is elsewhere)")
                .formatted(url));
      }
      return new SidecarClient.Address(
          new URI("http", null, base.getHost(), base.getPort(), null, null, null), text(token));
    } catch (URISyntaxException e) {
      throw CommandProblem.failed("the admin address is no URL: " + url);
    }
  }

  /** True if what is sent to {@code host} never leaves the machine; nothing is looked up. */
  public static boolean isLoopback(String host) {
    return LOOPBACK_NAMES.contains(host) || host.matches("127(\\.\\d{1,3}){3}");
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }
}
