package dev.parlance.inject.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.inject.FakeApiServer;
import dev.parlance.inject.Samples;
import dev.parlance.inject.kube.KubeClient;
import dev.parlance.inject.settings.InjectorSettings.CertificateSettings;
import dev.parlance.service.identity.Authority;
import dev.parlance.service.identity.KeyMaterial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class SharedCertificatesTest {
  private static final String SECRET =
      "/api/v1/namespaces/parlance-system/secrets/parlance-injector-tls";
  private static final String WEBHOOK =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/parlance-injector";
  private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");

  private static final CertificateSettings SETTINGS =
      Samples.settings("{certificate: {leafDays: 3, caDays: 10}}").certificate();

  @TempDir Path dir = Path.of("");
  private FakeApiServer server;
  private KubeClient kube;

  @BeforeEach
  void start() throws Exception {
    server = new FakeApiServer(dir);
    server.put(
        WEBHOOK,
        Samples.tree("{webhooks: [{name: a, clientConfig: {}}, {name: b, clientConfig: {}}]}"));
    kube = new KubeClient(server.access(), Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    kube.close();
    server.close();
  }

  private SharedCertificates at(Instant now) {
    return new SharedCertificates(kube, SETTINGS, Clock.fixed(now, ZoneOffset.UTC));
  }

  private List<String> announced() {
    List<String> bundles = new ArrayList<>();
    server
        .at(WEBHOOK)
        .orElseThrow()
        .path("webhooks")
        .forEach(webhook ->
            bundles.add(
                new String(
                    Base64.getDecoder()
                        .decode(webhook.path("clientConfig").path("caBundle").asString("")),
                    StandardCharsets.US_ASCII)));
    return bundles;
  }

  private TlsState stored() {
    return TlsState.of(server.at(SECRET).orElseThrow()).orElseThrow();
  }

  @Test
  void theFirstReplicaMakesItAndTellsEveryWebhookWhomToBelieve() {
    CertificateSource.Look look = at(START).look();
    assertThat(look.failure()).isEmpty();
    assertThat(look.announced()).isTrue();
    assertThat(look.material()).contains(stored().leaf());
    assertThat(announced()).containsExactly(stored().bundle(), stored().bundle());
    assertThat(stored().leaf().leaf().getNotAfter().toInstant())
        .isEqualTo(START.plus(Duration.ofDays(3)));
  }

  @Test
  void manyReplicasAtOnceEndWithOneCertificate() throws Exception {
    List<Callable<CertificateSource.Look>> replicas = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      replicas.add(() -> at(START).look());
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<CertificateSource.Look> look : threads.invokeAll(replicas)) {
        assertThat(look.get().material()).contains(stored().leaf());
      }
    }
    assertThat(at(START).look().failure()).isEmpty();
    assertThat(announced()).containsOnly(stored().bundle());
  }

  @Test
  void whoComesSecondTakesTheOthersWork() {
    at(START).look();
    TlsState before = stored();
    AtomicBoolean once = new AtomicBoolean(true);
    Instant due = START.plus(Duration.ofDays(2)).plusSeconds(60);
    server.beforeWrite =
        path -> {
          if (once.getAndSet(false)) {
            at(due).look();
          }
        };
    CertificateSource.Look look = at(due).look();
    assertThat(stored().leaf()).isNotEqualTo(before.leaf());
    assertThat(look.material()).contains(stored().leaf());
  }

  @Test
  void manyWeeksOfLooksNeverLeavesAServedLeafThatTheWebhookDoesNotBelieve() {
    SharedCertificates[] replicas = {null, null};
    MovingClock clock = new MovingClock(START);
    replicas[0] = new SharedCertificates(kube, SETTINGS, clock);
    replicas[1] = new SharedCertificates(kube, SETTINGS, clock);
    int rotated = 0;
    String bundle = "";
    for (int look = 0; look < 4 * 25; look++) {
      for (SharedCertificates replica : replicas) {
        CertificateSource.Look found = replica.look();
        assertThat(found.failure()).isEmpty();
        KeyMaterial served = found.material().orElseThrow();
        assertThat(served.notAfter()).isAfter(clock.instant());
        assertThat(KeyMaterial.certificates(announced().getFirst()))
            .anyMatch(one -> Authority.signed(one, served.leaf()));
      }
      if (!announced().getFirst().equals(bundle)) {
        bundle = announced().getFirst();
        rotated++;
      }
      clock.pass(Duration.ofHours(6));
    }
    assertThat(rotated).isGreaterThan(4);
  }

  @Test
  void aSecretThatNobodyCanReadIsReplacedAndKeepsItsOtherKeys() {
    server.put(
        SECRET,
        Samples.tree(
            "{type: kubernetes.io/tls, metadata: {name: parlance-injector-tls, labels: {a: b}},"
                + " data: {tls.crt: '', tls.key: '!', note: aGk=}}"));
    assertThat(at(START).look().failure()).isEmpty();
    ObjectNode secret = server.at(SECRET).orElseThrow();
    assertThat(secret.path("type").asString()).isEqualTo("kubernetes.io/tls");
    assertThat(secret.path("metadata").path("labels").path("a").asString()).isEqualTo("b");
    assertThat(secret.path("data").path("note").asString()).isEqualTo("aGk=");
    assertThat(stored().leaf().notAfter()).isAfter(START);
  }

  @Test
  void withoutAnApiServerTheCertificateStays() {
    MovingClock clock = new MovingClock(START);
    SharedCertificates shared = new SharedCertificates(kube, SETTINGS, clock);
    CertificateSource.Look good = shared.look();
    server.failures.set(1);
    CertificateSource.Look bad = shared.look();
    assertThat(bad.failure()).hasValueSatisfying(text -> assertThat(text).contains("out of order"));
    assertThat(bad.material()).isEqualTo(good.material());
    assertThat(bad.announced()).isTrue();
    server.close();
    assertThat(shared.look().material()).isEqualTo(good.material());
  }

  @Test
  void aWebhookConfigurationThatWasRenderedAnewIsToldAgain() {
    SharedCertificates shared = at(START);
    shared.look();
    server.put(WEBHOOK, Samples.tree("{webhooks: [{name: a, clientConfig: {caBundle: Cg==}}]}"));
    assertThat(shared.look().announced()).isTrue();
    assertThat(announced()).containsExactly(stored().bundle());
  }

  @Test
  void withoutAWebhookConfigurationNothingIsAnnounced() throws Exception {
    server.close();
    server = new FakeApiServer(dir);
    try (KubeClient other = new KubeClient(server.access(), Clock.systemUTC())) {
      CertificateSource.Look look =
          new SharedCertificates(other, SETTINGS, Clock.systemUTC()).look();
      assertThat(look.announced()).isFalse();
      assertThat(look.failure()).isPresent();
      assertThat(look.material()).isPresent();
    }
  }

  private static final class MovingClock extends Clock {
    private Instant now;

    MovingClock(Instant now) {
      this.now = now;
    }

    void pass(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public java.time.ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }
  }
}
