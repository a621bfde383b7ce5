package dev.parlance.cli;

import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * How to reach a control plane: by its data folder, in which it leaves {@code control.json} and
 * {@code operator.token}, or by address and token file. Plain text on loopback, TLS elsewhere.
 */
public final class ControlOptions {
  /** Where the control plane keeps its files unless it is configured otherwise. */
  static final Path DATA_DIR_DEFAULT = Path.of("parlance-control");

  /** Where it listens unless it is configured otherwise. */
  static final String ADDRESS_DEFAULT = "127.0.0.1:7070";

  private static final String STATE_FILE = "control.json";

  @Option(
      names = "--control",
      paramLabel = "HOST:PORT",
      description =
          "gRPC address of the control plane (default: what its data folder says, else "
              + "127.0.0.1:7070)")
  public Optional<String> control = Optional.empty();

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "data folder of the control plane (default: parlance-control)")
  public Optional<Path> dataDir = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "file that holds the operators' token (default: operator.token in the folder)")
  Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "PEM file of the authorities to trust; without it, those of the Java runtime")
  Optional<Path> ca = Optional.empty();

  @Option(
      names = "--insecure",
      description =
          "plain text to an address that is not loopback: the token can be read on the way")
  public boolean insecure;

  /** The data folder, as given or the default. */
  Path folder() {
    return dataDir.orElse(DATA_DIR_DEFAULT);
  }

  /** The address and the operators' token. */
  public ControlClient.Address find() throws IOException {
    Path file = tokenFile.orElse(folder().resolve("operator.token"));
    if (!Files.isReadable(file)) {
      throw CommandProblem.failed(
          ("cannot read the operators' token in %s; it belongs to the user the "
                  + "control plane runs as. Name its data folder with --data-dir, or the file "
                  + "with --token-file")
              .formatted(file));
    }
    return find(Optional.of(text(file)));
  }

  /** The address only, for what needs no token. */
  public ControlClient.Address findPublic() throws IOException {
    return find(Optional.empty());
  }

  private ControlClient.Address find(Optional<String> token) throws IOException {
    String address;
    if (control.isPresent()) {
      address = control.get();
    } else {
      Path file = folder().resolve(STATE_FILE);
      Optional<String> written =
          Files.isReadable(file) ? textIn(file, "grpc") : Optional.of(ADDRESS_DEFAULT);
      if (written.isEmpty()) {
        throw CommandProblem.failed(
            "there is no gRPC address in " + file + "; name it with --control HOST:PORT");
      }
      address = written.get();
    }
    if (ca.isPresent() && !Files.isReadable(ca.get())) {
      throw CommandProblem.failed(
          "cannot read " + ca.get() + "; expected certificates in PEM form");
    }
    try {
      URI uri = new URI("grpc://" + address);
      if (uri.getHost() == null
          || uri.getPort() < 1
          || !address.equals(uri.getHost() + ":" + uri.getPort())) {
        throw CommandProblem.failed("expected HOST:PORT of a control plane, got " + address);
      }
      boolean plain = ca.isEmpty() && (insecure || AdminOptions.isLoopback(uri.getHost()));
      return new ControlClient.Address(
          uri.getHost(),
          uri.getPort(),
          token,
          plain ? new ControlClient.Transport.Plain() : new ControlClient.Transport.Tls(ca));
    } catch (URISyntaxException e) {
      throw CommandProblem.failed("expected HOST:PORT of a control plane, got " + address);
    }
  }

  /**
   * A verifier key that the data folder names, {@code coreKey} or {@code ledgerKey}; none if the
   * control plane is named by its address, because then it need not be the folder's.
   */
  public Optional<VerifierKey> keyOfFolder(String member) throws IOException {
    Path file = folder().resolve(STATE_FILE);
    return control.isPresent() || !Files.isReadable(file)
        ? Optional.empty()
        : textIn(file, member).flatMap(key -> VerifierKey.parse(key).value());
  }

  private static Optional<String> textIn(Path file, String member) throws IOException {
    try {
      JsonNode value = Json.MAPPER.readTree(Files.readAllBytes(file)).path(member);
      return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty(); // somebody else's file
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }

  /** The keys that signatures on cores are checked with. */
  public static final class VerifyKeyOption {
    @Option(
        names = "--verify-key",
        paramLabel = "VKEY",
        description =
            "verifier key of cores (parlance control keys prints it); may stand several "
                + "times (default: the key of the data folder, unless --control names an address)")
    List<String> texts = new ArrayList<>();

    /** Refuses texts that are no keys. */
    public void check() {
      for (String text : texts) {
        if (VerifierKey.parse(text) instanceof Parsed.Bad<VerifierKey> bad) {
          throw CommandProblem.usage("--verify-key: " + bad.detail() + "; expected NAME+ID+KEY");
        }
      }
    }

    /** The keys that were named, or the one of the control plane's data folder on this machine. */
    public List<VerifierKey> keys(ControlOptions control) throws IOException {
      return texts.isEmpty()
          ? control.keyOfFolder("coreKey").stream().toList()
          : texts.stream().flatMap(text -> VerifierKey.parse(text).value().stream()).toList();
    }
  }
}
