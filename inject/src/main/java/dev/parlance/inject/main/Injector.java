package dev.parlance.inject.main;

import dev.parlance.inject.certificate.CertificateSource;
import dev.parlance.inject.certificate.CertificateSource.FileCertificates;
import dev.parlance.inject.certificate.SharedCertificates;
import dev.parlance.inject.kube.KubeAccess;
import dev.parlance.inject.kube.KubeClient;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.InjectorSettings.CertificateSettings.Mode;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.inject.webhook.InjectorMetrics;
import dev.parlance.inject.webhook.WebhookServer;
import dev.parlance.service.IoWords;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The injector as a process: the webhook, the keeper of its certificate, and the watch over its
 * file. A changed file that is valid counts from the next pod on; one that is not changes nothing,
 * and neither does one that moves ports or certificates, which takes a restart.
 */
public final class Injector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Injector.class);

  private final Path file;
  private final String version;
  private final InjectorMetrics metrics;
  private final CertificateSource certificates;
  private final WebhookServer server;
  private final Optional<KubeClient> kube;
  private final Intervals intervals;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread keeper;
  private final Thread watcher;
  private volatile InjectorSettings settings;
  private volatile PodInjector injector;
  private ConfigResult<InjectorSettings> seen;

  /**
   * How often things are looked at, in milliseconds.
   *
   * @param certificateMs the certificate
   * @param retryMs the certificate, after a failure
   * @param settingsMs the file
   */
  public record Intervals(long certificateMs, long retryMs, long settingsMs) {
    /** Half a minute, two seconds, five seconds. */
    public static final Intervals DEFAULT = new Intervals(30_000, 2_000, 5_000);

    /** Refuses looks without a pause. */
    public Intervals {
      if (certificateMs < 1 || retryMs < 1 || settingsMs < 1) {
        throw new IllegalArgumentException("expected intervals of at least 1 ms");
      }
    }
  }

  private Injector(
      Path file,
      InjectorSettings settings,
      String version,
      Optional<KubeClient> kube,
      Clock clock,
      Intervals intervals)
      throws IOException {
    this.file = file;
    this.settings = settings;
    this.seen = new ConfigResult.Loaded<>(settings);
    this.version = version;
    this.injector = new PodInjector(settings, version);
    this.metrics = new InjectorMetrics(version);
    this.kube = kube;
    this.intervals = intervals;
    this.certificates =
        kube.<CertificateSource>map(
                client -> new SharedCertificates(client, settings.certificate(), clock))
            .orElseGet(() -> new FileCertificates(settings.certificate().dir()));
    this.server =
        new WebhookServer(settings.listen(), settings.health(), this::current, metrics, clock);
    this.keeper = Thread.ofPlatform().name("parlance-certificate").unstarted(this::keep);
    this.watcher = Thread.ofPlatform().name("parlance-settings").unstarted(this::watch);
  }

  private PodInjector current() {
    return injector;
  }

  /**
   * Starts an injector.
   *
   * @param access how to ask the API server; needed for a certificate of its own
   * @throws IOException if a port cannot be taken, or nobody says where the API server is
   */
  public static Injector start(
      Path file,
      InjectorSettings settings,
      String version,
      Optional<KubeAccess> access,
      Clock clock,
      Intervals intervals)
      throws IOException {
    boolean own = settings.certificate().mode() == Mode.SELF;
    if (own && access.isEmpty()) {
      throw new IOException(
          "certificate.mode self needs an API server, and this process runs in no pod with a"
              + " service account; expected mode files, or to run in a cluster");
    }
    Optional<KubeClient> kube =
        own ? access.map(found -> new KubeClient(found, clock)) : Optional.empty();
    Injector started = new Injector(file, settings, version, kube, clock, intervals);
    started.keeper.start();
    started.watcher.start();
    return started;
  }

  /** Port of the webhook. */
  public int port() {
    return server.port();
  }

  /** Port of health and metrics. */
  public int healthPort() {
    return server.healthPort();
  }

  /** The first pod takes a hundred times as long as the second; so it is one of ours. */
  private void warmUp() {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.putObject("spec").putArray("containers").addObject().put("name", "warm-up");
    PodOutcome outcome = injector.inject(pod);
    LOG.debug("warmed up: {}", outcome);
  }

  private void keep() {
    warmUp();
    Optional<String> said = Optional.empty();
    boolean goesOn = true;
    while (goesOn) {
      Optional<String> failure = look();
      if (failure.isPresent() && !failure.equals(said)) {
        LOG.warn("certificate: {}", failure.get());
      }
      said = failure;
      goesOn = pause(failure.isPresent() ? intervals.retryMs() : intervals.certificateMs());
    }
  }

  private Optional<String> look() {
    try {
      CertificateSource.Look look = certificates.look();
      if (look.material().isPresent()) {
        server.serve(look.material().get(), look.announced());
      }
      look.failure().ifPresent(failure -> metrics.certificateFailed());
      return look.failure();
    } catch (IOException | RuntimeException e) {
      // The thread must live: without it the certificate ends some day.
      metrics.certificateFailed();
      return Optional.of(IoWords.why(e));
    }
  }

  private void watch() {
    while (pause(intervals.settingsMs())) {
      ConfigResult<InjectorSettings> found = read();
      if (!found.equals(seen)) {
        seen = found;
        take(found);
      }
    }
  }

  private ConfigResult<InjectorSettings> read() {
    try {
      return SettingsReader.load(file);
    } catch (RuntimeException e) {
      // The thread must live: without it no later file counts.
      LOG.debug("reading {} failed", file, e);
      return new ConfigResult.Refused<>(
          List.of(new ConfigProblem("", 1, 1, "cannot read " + file + ": " + IoWords.why(e))));
    }
  }

  private void take(ConfigResult<InjectorSettings> found) {
    switch (found) {
      case ConfigResult.Loaded<InjectorSettings>(InjectorSettings next) -> {
        if (next.listen().equals(settings.listen())
            && next.health().equals(settings.health())
            && next.certificate().equals(settings.certificate())) {
          settings = next;
          injector = new PodInjector(next, version);
          LOG.info("settings of {} are in force", file);
        } else {
          metrics.settingsRefused();
          LOG.warn("listen, health and certificate change at a restart only; the old file stays");
        }
      }
      case ConfigResult.Refused<InjectorSettings> refused -> {
        metrics.settingsRefused();
        LOG.warn("settings refused, the old ones stay: {}", refused.problems());
      }
    }
  }

  /** False once the injector is closed. */
  private boolean pause(long ms) {
    try {
      return !closed.await(ms, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Says that it is not ready; whoever came before is still served. */
  public void drain() {
    server.drain();
  }

  /** Ends everything and waits for it. */
  @Override
  public void close() {
    closed.countDown();
    keeper.interrupt();
    watcher.interrupt();
    try {
      keeper.join();
      watcher.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.close();
    kube.ifPresent(KubeClient::close);
  }
}
