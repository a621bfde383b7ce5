package dev.parlance.control.http;

import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.service.http.HttpReply;
import dev.parlance.service.http.Site;
import dev.parlance.service.metric.MetricFamilies;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
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
record Pages(
    Supplier<Optional<LogReader>> ledger, ControlMetrics metrics, Supplier<List<String>> notReady)
    implements Site {
  private static final String NO_CACHE = "no-cache";

  private static final Logger log = LoggerFactory.getLogger(Pages.class);

  @Override
  public Entry enter(FullHttpRequest request, int ownPort) {
    if (request.decoderResult().isFailure()) {
      return new Entry.Refused(text(400, "bad request"));
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      return new Entry.Quick(() -> text(405, "GET and HEAD only"));
    }
    String uri = request.uri();
    return new Entry.Slow(() -> at(uri));
  }

  @Override
  public HttpReply failed() {
    return text(500, "see the log of this replica");
  }

  @Override
  public HttpReply busy() {
    return text(503, "this replica stops");
  }

  /** The page at a path; may wait for the ledger's storage. */
  private HttpReply at(String uri) {
    int query = uri.indexOf('?');
    String path = query < 0 ? uri : uri.substring(0, query);
    return switch (path) {
      case "/metrics" ->
          now(MetricFamilies.CONTENT_TYPE, metrics.scrape().getBytes(StandardCharsets.UTF_8));
      case "/healthz" -> text(200, "ok");
      case "/readyz" -> ready();
      default -> resource(path);
    };
  }

  private HttpReply ready() {
    List<String> reasons = notReady.get();
    return reasons.isEmpty() ? text(200, "ready") : text(503, String.join("\n", reasons));
  }

  private HttpReply resource(String path) {
    Optional<TlogPath> name =
        path.startsWith("/") ? TlogPath.parse(path.substring(1)) : Optional.empty();
    if (name.isEmpty()) {
      return text(404, "not found");
    }
    Optional<LogReader> reader = ledger.get();
    if (reader.isEmpty()) {
      return text(503, "the ledger is not open");
    }
    try {
      Optional<byte[]> bytes = reader.get().resource(name.get().path());
      return switch (name.get()) {
        case TlogPath.Head _ ->
            bytes
                .map(body -> now("text/plain; charset=utf-8", body))
                .orElseGet(() -> text(404, "not found"));
        case TlogPath.HashTile _, TlogPath.EntryBundle _ ->
            bytes.map(Pages::forEver).orElseGet(() -> text(404, "not found"));
      };
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("path", path).log("the ledger could not be read");
      return text(503, "the ledger cannot be read now");
    }
  }

  private static HttpReply text(int status, String line) {
    return HttpReply.text(status, line).with("cache-control", NO_CACHE);
  }

  /** As it is now. */
  private static HttpReply now(String type, byte[] body) {
    return HttpReply.of(200, type, body).with("cache-control", NO_CACHE);
  }

  /** Never changes under its name. */
  private static HttpReply forEver(byte[] body) {
    return HttpReply.of(200, "application/octet-stream", body)
        .with("cache-control", "public, max-age=31536000, immutable");
  }
}
