package dev.parlance.control.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.parlance.control.api.GrpcErrors;
import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.config.AuthoritySettings.AuthorityFiles;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.control.testing.Kit;
import dev.parlance.proto.v1.DenyIdentityRequest;
import dev.parlance.proto.v1.IdentityServiceGrpc;
import dev.parlance.proto.v1.IdentityServiceGrpc.IdentityServiceBlockingStub;
import dev.parlance.proto.v1.IssueSvidRequest;
import dev.parlance.proto.v1.IssueSvidResponse;
import dev.parlance.proto.v1.MeshAuthority;
import dev.parlance.proto.v1.MeshIdentities;
import dev.parlance.proto.v1.MeshTrust;
import dev.parlance.proto.v1.RotateAuthorityRequest;
import dev.parlance.proto.v1.ShowIdentitiesRequest;
import dev.parlance.service.Result;
import dev.parlance.service.Result.Kind;
import dev.parlance.service.identity.Authority;
import dev.parlance.service.identity.Pem;
import dev.parlance.service.identity.ServiceAccountTokens;
import dev.parlance.service.identity.ServiceAccountTokens.ServiceAccount;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.TrustBundles;
import dev.parlance.service.testing.TestDomain;
import io.grpc.Attributes;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyChannelBuilder.LocalSocketPicker;
import io.grpc.stub.MetadataUtils;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The control plane as authority of the mesh, asked over gRPC. */
final class IdentityServiceTest {
  private static final String DOMAIN = "mesh.example";
  private static final Map<String, ServiceAccount> TOKENS =
      Map.of(
          "a.buyer.token", new ServiceAccount("shop", "buyer"),
          "another.namespace.token", new ServiceAccount("prod", "buyer"));

  @TempDir Path data;

  /** What an API server says, without one. */
  private static final class Reviewer implements ServiceAccountTokens {
    @Override
    public Result<ServiceAccount> review(String token, String audience) {
      return Optional.ofNullable(TOKENS.get(token))
          .filter(_ -> audience.equals("parlance-control"))
          .map(Result::done)
          .orElseGet(() -> Result.refused(Kind.DENIED, "token_wrong", "not good for " + audience));
    }
  }

  static AuthoritySettings settings(Duration certificate, Duration authority) {
    return new AuthoritySettings(
        Optional.of(DOMAIN),
        Optional.empty(),
        certificate,
        authority,
        "parlance-control",
        Map.of("alice", new SpiffeId(DOMAIN, "/ns/shop/sa/alice")),
        Map.of());
  }

  private ControlConfig config() {
    return Kit.config(data).withIdentity(settings(Duration.ofHours(24), Duration.ofDays(365)));
  }

  private static IdentityServiceBlockingStub stub(Kit kit, String token) {
    return stub(kit, token, "127.0.0.1");
  }

