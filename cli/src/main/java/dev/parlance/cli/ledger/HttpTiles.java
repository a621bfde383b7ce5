package dev.parlance.cli.ledger;

import dev.parlance.ledger.log.LogSource;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Reads a log in the layout of tlog-tiles over HTTP. Close it after use. */
final class HttpTiles implements LogSource, AutoCloseable {
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
