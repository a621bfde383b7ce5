package dev.parlance.cli.ledger;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlOptions;
import dev.parlance.ledger.log.FileStorage;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogSource;
import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.InclusionProof;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a ledger is read from: a directory, an address of tlog-tiles, or a control plane. */
final class LedgerOptions {
  /** Where a log leaves its own key, for convenience. */
  static final String KEY_FILE = "log.vkey";

  @Mixin LogKey logKey = new LogKey();

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "read the log over HTTP (tlog-tiles) instead of a directory; needs --vkey")
  Optional<String> url = Optional.empty();

  @Mixin ControlOptions control = new ControlOptions();

  /** The key that was given. */
  Optional<VerifierKey> key() {
    return logKey.key("");
  }

  /** The key that a log has left in its directory. */
  static Optional<VerifierKey> keyIn(Path directory) throws IOException {
    Path file = directory.resolve(KEY_FILE);
    return Files.isReadable(file)
        ? VerifierKey.parse(Files.readString(file, StandardCharsets.UTF_8).strip()).value()
        : Optional.empty();
  }

  /**
   * The keys of members in a file.
   *
   * @param faults how many of them may be faulty; 0 to take what each round says
   * @throws CommandProblem if the file holds none, with what is expected
   */
  static MemberKeys members(String command, Path file, int faults) {
    String problem;
    try {
      return MemberKeys.parse(Files.readString(file, StandardCharsets.UTF_8), faults);
    } catch (CharacterCodingException e) {
      problem = "is no text (UTF-8)";
    } catch (IOException e) {
      problem = "cannot be read";
    } catch (IllegalArgumentException e) {
      problem = String.valueOf(e.getMessage());
    }
    throw CommandProblem.usage(
        "%s: --members: %s %s; expected the public key of each member of the rounds, NAME+ID+KEY, one a line, as the member itself has said it"
            .formatted(command, file, problem));
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
                  "there is no verifier key in %s; name it with --vkey"
                      .formatted(folder.resolve(KEY_FILE)))),
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
    try {
      return GrpcLedger.open(
          control.findPublic(), key().isPresent() ? key() : control.keyOfFolder("ledgerKey"));
    } catch (CommandProblem e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Copies a log that is served over HTTP, as its checkpoint has it now, into a directory. */
  static void copy(String url, VerifierKey key, Path directory) throws IOException {
    try (HttpTiles tiles = new HttpTiles(base(url))) {
      SignedCheckpoint head =
          new LogReader(tiles, key)
              .checkpoint()
              .orElseThrow(() -> new IOException("there is no checkpoint, so there is no ledger"));
      Files.write(directory.resolve(LogSource.CHECKPOINT), head.bytes());
      long size = head.size();
      for (int level = 0; Tiles.slots(level, size) > 0; level++) {
        for (long index = 0; Tiles.width(level, index, size) > 0; index++) {
          int width = Tiles.width(level, index, size);
          copy(
              tiles,
              directory,
              new TlogPath.HashTile(level, index, width),
              new TlogPath.HashTile(level, index, Tiles.WIDTH));
          if (level == 0) {
            copy(
                tiles,
                directory,
                new TlogPath.EntryBundle(index, width),
                new TlogPath.EntryBundle(index, Tiles.WIDTH));
          }
        }
      }
    }
  }

  /** Copies one file, or the full one that a partial one has become; what is missing is found. */
  private static void copy(LogSource from, Path into, TlogPath part, TlogPath full)
      throws IOException {
    Optional<byte[]> bytes = from.read(part.path());
    TlogPath found = bytes.isPresent() ? part : full;
    if (bytes.isEmpty() && !part.equals(full)) {
      bytes = from.read(full.path());
    }
    if (bytes.isPresent()) {
      Path file = into.resolve(found.path());
      Files.createDirectories(file.getParent());
      Files.write(file, bytes.get());
    }
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

  /** The key of a log, from elsewhere than the log itself. */
  static final class LogKey {
    @Option(
        names = "--vkey",
        paramLabel = "KEY",
        description =
            "verifier key of the log, from elsewhere than the log itself; without it the "
                + "log's own word is taken, which proves nothing about who wrote it")
    Optional<String> vkey = Optional.empty();

    /** The key that was given; a wrong command line if it is none. */
    Optional<VerifierKey> key(String command) {
      return vkey.map(text -> parse(command, "--vkey", text));
    }

    /** Reads a key. */
    static VerifierKey parse(String command, String option, String text) {
      return switch (VerifierKey.parse(text)) {
        case Parsed.Ok<VerifierKey>(VerifierKey key) -> key;
        case Parsed.Bad<VerifierKey>(NoteFault _, String detail) ->
            throw CommandProblem.usage(
                "%s: %s: %s; expected NAME+ID+KEY".formatted(command, option, detail));
      };
    }
  }

  /** Reads a log in the layout of tlog-tiles over HTTP. Close it after use. */
  static final class HttpTiles implements LogSource, AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    /** Above the largest bundle: 256 entries of 64 KiB, each with its length. */
    private static final long BODY_BYTES_MAX = 17L << 20;

    private static final int FOUND = 200;
    private static final int NOT_FOUND = 404;

    private final String base;
    private final HttpClient http;

    HttpTiles(URI base) {
      this.base = base.toString().replaceFirst("/+$", "");
      this.http =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(CONNECT_TIMEOUT)
              .build();
    }

    @Override
    public Optional<byte[]> read(String path) throws IOException {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(base + "/" + path))
              .timeout(REQUEST_TIMEOUT)
              .GET()
              .build();
      HttpResponse<byte[]> response;
      try {
        response =
            http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), BODY_BYTES_MAX));
      } catch (ConnectException e) {
        throw new IOException("nobody answers at " + base, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      return switch (response.statusCode()) {
        case FOUND -> Optional.of(response.body());
        case NOT_FOUND -> Optional.empty();
        default -> throw new IOException(base + "/" + path + " answered " + response.statusCode());
      };
    }

    @Override
    public void close() {
      http.close();
    }
  }

  /** A ledger in the layout of tlog-tiles: a directory, or one served over HTTP. */
  private record TiledLedger(LogView view, VerifierKey key, AutoCloseable storage)
      implements LedgerSource {
    /**
     * The ledger as its stored checkpoint has it.
     *
     * @param close what is to be let go of in the end
     */
    static LedgerSource open(LogSource storage, VerifierKey key, AutoCloseable close)
        throws IOException {
      LogView view =
          new LogReader(storage, key)
              .head()
              .orElseThrow(() -> new IOException("there is no checkpoint, so there is no ledger"));
      return new TiledLedger(view, key, close);
    }

    @Override
    public SignedCheckpoint checkpoint() {
      return view.checkpoint();
    }

    @Override
    public byte[] entry(long index) throws IOException {
      return view.entry(index);
    }

    @Override
    public InclusionProof inclusion(long index) throws IOException {
      return view.inclusion(index);
    }

    @Override
    public void forEach(LogView.EntryVisitor visitor) throws IOException {
      view.forEach(0, view.size(), visitor);
    }

    @Override
    public void close() throws IOException {
      try {
        storage.close();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException("cannot let go of the ledger", e);
      }
    }
  }
}