  /**
   * A stub.
   *
   * @param from address that its calls come from
   */
  private static IdentityServiceBlockingStub stub(Kit kit, String token, String from) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", kit.port())
            .localSocketPicker(
                new LocalSocketPicker() {
                  @Override
                  public SocketAddress createSocketAddress(SocketAddress to, Attributes none) {
                    return new InetSocketAddress(from, 0);
                  }
                })
            .usePlaintext()
            .build();
    kit.keep((AutoCloseable) channel::shutdownNow);
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return IdentityServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  static IssueSvidRequest.Builder request(KeyPair keys) {
    try {
      byte[] key = keys.getPublic().getEncoded();
      Signature proof = Signature.getInstance("SHA256withECDSA");
      proof.initSign(keys.getPrivate());
      proof.update("parlance-svid-1\n".getBytes(StandardCharsets.US_ASCII));
      proof.update(key);
      return IssueSvidRequest.newBuilder()
          .setPublicKey(ByteString.copyFrom(key))
          .setProof(ByteString.copyFrom(proof.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<X509Certificate> chain(IssueSvidResponse response) throws Exception {
    return Pem.der(
        response.getChainList().stream()
            .reduce(ByteString.EMPTY, ByteString::concat)
            .toByteArray());
  }

  /** Who somebody that believes this trust takes the certificate for. */
  private static String shown(MeshTrust trust, IssueSvidResponse response) throws Exception {
    Set<X509Certificate> authorities = new HashSet<>();
    for (ByteString one : trust.getAuthoritiesList()) {
      authorities.addAll(Pem.der(one.toByteArray()));
    }
    return new TrustBundles(Map.of(trust.getTrustDomain(), authorities))
        .verify(chain(response), Instant.now())
        .toString();
  }

  private static void refused(
      String reason, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getTrailers().get(GrpcErrors.REASON)).isEqualTo(reason));
  }

  @Test
  void serviceAccount_getsTheIdOfItsNamespaceAndName_andNoOther() throws Exception {
    try (Kit kit = Kit.start(config(), new Reviewer())) {
      KeyPair keys = Authority.keys();
      IssueSvidResponse buyer = stub(kit, "a.buyer.token").issueSvid(request(keys).build());
      assertThat(shown(buyer.getTrust(), buyer))
          .isEqualTo("spiffe://mesh.example/ns/shop/sa/buyer");
      X509Certificate leaf = chain(buyer).getFirst();
      assertThat(leaf.getPublicKey()).isEqualTo(keys.getPublic());
      assertThat(Duration.between(Instant.now(), leaf.getNotAfter().toInstant()))
          .isBetween(Duration.ofHours(23), Duration.ofHours(24));
      IssueSvidResponse other =
          stub(kit, "another.namespace.token").issueSvid(request(Authority.keys()).build());
      assertThat(shown(buyer.getTrust(), other))
          .isEqualTo("spiffe://mesh.example/ns/prod/sa/buyer");
      assertThat(kit.plane.metrics())
          .contains("parlance_control_identities_total{result=\"issued\"} 2.0")
          .containsPattern("parlance_control_authority_expiry_timestamp_seconds [1-9]");
    }
  }

  @Test
  void T9_tokenOfAnotherAudience_orOfNobody_getsNothing() throws Exception {
    AuthoritySettings elsewhere =
        new AuthoritySettings(
            Optional.of(DOMAIN),
            Optional.empty(),
            Duration.ofHours(1),
            Duration.ofDays(1),
            "somebody-else",
            Map.of(),
            Map.of());
    try (Kit kit = Kit.start(Kit.config(data).withIdentity(elsewhere), new Reviewer())) {
      refused(
          "token_wrong",
          () -> stub(kit, "a.buyer.token").issueSvid(request(Authority.keys()).build()));
      refused("token_wrong", () -> stub(kit, "x.y.z").issueSvid(request(Authority.keys()).build()));
      assertThat(kit.plane.metrics())
          .contains("parlance_control_identities_total{result=\"token_wrong\"} 2.0");
    }
  }

  @Test
  void attachToken_provesTheIdThatIsConfiguredForItsAgent() throws Exception {
    try (Kit kit = Kit.start(config())) {
      IdentityServiceBlockingStub alice = stub(kit, kit.plane.attachToken("alice"));
      IssueSvidResponse got = alice.issueSvid(request(Authority.keys()).setAgent("alice").build());
      assertThat(shown(got.getTrust(), got)).isEqualTo("spiffe://mesh.example/ns/shop/sa/alice");
      refused(
          "token_of_another_agent",
          () -> alice.issueSvid(request(Authority.keys()).setAgent("bob").build()));
      IdentityServiceBlockingStub bob = stub(kit, kit.plane.attachToken("bob"));
      refused(
          "agent_without_id",
          () -> bob.issueSvid(request(Authority.keys()).setAgent("bob").build()));
      refused("no_cluster", () -> alice.issueSvid(request(Authority.keys()).build()));
      refused(
          "token_wrong",
          () -> alice.denyIdentity(DenyIdentityRequest.newBuilder().setSubject("*").build()));
    }
  }

  @Test
  void keyThatIsNotTheCallers_orOfAnotherKind_isRefused() throws Exception {
    try (Kit kit = Kit.start(config(), new Reviewer())) {
      IdentityServiceBlockingStub buyer = stub(kit, "a.buyer.token");
      IssueSvidRequest mine = request(Authority.keys()).build();
      IssueSvidRequest theirs = request(Authority.keys()).build();
      refused(
          "bad_key",
          () -> buyer.issueSvid(mine.toBuilder().setPublicKey(theirs.getPublicKey()).build()));
      refused("bad_key", () -> buyer.issueSvid(IssueSvidRequest.getDefaultInstance()));
      refused(
          "bad_key",
          () ->
              buyer.issueSvid(
                  mine.toBuilder().setProof(ByteString.copyFrom(new byte[64])).build()));
    }
  }

  @Test
  void restart_keepsTheAuthority() throws Exception {
    IssueSvidResponse before;
    try (Kit kit = Kit.start(config(), new Reviewer())) {
      before = stub(kit, "a.buyer.token").issueSvid(request(Authority.keys()).build());
    }
    try (Kit kit = Kit.start(config(), new Reviewer())) {
      IssueSvidResponse after =
          stub(kit, "a.buyer.token").issueSvid(request(Authority.keys()).build());
      assertThat(after.getTrust()).isEqualTo(before.getTrust());
      assertThat(shown(after.getTrust(), before)).isEqualTo(shown(before.getTrust(), after));
    }
  }

  @Test
  void rotation_newAuthorityIsBelievedAtOnce_andIssuesAfterTheOverlap() throws Exception {
    try (Kit kit = Kit.start(config(), new Reviewer())) {
      IdentityServiceBlockingStub operator = stub(kit, kit.plane.operatorToken());
      IdentityServiceBlockingStub buyer = stub(kit, "a.buyer.token");
      IssueSvidResponse before = buyer.issueSvid(request(Authority.keys()).build());
      MeshIdentities rotated =
          operator.rotateAuthority(RotateAuthorityRequest.getDefaultInstance());
      assertThat(rotated.getAuthoritiesList())
          .extracting(MeshAuthority::getIssuing)
          .containsExactly(true, false);
      IssueSvidResponse during = buyer.issueSvid(request(Authority.keys()).build());
      assertThat(during.getTrust().getAuthoritiesCount()).isEqualTo(2);
      assertThat(shown(before.getTrust(), during)).isNotEmpty();
      operator.rotateAuthority(RotateAuthorityRequest.newBuilder().setOverlapMs(1).build());
      Awaitility.await()
          .atMost(Kit.PATIENCE)
          .until(() ->
              operator
                  .showIdentities(ShowIdentitiesRequest.getDefaultInstance())
                  .getAuthoritiesList()
                  .stream()
                  .anyMatch(one ->
                      one.getIssuing()
                          && one.getActiveAtMs() > rotated.getAuthorities(0).getActiveAtMs()));
      IssueSvidResponse after = buyer.issueSvid(request(Authority.keys()).build());
      assertThatThrownBy(() -> shown(before.getTrust(), after)).hasMessageContaining("");
      assertThat(shown(after.getTrust(), before)).isEqualTo(shown(after.getTrust(), after));
    }
  }

  @Test
  void authorityNearItsEnd_isFollowedByTheNext_andForgottenWhenItHasExpired() throws Exception {
    ControlConfig quick =
        Kit.config(data).withIdentity(settings(Duration.ofMillis(500), Duration.ofSeconds(6)));
    try (Kit kit = Kit.start(quick, new Reviewer())) {
      IdentityServiceBlockingStub operator = stub(kit, kit.plane.operatorToken());
      IdentityServiceBlockingStub buyer = stub(kit, "a.buyer.token");
      String first =
          operator
              .showIdentities(ShowIdentitiesRequest.getDefaultInstance())
              .getAuthorities(0)
              .getSerial();
      Awaitility.await()
          .atMost(Kit.PATIENCE)
          .until(() -> {
            IssueSvidResponse now = buyer.issueSvid(request(Authority.keys()).build());
            assertThat(now.getTrust().getAuthoritiesCount()).isBetween(1, 2);
            return operator
                .showIdentities(ShowIdentitiesRequest.getDefaultInstance())
                .getAuthoritiesList()
                .stream()
                .noneMatch(one -> one.getSerial().equals(first));
          });
    }
  }

  @Test
  void authorityInFiles_issuesBelowTheRoot_andAWrongOneIsRefusedAtStart() throws Exception {
    X509Bundle root =
        new CertificateBuilder()
            .ecp256()
            .subject("CN=root")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    X509Bundle issuing =
        new CertificateBuilder()
            .ecp256()
            .subject("CN=issuing")
            .setIsCertificateAuthority(true)
            .setKeyUsage(true, CertificateBuilder.KeyUsage.keyCertSign)
            .buildIssuedBy(root);
    AuthorityFiles files =
        new AuthorityFiles(
            Files.writeString(data.resolve("ca.crt"), issuing.getCertificatePEM()),
            Files.writeString(data.resolve("ca.key"), issuing.getPrivateKeyPEM()),
            Files.writeString(data.resolve("root.crt"), root.getCertificatePEM()));
    AuthoritySettings own = settings(Duration.ofHours(1), Duration.ofDays(1));
    ControlConfig config =
        Kit.config(data.resolve("plane"))
            .withIdentity(
                new AuthoritySettings(
                    own.trustDomain(),
                    Optional.of(files),
                    own.certificateLife(),
                    own.authorityLife(),
                    own.audience(),
                    own.agents(),
                    Map.of()));
    try (Kit kit = Kit.start(config, new Reviewer())) {
      IssueSvidResponse got =
          stub(kit, "a.buyer.token").issueSvid(request(Authority.keys()).build());
      assertThat(got.getChainCount()).isEqualTo(2);
      assertThat(got.getTrust().getAuthorities(0).toByteArray())
          .isEqualTo(root.getCertificate().getEncoded());
      assertThat(shown(got.getTrust(), got)).endsWith("/sa/buyer");
      refused(
          "no_own_authority",
          () ->
              stub(kit, kit.plane.operatorToken())
                  .rotateAuthority(RotateAuthorityRequest.getDefaultInstance()));
    }
    Files.writeString(
        data.resolve("root.crt"), new TestDomain("other.example").root().getCertificatePEM());
    assertThatThrownBy(() -> ControlReplica.start(config)).hasMessageContaining("identity");
  }

  @Test
  void denied_getsNothing_untilItIsAllowed_alsoAfterARestart() throws Exception {
    String id = "spiffe://mesh.example/ns/shop/sa/buyer";
    try (Kit kit = Kit.start(config(), new Reviewer())) {
      IdentityServiceBlockingStub operator = stub(kit, kit.plane.operatorToken());
      assertThat(
              operator
                  .denyIdentity(DenyIdentityRequest.newBuilder().setSubject(id).build())
                  .getDeniedList())
          .containsExactly(id);
      operator.denyIdentity(DenyIdentityRequest.newBuilder().setSubject("serial:00AB").build());
      refused(
          "bad_entry",
          () -> operator.denyIdentity(DenyIdentityRequest.newBuilder().setSubject("x").build()));
    }
    try (Kit kit = Kit.start(config(), new Reviewer())) {
      IdentityServiceBlockingStub operator = stub(kit, kit.plane.operatorToken());
      refused(
          "identity_denied",
          () -> stub(kit, "a.buyer.token").issueSvid(request(Authority.keys()).build()));
      assertThat(
              operator
                  .denyIdentity(
                      DenyIdentityRequest.newBuilder().setSubject(id).setAllowed(true).build())
                  .getDeniedList())
          .containsExactly("serial:ab");
      IssueSvidResponse got =
          stub(kit, "a.buyer.token").issueSvid(request(Authority.keys()).build());
      assertThat(got.getTrust().getDeniedList()).containsExactly("serial:ab");
    }
  }

  /** A token that nobody has reviewed says nothing of who asks; where the call comes from does. */
  @Test
  void T9_floodOfRequests_waitsForNobodyElse() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Semaphore waiting = new Semaphore(0);
    ServiceAccountTokens slow =
        (token, _) -> {
          if (token.equals("a.buyer.token")) {
            return Result.done(new ServiceAccount("shop", "buyer"));
          }
          waiting.release();
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return Result.refused(Kind.DENIED, "token_wrong", "not good");
        };
    try (Kit kit = Kit.start(config(), slow);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      IdentityServiceBlockingStub buyer = stub(kit, "a.buyer.token", "127.0.0.9");
      List<Future<?>> forged = new ArrayList<>();
      for (int from = 1; from <= 4; from++) {
        IdentityServiceBlockingStub stranger = stub(kit, "x.y.z", "127.0.0." + from);
        for (int i = 0; i < 2; i++) {
          forged.add(
              threads.submit(() ->
                  refused(
                      "token_wrong", () -> stranger.issueSvid(request(Authority.keys()).build()))));
          waiting.acquire();
        }
        if (from < 4) {
          refused("busy", () -> stranger.issueSvid(request(Authority.keys()).build()));
          assertThat(buyer.issueSvid(request(Authority.keys()).build()).getChainCount())
              .isEqualTo(1);
        }
      }
      refused("busy", () -> buyer.issueSvid(request(Authority.keys()).build()));
      assertThat(
              stub(kit, kit.plane.operatorToken())
                  .showIdentities(ShowIdentitiesRequest.getDefaultInstance())
                  .getTrustDomain())
          .isEqualTo(DOMAIN);
      release.countDown();
      for (Future<?> call : forged) {
        call.get();
      }
      assertThat(buyer.issueSvid(request(Authority.keys()).build()).getChainCount()).isEqualTo(1);
    }
  }
}
