package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.client.ControlClient;
import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.testing.Kit;
import dev.parlance.proto.v1.DenyIdentityRequest;
import dev.parlance.proto.v1.IdentityServiceGrpc.IdentityServiceBlockingStub;
import dev.parlance.proto.v1.RotateAuthorityRequest;
import dev.parlance.service.Result;
import dev.parlance.service.identity.Authority;
import dev.parlance.service.identity.KeyMaterial;
import dev.parlance.service.identity.ServiceAccountTokens;
import dev.parlance.service.identity.ServiceAccountTokens.ServiceAccount;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two sidecars that speak mutual TLS with what the control plane has issued: the seller's by the
 * attach token of its agent, the buyer's by the token of a service account.
 */
@ExtendWith(LeakCheck.class)
@Timeout(180)
class IssuedIdentityIT {
  private static final String BUYER = "spiffe://mesh.example/ns/shop/sa/buyer";
  private static final String SELLER = "spiffe://mesh.example/ns/shop/sa/seller";

  /** How long the agent takes: a request is under way at nearly every moment, and few cost much. */
  private static final long ANSWER_NS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How often is looked for what takes many seconds: every look has all metrics written. */
  private static final Duration SELDOM = Duration.ofMillis(500);

  @TempDir Path folder = Path.of("");
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private StubAgent agent = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    agent =
        keep(
            new StubAgent(_ -> {
              LockSupport.parkNanos(ANSWER_NS);
              return new StubAgent.Reply(
                  200, "Content-Type: text/plain\r\n", "answered".getBytes(UTF_8));
            }));
  }

  @AfterEach
  void end() throws Exception {
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }

  private <T extends AutoCloseable> T keep(T one) {
    started.push(one);
    return one;
  }

  private Kit plane(Duration certificate) throws IOException {
    return plane(certificate, UnaryOperator.identity());
  }

  private Kit plane(Duration certificate, UnaryOperator<ControlConfig> change) throws IOException {
    AuthoritySettings settings =
        new AuthoritySettings(
            Optional.of("mesh.example"),
            Optional.empty(),
            certificate,
            Duration.ofDays(1),
            "parlance-control",
            Map.of("seller", SpiffeId.parse(SELLER).orElseThrow()),
            Map.of());
    ServiceAccountTokens accounts =
        (token, audience) ->
            Optional.ofNullable(
                    Map.of(
                            "buyer.of.shop", new ServiceAccount("shop", "buyer"),
                            "seller.of.shop", new ServiceAccount("shop", "seller"),
                            "buyer.of.prod", new ServiceAccount("prod", "buyer"))
                        .get(token))
                .filter(_ -> audience.equals("parlance-control"))
                .map(Result::done)
                .orElseGet(() -> Result.refused(Result.Kind.DENIED, "token_wrong", "not good"));
    Path data = folder.resolve("control");
    Kit kit = keep(Kit.start(change.apply(Kit.config(data).withIdentity(settings)), accounts));
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    return kit;
  }

  private String control(Kit kit, String agentId) throws IOException {
    Files.writeString(folder.resolve(agentId + ".token"), kit.plane.attachToken(agentId) + "\n");
    return """
    control:
      target: 127.0.0.1:%d
      agent: %s
      keysFile: keys
      tokenFile: %s.token
    """
        .formatted(kit.port(), agentId, agentId);
  }

  private LocalSidecar seller(Kit kit) throws IOException {
    return keep(
        LocalSidecar.start(
            folder,
            "seller",
            """
            inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d", tls: strict }
            identity: { controlPlane: true }
            routes:
              - name: orders
                match: { direction: inbound }
                mode: enforce
                codec: text
                onUnjudged: allow
                metadata: false
                allow: ["%s"]
              - { name: nobody, match: { direction: inbound }, mode: enforce, allow: [] }
            """
                .formatted(agent.port(), BUYER),
            control(kit, "seller")));
  }

  private LocalSidecar buyer(Kit kit, String token) throws IOException {
    Files.writeString(folder.resolve("account.token"), token + "\n");
    return keep(
        LocalSidecar.start(
            folder,
            "buyer",
            """
            outbound: { listen: "127.0.0.1:0", allowLoopback: true, tls: strict }
            identity:
              controlPlane: true
              tokenFile: account.token
              peers: [{ hosts: ["*"], ids: ["%s"] }]
            routes:
              - name: all
                match: { direction: outbound }
                codec: text
                mode: observe
                onUnjudged: allow
                metadata: false
            """
                .formatted(SELLER),
            control(kit, "buyer")));
  }

  private static void awaitIdentity(LocalSidecar... sidecars) {
    for (LocalSidecar sidecar : sidecars) {
      await().atMost(Kit.PATIENCE).until(() -> updates(sidecar, "taken") > 0);
    }
  }

  private static double updates(LocalSidecar sidecar, String result) throws Exception {
    return sidecar.admin().sum("parlance_identity_updates_total", "result=\"" + result + "\"");
  }

  private static HttpResponse<String> ask(HttpClient client, LocalSidecar seller)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + seller.inbound() + "/orders"))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "text/plain")
            .POST(HttpRequest.BodyPublishers.ofString("question"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpClient through(LocalSidecar buyer) {
    return keep(
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), buyer.outboundPort())))
            .build());
  }

  private ControlClient.Service<IdentityServiceBlockingStub> operator(Kit kit) throws IOException {
    return keep(new ControlClient(
            ControlClient.Address.plain("127.0.0.1:" + kit.port(), kit.plane.operatorToken())))
        .identities();
  }

  @Test
  void issuedIdentities_showWhoCalls_andAnotherNamespaceIsAnotherCaller() throws Exception {
    Kit kit = plane(Duration.ofHours(24));
    LocalSidecar seller = seller(kit);
    LocalSidecar buyer = buyer(kit, "buyer.of.shop");
    awaitIdentity(seller, buyer);
    HttpResponse<String> answer = ask(through(buyer), seller);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("answered");
    buyer.close();
    LocalSidecar stranger = buyer(kit, "buyer.of.prod");
    awaitIdentity(stranger);
    HttpResponse<String> refused = ask(through(stranger), seller);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("peer_not_allowed");
    assertThat(agent.asked()).hasSize(1);
  }

  @Test
  void T9_tokenOfAnotherAudience_getsNoIdentity_andTheSidecarIsNotReady() throws Exception {
    Kit kit = plane(Duration.ofHours(24));
    LocalSidecar buyer = buyer(kit, "made.for.vault");
    await().atMost(Kit.PATIENCE).until(() -> updates(buyer, "refused") > 0);
    assertThat(updates(buyer, "taken")).isZero();
    assertThat(buyer.admin().get("/readyz").body()).contains("identity");
    Files.writeString(folder.resolve("account.token"), "buyer.of.shop\n");
    awaitIdentity(buyer);
  }

  @Test
  void T3_renewalsAndRotationOfTheAuthority_underLoad_failNoRequest() throws Exception {
    Kit kit = plane(Duration.ofSeconds(20));
    LocalSidecar seller = seller(kit);
    LocalSidecar buyer = buyer(kit, "buyer.of.shop");
    awaitIdentity(seller, buyer);
    HttpClient client = through(buyer);
    AtomicInteger answered = new AtomicInteger();
    AtomicBoolean isOver = new AtomicBoolean();
    Thread load =
        Thread.ofVirtual()
            .start(() -> {
              try {
                while (!isOver.get()) {
                  HttpResponse<String> answer = ask(client, seller);
                  assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                  answered.incrementAndGet();
                }
              } catch (IOException | InterruptedException | AssertionError e) {
                answered.set(Integer.MIN_VALUE);
                throw new IllegalStateException(e);
              }
            });
    RotateAuthorityRequest rotation =
        RotateAuthorityRequest.newBuilder().setOverlapMs(1_500).build();
    for (int i = 0; i < 3; i++) {
      double before = Math.min(updates(seller, "taken"), updates(buyer, "taken"));
      assertThat(operator(kit).ask(stub -> stub.rotateAuthority(rotation)).getAuthoritiesCount())
          .isEqualTo(i + 2);
      await()
          .atMost(Kit.PATIENCE)
          .pollInterval(SELDOM)
          .until(() -> Math.min(updates(seller, "taken"), updates(buyer, "taken")) >= before + 2);
    }
    isOver.set(true);
    load.join();
    assertThat(answered.get()).isPositive();
    assertThat(updates(buyer, "refused") + updates(seller, "refused")).isZero();
  }

  @Test
  void T3_deniedPeer_isCutOff_andStaysSoAfterARestart() throws Exception {
    Kit kit = plane(Duration.ofHours(24));
    LocalSidecar seller = seller(kit);
    LocalSidecar buyer = buyer(kit, "buyer.of.shop");
    awaitIdentity(seller, buyer);
    HttpClient client = through(buyer);
    assertThat(ask(client, seller).statusCode()).isEqualTo(200);
    ControlClient.Service<IdentityServiceBlockingStub> operator = operator(kit);
    var denied = DenyIdentityRequest.newBuilder().setSubject(BUYER);
    operator.ask(stub -> stub.denyIdentity(denied.build()));
    await().atMost(Kit.PATIENCE).until(() -> seller.admin().sum("parlance_identity_denied") == 1);
    // The first may only find its connection cut; the next one that begins anew is denied.
    await()
        .atMost(Kit.PATIENCE)
        .until(() -> {
          assertThat(ask(client, seller).statusCode()).isEqualTo(502);
          return seller.admin().scrape().contains("result=\"denied\"");
        });
    assertThat(Files.readAllLines(folder.resolve("seller/denied-identities")))
        .containsExactly(BUYER);
    operator.ask(stub -> stub.denyIdentity(denied.setAllowed(true).build()));
    await().atMost(Kit.PATIENCE).until(() -> ask(client, seller).statusCode() == 200);
    assertThat(List.of(agent.asked().size())).containsExactly(2);
  }

  @Test
  void T9_controlPlaneThatIsGone_costsTheIdentityOnlyWhenItExpires() throws Exception {
    Kit kit = plane(Duration.ofSeconds(15));
    LocalSidecar seller = seller(kit);
    LocalSidecar buyer = buyer(kit, "buyer.of.shop");
    awaitIdentity(seller, buyer);
    started.remove(kit);
    kit.close();
    HttpClient client = through(buyer);
    assertThat(ask(client, seller).statusCode()).isEqualTo(200);
    await()
        .atMost(Kit.PATIENCE)
        .pollInterval(SELDOM)
        .until(() -> seller.admin().get("/readyz").body().contains("expired"));
    assertThat(ask(client, seller).statusCode()).isNotEqualTo(200);
  }

  private LocalSidecar attachedBySvid(Kit kit, String agentId, String token) throws IOException {
    String node = agentId.replace('/', '-');
    Files.writeString(folder.resolve(node + ".account"), token + "\n");
    return keep(
        LocalSidecar.start(
            folder,
            node,
            """
            outbound: { listen: "127.0.0.1:0", allowLoopback: true }
            identity: { controlPlane: true, tokenFile: %s.account }
            control:
              target: localhost:%d
              agent: %s
              keysFile: keys
              tls: { ca: ca.crt }
            """
                .formatted(node, kit.port(), agentId)));
  }

  @Test
  void sidecarWithoutAToken_attachesByItsSvid_forItsOwnAgentOnly() throws Exception {
    KeyMaterial authority = Authority.create("plane", Instant.now(), Duration.ofDays(1));
    KeyMaterial server =
        Authority.server(
            authority, "plane", List.of("localhost"), Instant.now(), Duration.ofHours(1));
    Files.writeString(folder.resolve("ca.crt"), KeyMaterial.pem(authority.chain()));
    TlsFiles tls =
        new TlsFiles(
            Files.writeString(folder.resolve("tls.crt"), KeyMaterial.pem(server.chain())),
            Files.writeString(folder.resolve("tls.key"), KeyMaterial.pem(server.key())),
            Optional.empty());
    Kit kit = plane(Duration.ofSeconds(6), config -> config.withTls(tls));
    LocalSidecar buyer = attachedBySvid(kit, "shop/buyer", "buyer.of.shop");
    LocalSidecar configured = attachedBySvid(kit, "seller", "seller.of.shop");
    await().atMost(Kit.PATIENCE).until(() -> kit.plane.hub().attached() == 2);
    attachedBySvid(kit, "alice", "buyer.of.prod");
    await()
        .atMost(Kit.PATIENCE)
        .until(() ->
            kit.plane
                .metrics()
                .contains("attach_refused_total{result=\"token_of_another_agent\"} 1.0"));
    assertThat(kit.plane.hub().attached()).isEqualTo(2);
    // A stream outlives the certificate that it began with; the next one shows the next.
    await().atMost(Kit.PATIENCE).pollInterval(SELDOM).until(() -> updates(buyer, "taken") >= 3);
    assertThat(kit.plane.hub().attached()).isEqualTo(2);
    configured.close();
    await().atMost(Kit.PATIENCE).until(() -> kit.plane.hub().attached() == 1);
  }
}
