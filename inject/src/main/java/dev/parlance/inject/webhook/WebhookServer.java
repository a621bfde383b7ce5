package dev.parlance.inject.webhook;

import static dev.parlance.service.http.SmallServer.Past.REFUSED;

import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.pod.PodOutcome.PodFinding;
import dev.parlance.service.config.Listen;
import dev.parlance.service.http.HttpReply;
import dev.parlance.service.http.Site;
import dev.parlance.service.http.SmallServer;
import dev.parlance.service.identity.KeyMaterial;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhook at {@code POST /inject} (HTTPS) and, on a port of its own, {@code /livez}, {@code
 * /readyz} and {@code /metrics}. It is ready while it has a certificate that is valid and that API
 * servers are told to believe.
 */
public final class WebhookServer implements AutoCloseable {
  /** Path of the webhook. */
  public static final String PATH = "/inject";

  /** An object of etcd has at most 1.5 MiB; a review holds it and some words. */
  static final int MAX_BODY_BYTES = 3 << 20;

  private static final int LINE_BYTES = 8_192;
  private static final int GRACE_MS = 5_000;
  private static final int THREADS = 2;
  private static final int QUEUED = 1024;

  /** API servers keep connections for 90 s; none is ended that one may just be writing to. */
  private static final SmallServer.Bounds WEBHOOK =
      new SmallServer.Bounds(256, REFUSED, LINE_BYTES, MAX_BODY_BYTES, 120_000, GRACE_MS);

  private static final SmallServer.Bounds HEALTH =
      new SmallServer.Bounds(64, REFUSED, LINE_BYTES, 1024, 15_000, GRACE_MS);

  private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

  private final Supplier<PodInjector> injector;
  private final InjectorMetrics metrics;
  private final Clock clock;
  private final SmallServer webhook;
  private final SmallServer health;
  private volatile Optional<SslContext> tls = Optional.empty();
  private volatile Optional<X509Certificate> served = Optional.empty();
  private volatile Instant validTo = Instant.EPOCH;
  private volatile boolean announced;
  private volatile boolean closing;

  /**
   * Opens both ports.
   *
   * @param injector the injector of the settings in force, asked for at each review
   * @throws IOException if a port cannot be taken
   */
  public WebhookServer(
      Listen webhookAt,
      Listen healthAt,
      Supplier<PodInjector> injector,
      InjectorMetrics metrics,
      Clock clock)
      throws IOException {
    this.injector = injector;
    this.metrics = metrics;
    this.clock = clock;
    this.health = open(healthAt, HEALTH, Optional.empty(), this::health);
    try {
      this.webhook = open(webhookAt, WEBHOOK, Optional.of(() -> tls), this::review);
    } catch (IOException e) {
      health.close();
      throw e;
    }
  }

  /**
   * A whole HTTP request.
   *
   * @param method its method
   * @param path its path, without query
   * @param contentType media type of the body, empty if unsaid
   * @param body its bytes; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  private record Request(String method, String path, String contentType, byte[] body) {}

  /** Answers are computed on threads of their own: a slow one holds up its connection only. */
  private record Pages(Function<Request, HttpReply> answers) implements Site {
    @Override
    public Entry enter(FullHttpRequest request, int ownPort) {
      if (request.decoderResult().isFailure()) {
        return new Entry.Refused(HttpReply.text(400, "bad request"));
      }
      String target = request.uri();
      int query = target.indexOf('?');
      Request whole =
          new Request(
              request.method().name(),
              query < 0 ? target : target.substring(0, query),
              request.headers().get(HttpHeaderNames.CONTENT_TYPE, ""),
              ByteBufUtil.getBytes(request.content()));
      return new Entry.Slow(() -> answers.apply(whole));
    }

    @Override
    public HttpReply failed() {
      return HttpReply.text(500, "internal error");
    }

    @Override
    public HttpReply busy() {
      return HttpReply.text(503, "too busy");
    }
  }

