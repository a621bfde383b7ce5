package dev.parlance.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.control.config.AuthoritySettings;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.control.testing.Kit;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.service.testing.TestDomain;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What clients have to show to the listeners of a control plane that asks for certificates; they
 * are gRPC's over Netty, curl and OpenSSL.
 */
final class ClientCertificatesTest {
  private static final TestDomain MESH = new TestDomain("mesh.example");
  private static final long PATIENCE_S = 60;
  private static final int EMPTY_CALL_BYTES = 5;

  @TempDir Path folder;

  private final X509Bundle authority = authority("operators");

  private static X509Bundle authority(String name) {
    return built(
        new CertificateBuilder().subject("CN=" + name).setIsCertificateAuthority(true),
        Optional.empty());
  }

  private static X509Bundle built(CertificateBuilder made, Optional<X509Bundle> by) {
    try {
      return by.isPresent() ? made.buildIssuedBy(by.get()) : made.buildSelfSigned();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Bundle client(CertificateBuilder made) {
    return built(made.subject("CN=client"), Optional.of(authority));
  }

  /** Certificates that no listener believes, whatever it believes else. */
  private Map<String, X509Bundle> wrong() {
    Instant now = Instant.now();
    Map<String, X509Bundle> all = new LinkedHashMap<>();
    all.put("self-signed", authority("client"));
    all.put(
        "of an authority of the same name",
        built(new CertificateBuilder().subject("CN=client"), Optional.of(authority("operators"))));
    all.put(
        "expired",
        client(
            new CertificateBuilder()
                .notBefore(now.minusSeconds(600))
                .notAfter(now.minusSeconds(5))));
    all.put(
        "not yet valid",
        client(
            new CertificateBuilder()
                .notBefore(now.plusSeconds(600))
                .notAfter(now.plusSeconds(6_000))));
    all.put("for servers alone", client(new CertificateBuilder().addExtendedKeyUsageServerAuth()));
    all.put("an SVID of another domain", new TestDomain("other.example").svid("ns/shop/sa/buyer"));
    all.put("an SVID of a namesake", new TestDomain("mesh.example").svid("ns/shop/sa/buyer"));
    all.put(
        "an SVID that has expired",
        MESH.svid("ns/shop/sa/buyer", leaf -> leaf.notAfter(now.minusSeconds(5))));
    all.put("no SVID", MESH.signed(TestDomain.leaf().addSanDnsName("buyer.example")));
    return all;
  }

  private ControlReplica plane(boolean believesSvids) throws Exception {
    X509Bundle server =
        built(
            new CertificateBuilder().subject("CN=localhost").addSanDnsName("localhost"),
            Optional.of(authority));
    TlsFiles tls =
        new TlsFiles(
            Files.writeString(folder.resolve("cert.pem"), server.getCertificatePathPEM()),
            Files.writeString(folder.resolve("key.pem"), server.getPrivateKeyPEM()),
            Optional.of(
                Files.writeString(folder.resolve("ca.pem"), authority.getCertificatePEM())));
    Path bundle = Files.writeString(folder.resolve("mesh.pem"), MESH.root().getCertificatePEM());
    var config = Kit.config(folder.resolve("data")).withTls(tls);
    return ControlReplica.start(
        believesSvids
            ? config.withIdentity(
                new AuthoritySettings(
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofHours(24),
                    Duration.ofDays(365),
                    "parlance-control",
                    Map.of(),
                    Map.of("mesh.example", bundle)))
            : config);
  }

  /** What gRPC's own client gets. */
  private static String called(ControlReplica plane, Optional<X509Bundle> shown)
      throws IOException {
    SslContextBuilder tls =
        GrpcSslContexts.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE);
    shown.ifPresent(one -> tls.keyManager(one.getKeyPair().getPrivate(), one.getCertificatePath()));
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", plane.grpcAddress().port())
            .overrideAuthority("localhost")
            .sslContext(tls.build())
            .build();
    try {
      return LedgerServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(PATIENCE_S, TimeUnit.SECONDS)
          .getCheckpoint(GetCheckpointRequest.getDefaultInstance())
          .getNote()
          .toStringUtf8();
    } finally {
      channel.shutdownNow();
    }
  }

  private static void refused(ControlReplica plane, String name, Optional<X509Bundle> shown) {
    assertThatThrownBy(() -> called(plane, shown))
        .as(name)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
  }

  @Test
  void T1_T2_T3_clientsOfNetty_areBelievedByTheirAuthority_orByTheirSvid() throws Exception {
    X509Bundle known = client(new CertificateBuilder());
    X509Bundle svid = MESH.svid("ns/shop/sa/buyer");
    try (ControlReplica plane = plane(false)) {
      assertThat(called(plane, Optional.of(known))).contains("test.example/ledger");
      refused(plane, "none", Optional.empty());
      refused(plane, "an SVID", Optional.of(svid));
      wrong().forEach((name, one) -> refused(plane, name, Optional.of(one)));
    }
    try (ControlReplica plane = plane(true)) {
      assertThat(called(plane, Optional.of(known))).contains("test.example/ledger");
      assertThat(called(plane, Optional.of(svid))).contains("test.example/ledger");
      refused(plane, "none", Optional.empty());
      wrong().forEach((name, one) -> refused(plane, name, Optional.of(one)));
    }
  }

  // ---- clients that share no line with ours ----

  private record Ran(int status, String output) {}

  private Ran run(String... command) throws Exception {
    Path said = Files.createTempFile(folder, "said", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS))
          .as(String.join(" ", command))
          .isTrue();
      return new Ran(process.exitValue(), Files.readString(said, StandardCharsets.ISO_8859_1));
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean isThere(String program, String says) {
    try {
      return new ProcessBuilder(program, says)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private List<String> files(String option, Optional<X509Bundle> shown) throws IOException {
    if (shown.isEmpty()) {
      return List.of();
    }
    Path cert = Files.createTempFile(folder, "client", ".crt");
    Path key = Files.createTempFile(folder, "client", ".key");
    Files.writeString(cert, shown.get().getCertificatePathPEM());
    Files.writeString(key, shown.get().getPrivateKeyPEM());
    return List.of(option + "cert", cert.toString(), option + "key", key.toString());
  }

  private Ran curl(int port, String path, Optional<X509Bundle> shown) throws Exception {
    Path call = folder.resolve("call");
    Files.write(call, new byte[EMPTY_CALL_BYTES]);
    List<String> command = new ArrayList<>(List.of("curl", "-sS", "-k", "-m", "30", "--http2"));
    command.addAll(List.of("-o", "/dev/null", "-w", "%{http_code}"));
    command.addAll(files("--", shown));
    if (path.contains("Service/")) {
      command.addAll(List.of("-H", "Content-Type: application/grpc", "-H", "TE: trailers"));
      command.addAll(List.of("--data-binary", "@" + call));
    }
    command.add("https://127.0.0.1:" + port + path);
    return run(command.toArray(String[]::new));
  }

  private Ran openssl(int port, Optional<X509Bundle> shown) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("openssl", "s_client", "-ign_eof", "-alpn", "h2"));
    command.addAll(List.of("-connect", "127.0.0.1:" + port));
    command.addAll(files("-", shown));
    return run(command.toArray(String[]::new));
  }

  @Test
  void T1_T2_T3_curlAndOpenssl_areRefusedLikewise_andTheHttpListenerAsksForNothing()
      throws Exception {
    Assumptions.assumeTrue(
        isThere("openssl", "version") && isThere("curl", "--version"), "openssl and curl");
    String service = "/parlance.v1.LedgerService/GetCheckpoint";
    try (ControlReplica plane = plane(true)) {
      int port = plane.grpcAddress().port();
      for (X509Bundle good :
          List.of(client(new CertificateBuilder()), MESH.svid("ns/shop/sa/buyer"))) {
        assertThat(curl(port, service, Optional.of(good))).isEqualTo(new Ran(0, "200"));
      }
      Map<String, X509Bundle> wrong = wrong();
      for (Map.Entry<String, X509Bundle> one : wrong.entrySet()) {
        Optional<X509Bundle> shown = Optional.of(one.getValue());
        assertThat(curl(port, service, shown).status()).as(one.getKey()).isNotZero();
        assertThat(openssl(port, shown).output()).as(one.getKey()).containsPattern("[ :]alert ");
      }
      assertThat(curl(port, service, Optional.empty()).status()).isNotZero();
      assertThat(openssl(port, Optional.empty()).output()).containsPattern("[ :]alert ");
      assertThat(curl(plane.httpAddress().port(), "/healthz", Optional.empty()))
          .isEqualTo(new Ran(0, "200"));
    }
  }
}
