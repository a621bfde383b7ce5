package dev.parlance.control.http;

import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.tile.TlogPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is served, by path.
 *
 * <pre>
 * /checkpoint           signed checkpoint (C2SP tlog-checkpoint)
 * /tile/...             hash tiles and entry bundles (C2SP tlog-tiles)
 * /metrics              Prometheus
 * /healthz              200 while the process works at all
 * /readyz               200 while store and ledger work, else 503 and why
 * </pre>
 */
final class Pages {
  private static final Logger log = LoggerFactory.getLogger(Pages.class);

  private final Supplier<Optional<LogReader>> ledger;
  private final ControlMetrics metrics;
  private final Supplier<List<String>> notReady;

  Pages(
      Supplier<Optional<LogReader>> ledger,
      ControlMetrics metrics,
      Supplier<List<String>> notReady) {
    this.ledger = ledger;
    this.metrics = metrics;
    this.notReady = notReady;
  }

  /** The page at a path; may wait for the ledger's storage. */
  Page at(String uri) {
    int query = uri.indexOf('?');
    String path = query < 0 ? uri : uri.substring(0, query);
    return switch (path) {
      case "/metrics" ->
          Page.now(ControlMetrics.CONTENT_TYPE, metrics.scrape().getBytes(StandardCharsets.UTF_8));
      case "/healthz" -> Page.text(200, "ok");
      case "/readyz" -> ready();
      default -> resource(path);
    };
  }

  private Page ready() {
    List<String> reasons = notReady.get();
    return reasons.isEmpty() ? Page.text(200, "ready") : Page.text(503, String.join("\n", reasons));
  }

  private Page resource(String path) {
    Optional<TlogPath> name =
        path.startsWith("/") ? TlogPath.parse(path.substring(1)) : Optional.empty();
    if (name.isEmpty()) {
      return Page.text(404, "not found");
    }
    Optional<LogReader> reader = ledger.get();
    if (reader.isEmpty()) {
      return Page.text(503, "the ledger is not open");
    }
    try {
      Optional<byte[]> bytes = reader.get().resource(name.get().path());
      return switch (name.get()) {
        case TlogPath.Head _ ->
            bytes
                .map(body -> Page.now("text/plain; charset=utf-8", body))
                .orElseGet(() -> Page.text(404, "not found"));
        case TlogPath.HashTile _, TlogPath.EntryBundle _ ->
            bytes.map(Page::forEver).orElseGet(() -> Page.text(404, "not found"));
      };
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("path", path).log("the ledger could not be read");
      return Page.text(503, "the ledger cannot be read now");
    }
  }

  /** What a path answers with. */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Page(int status, String type, String caching, byte[] body) {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String NO_CACHE = "no-cache";

    /** Never changes under its name. */
    static Page forEver(byte[] body) {
      return new Page(200, "application/octet-stream", "public, max-age=31536000, immutable", body);
    }

    /** As it is now. */
    static Page now(String type, byte[] body) {
      return new Page(200, type, NO_CACHE, body);
    }

    /** A line of text. */
    static Page text(int status, String line) {
      return new Page(status, TEXT, NO_CACHE, (line + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
