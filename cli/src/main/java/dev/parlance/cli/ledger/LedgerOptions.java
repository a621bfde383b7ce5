package dev.parlance.cli.ledger;

import dev.parlance.cli.api.ControlOptions;
import dev.parlance.cli.api.GrpcLedger;
import dev.parlance.cli.api.LedgerSource;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.LogSource;
import dev.parlance.ledger.note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a ledger is read from: a directory, an address of tlog-tiles, or a control plane. */
final class LedgerOptions {
  /** Where a log leaves its own key, for convenience. */
  static final String KEY_FILE = "log.vkey";

  @Option(
      names = "--vkey",
      paramLabel = "KEY",
      description =
          "verifier key of the log, from elsewhere than the log itself; without it the "
              + "log's own word is taken, which proves nothing about who wrote it")
  Optional<String> vkey = Optional.empty();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "read the log over HTTP (tlog-tiles) instead of a directory; needs --vkey")
  Optional<String> url = Optional.empty();

  @Mixin ControlOptions control = new ControlOptions();

  /** What is wrong with the key, if anything. */
  Optional<String> problem() {
    return vkey.flatMap(text ->
        switch (VerifierKey.parse(text)) {
          case Parsed.Ok<VerifierKey> _ -> Optional.empty();
          case Parsed.Bad<VerifierKey>(NoteFault _, String detail) ->
              Optional.of("--vkey: " + detail + "; expected NAME+ID+KEY");
        });
  }

  /** The key that was given. */
  Optional<VerifierKey> key() {
    return vkey.flatMap(text -> VerifierKey.parse(text).value());
  }

  /** The key that a log has left in its directory. */
  static Optional<VerifierKey> keyIn(Path directory) throws IOException {
    Path file = directory.resolve(KEY_FILE);
    return Files.isReadable(file)
        ? VerifierKey.parse(Files.readString(file, StandardCharsets.UTF_8).strip()).value()
        : Optional.empty();
  }

  /** The ledger's own directory, where the data folder of a control plane was named. */
  static Path directory(Path named) {
    Path inside = named.resolve("ledger");
    return !Files.exists(named.resolve(LogSource.CHECKPOINT))
            && Files.exists(inside.resolve(LogSource.CHECKPOINT))
        ? inside
        : named;
  }

  /** The ledger in a directory, or where the options say. */
  LedgerSource open(Optional<Path> directory) throws IOException {
    if (directory.isPresent()) {
      Path folder = directory(directory.get());
      if (!Files.isDirectory(folder)) {
        throw new IOException("cannot read " + folder + "; expected the directory of a ledger");
      }
      Optional<VerifierKey> key = key().isPresent() ? key() : keyIn(folder);
      return TiledLedger.open(
          FileStorage.readOnly(folder),
          key.orElseThrow(() ->
              new IOException(
                  "there is no verifier key in "
                      + folder.resolve(KEY_FILE)
                      + "; name it with --vkey")),
          () -> {});
    }
    if (url.isPresent()) {
      var tiles = new HttpTiles(base(url.get()));
      try {
        return TiledLedger.open(
            tiles,
            key().orElseThrow(() -> new IOException("--url needs the log's key: --vkey KEY")),
            tiles);
      } catch (IOException | RuntimeException e) {
        tiles.close();
        throw e;
      }
    }
    return switch (control.findPublic()) {
      case ControlOptions.Found.Missing(String message) -> throw new IOException(message);
      case ControlOptions.Found.Address address ->
          GrpcLedger.open(address, key().isPresent() ? key() : control.keyOfFolder("ledgerKey"));
    };
  }

  private static URI base(String text) throws IOException {
    try {
      URI uri = new URI(text);
      if (uri.getHost() != null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw new IOException("--url: expected http://HOST:PORT or https://..., got " + text, e);
    }
    throw new IOException("--url: expected http://HOST:PORT or https://..., got " + text);
  }
}
