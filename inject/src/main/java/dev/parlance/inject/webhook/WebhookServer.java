package dev.parlance.inject.webhook;

import dev.parlance.inject.certificate.KeyMaterial;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.pod.PodOutcome.PodFinding;
import dev.parlance.inject.webhook.HttpListener.Reply;
import dev.parlance.inject.webhook.HttpListener.Request;
import dev.parlance.service.config.Listen;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
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

  /** API servers keep connections for 90 s; none is ended that one may just be writing to. */
  private static final HttpListener.Bounds WEBHOOK =
      new HttpListener.Bounds(256, MAX_BODY_BYTES, 120_000);

  private static final HttpListener.Bounds HEALTH = new HttpListener.Bounds(64, 1024, 15_000);

  private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

  private final Supplier<PodInjector> injector;
  private final InjectorMetrics metrics;
  private final Clock clock;
  private final HttpListener webhook;
  private final HttpListener health;
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
    this.health = HttpListener.plain(healthAt, HEALTH, this::health);
    try {
      this.webhook = HttpListener.secure(webhookAt, WEBHOOK, () -> tls, this::review);
    } catch (IOException e) {
      health.close();
      throw e;
    }
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
    return webhook.port();
  }

  /** Port of health and metrics. */
  public int healthPort() {
    return health.port();
  }

  private Reply review(Request request) {
    if (!request.path().equals(PATH)) {
      return Reply.text(404, "only " + PATH + " is here");
    }
    if (!request.method().equals("POST")) {
      return Reply.text(405, "expected POST");
    }
    String type = request.contentType();
    if (!type.equals("application/json") && !type.startsWith("application/json;")) {
      return Reply.text(415, "expected application/json");
    }
    long began = System.nanoTime();
    return switch (Review.of(request.body(), injector.get())) {
      case Review.Result.Answered(var review, String subject, PodOutcome outcome) -> {
        metrics.reviewed(outcome, System.nanoTime() - began);
        log(subject, outcome);
        yield new Reply(
            200, "application/json", review.toString().getBytes(StandardCharsets.UTF_8));
      }
      case Review.Result.Unreadable(String message) -> {
        metrics.unreadable();
        LOG.warn("unreadable review: {}", message);
        yield Reply.text(400, message);
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

  private Reply health(Request request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return Reply.text(405, "expected GET");
    }
    return switch (request.path()) {
      case "/livez" -> Reply.text(200, "ok");
      case "/readyz" -> ready();
      case "/metrics" ->
          new Reply(
              200,
              "text/plain; version=0.0.4; charset=utf-8",
              metrics.scrape().getBytes(StandardCharsets.UTF_8));
      default -> Reply.text(404, "only /livez, /readyz and /metrics are here");
    };
  }

  private Reply ready() {
    if (closing) {
      return Reply.text(503, "closing");
    }
    if (tls.isEmpty()) {
      return Reply.text(503, "no certificate yet");
    }
    if (!clock.instant().isBefore(validTo)) {
      return Reply.text(503, "the certificate has expired");
    }
    return announced
        ? Reply.text(200, "ok")
        : Reply.text(503, "the webhook configuration does not name our authority yet");
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
