package dev.parlance.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * How to reach a control plane: by its data folder, in which it leaves {@code control.json} and
 * {@code operator.token}, or by address and token file. Plain text on loopback, TLS elsewhere.
 */
final class ControlOptions {
  /** Where the control plane keeps its files unless it is configured otherwise. */
  static final Path DATA_DIR_DEFAULT = Path.of("parlance-control");

  /** Where it listens unless it is configured otherwise. */
  static final String ADDRESS_DEFAULT = "127.0.0.1:7070";

  /** How the connection is protected. */
  sealed interface Transport {
    /** Not at all: loopback, or {@code --insecure}. */
    record Plain() implements Transport {}

    /**
     * TLS.
     *
     * @param ca PEM file of the authorities to trust; absent: those of the Java runtime
     */
    record Tls(Optional<Path> ca) implements Transport {}
  }

  /** Where the control plane is, or why that is not known. */
  sealed interface Found {
    /**
     * It is known.
     *
     * @param host name or address, IPv6 in brackets
     * @param token the operators' token; absent where none is needed
     */
    record Address(String host, int port, Optional<String> token, Transport transport)
        implements Found {
      /** {@code host:port}. */
      String shown() {
        return host + ":" + port;
      }
    }

    /**
     * It is not.
     *
     * @param message what is missing and what to do
     */
    record Missing(String message) implements Found {}
  }

  @Option(
      names = "--control",
      paramLabel = "HOST:PORT",
      description = {
        "gRPC address of the control plane",
        "(default: what its data folder says, else 127.0.0.1:7070)"
      })
  Optional<String> control = Optional.empty();

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "data folder of the control plane (default: ./parlance-control)")
  Optional<Path> dataDir = Optional.empty();

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
  boolean insecure;

  /** The data folder, as given or the default. */
  Path folder() {
    return dataDir.orElse(DATA_DIR_DEFAULT);
  }

  /** The address and the operators' token. */
  Found find() throws IOException {
    Path file = tokenFile.orElse(folder().resolve("operator.token"));
    if (!Files.isReadable(file)) {
      return new Found.Missing(
          "cannot read the operators' token in "
              + file
              + "; it belongs to the user the control plane runs as. Name its data folder with"
              + " --data-dir, or the file with --token-file");
    }
    return find(Optional.of(text(file)));
  }

  /** The address only, for what needs no token. */
  Found findPublic() throws IOException {
    return find(Optional.empty());
  }

  private Found find(Optional<String> token) throws IOException {
    String address;
    if (control.isPresent()) {
      address = control.get();
    } else {
      Path file = folder().resolve("control.json");
      Optional<String> written =
          Files.isReadable(file) ? addressIn(file) : Optional.of(ADDRESS_DEFAULT);
      if (written.isEmpty()) {
        return new Found.Missing(
            "there is no gRPC address in " + file + "; name it with --control HOST:PORT");
      }
      address = written.get();
    }
    if (ca.isPresent() && !Files.isReadable(ca.get())) {
      return new Found.Missing("cannot read " + ca.get() + "; expected certificates in PEM form");
    }
    try {
      URI uri = new URI("grpc://" + address);
      if (uri.getHost() == null || uri.getPort() < 1 || !address.equals(uri.getAuthority())) {
        return new Found.Missing("expected HOST:PORT of a control plane, got " + address);
      }
      boolean plain = ca.isEmpty() && (insecure || AdminOptions.isLoopback(uri.getHost()));
      return new Found.Address(
          uri.getHost(),
          uri.getPort(),
          token,
          plain ? new Transport.Plain() : new Transport.Tls(ca));
    } catch (URISyntaxException e) {
      return new Found.Missing("expected HOST:PORT of a control plane, got " + address);
    }
  }

  private static Optional<String> addressIn(Path file) throws IOException {
    try {
      JsonNode grpc = Json.MAPPER.readTree(Files.readAllBytes(file)).path("grpc");
      return grpc.isString() ? Optional.of(grpc.stringValue()) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty(); // being written at this moment, or somebody else's
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }
}