  private static SmallServer open(
      Listen listen,
      SmallServer.Bounds bounds,
      Optional<Supplier<Optional<SslContext>>> tls,
      Function<Request, HttpReply> answers)
      throws IOException {
    return new SmallServer(
        "parlance-inject",
        new InetSocketAddress(listen.host(), listen.port()),
        new Pages(answers),
        bounds,
        tls,
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(QUEUED),
            Thread.ofPlatform().daemon().name("parlance-inject-", 0).factory()));
  }

  /** Serves this certificate from the next connection on. */
  public void serve(KeyMaterial material, boolean isAnnounced) throws SSLException {
    if (!served.equals(Optional.of(material.leaf()))) {
      tls =
          Optional.of(
              SslContextBuilder.forServer(
                      material.key(), material.chain().toArray(X509Certificate[]::new))
                  .sslProvider(SslProvider.JDK)
                  .protocols("TLSv1.3", "TLSv1.2")
                  .build());
      served = Optional.of(material.leaf());
      validTo = material.notAfter();
      metrics.certificate(validTo);
      LOG.info("certificate valid until {}", validTo);
    }
    announced = isAnnounced;
    metrics.announced(isAnnounced);
  }

  /** Port of the webhook. */
  public int port() {
    return webhook.address().getPort();
  }

  /** Port of health and metrics. */
  public int healthPort() {
    return health.address().getPort();
  }

  private HttpReply review(Request request) {
    if (!request.path().equals(PATH)) {
      return HttpReply.text(404, "only " + PATH + " is here");
    }
    if (!request.method().equals("POST")) {
      return HttpReply.text(405, "expected POST");
    }
    String type = request.contentType();
    if (!type.equals("application/json") && !type.startsWith("application/json;")) {
      return HttpReply.text(415, "expected application/json");
    }
    long began = System.nanoTime();
    return switch (Review.of(request.body(), injector.get())) {
      case Review.Result.Answered(var review, String subject, PodOutcome outcome) -> {
        metrics.reviewed(outcome, System.nanoTime() - began);
        log(subject, outcome);
        yield HttpReply.of(
            200, "application/json", review.toString().getBytes(StandardCharsets.UTF_8));
      }
      case Review.Result.Unreadable(String message) -> {
        metrics.unreadable();
        LOG.warn("unreadable review: {}", message);
        yield HttpReply.text(400, message);
      }
    };
  }

  private static void log(String subject, PodOutcome outcome) {
    switch (outcome) {
      case PodOutcome.Injected injected ->
          LOG.info("{}: injected, warnings: {}", subject, injected.warnings());
      case PodOutcome.Unchanged(PodFinding why) -> LOG.info("{}: unchanged: {}", subject, why);
      case PodOutcome.Refused refused -> LOG.warn("{}: refused: {}", subject, refused.message());
    }
  }

  private HttpReply health(Request request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return HttpReply.text(405, "expected GET");
    }
    return switch (request.path()) {
      case "/livez" -> HttpReply.text(200, "ok");
      case "/readyz" -> ready();
      case "/metrics" ->
          HttpReply.of(
              200,
              "text/plain; version=0.0.4; charset=utf-8",
              metrics.scrape().getBytes(StandardCharsets.UTF_8));
      default -> HttpReply.text(404, "only /livez, /readyz and /metrics are here");
    };
  }

  private HttpReply ready() {
    if (closing) {
      return HttpReply.text(503, "closing");
    }
    if (tls.isEmpty()) {
      return HttpReply.text(503, "no certificate yet");
    }
    if (!clock.instant().isBefore(validTo)) {
      return HttpReply.text(503, "the certificate has expired");
    }
    return announced
        ? HttpReply.text(200, "ok")
        : HttpReply.text(503, "the webhook configuration does not name our authority yet");
  }

  /** From now on {@code /readyz} says no, so that nobody new comes. */
  public void drain() {
    closing = true;
  }

  @Override
  public void close() {
    drain();
    webhook.close();
    health.close();
  }
}
