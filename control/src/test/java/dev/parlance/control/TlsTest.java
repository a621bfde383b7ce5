package dev.parlance.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfig.StoreSettings;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.control.testing.Kit;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates, keys and secrets. */
final class TlsTest {
  @TempDir Path data;

  private static Path write(Path file, String text) throws IOException {
    return Files.writeString(file, text);
  }

  @Test
  void certificateThatIsReplaced_isServedWithoutARestart_andABadOneIsNot() throws Exception {
    X509Bundle authority =
        new CertificateBuilder()
            .subject("CN=authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    TlsFiles tls =
        new TlsFiles(data.resolve("cert.pem"), data.resolve("key.pem"), Optional.empty());
    X509Bundle first = replaced(tls, authority);
    try (ControlReplica plane = ControlReplica.start(config(tls))) {
      List<Integer> ports = List.of(plane.grpcAddress().port(), plane.httpAddress().port());
      for (int port : ports) {
        assertThat(served(port, authority)).isEqualTo(first.getCertificate());
      }
      X509Bundle second = replaced(tls, authority);
      for (int port : ports) {
        Awaitility.await().until(() -> served(port, authority).equals(second.getCertificate()));
      }
      write(tls.cert(), "none");
      for (int port : ports) {
        assertThat(served(port, authority)).isEqualTo(second.getCertificate());
      }
      X509Bundle third = replaced(tls, authority);
      for (int port : ports) {
        Awaitility.await().until(() -> served(port, authority).equals(third.getCertificate()));
      }
    }
  }

  private static X509Bundle replaced(TlsFiles tls, X509Bundle authority) throws Exception {
    X509Bundle made =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .buildIssuedBy(authority);
    write(tls.key(), made.getPrivateKeyPEM());
    write(tls.cert(), made.getCertificatePathPEM());
    return made;
  }

  private static Certificate served(int port, X509Bundle authority) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {authority.toTrustManager()}, null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
      socket.setSSLParameters(parameters);
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  private ControlConfig config(TlsFiles tls) {
    return Kit.config(data).withTls(tls);
  }

  @Test
  void clientWithoutCertificate_isRefused_whereOneIsAskedFor() throws Exception {
    X509Bundle authority =
        new CertificateBuilder()
            .subject("CN=authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    X509Bundle server =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .buildIssuedBy(authority);
    X509Bundle client = new CertificateBuilder().subject("CN=sidecar").buildIssuedBy(authority);
    Path ca = write(data.resolve("ca.pem"), authority.getCertificatePEM());
    TlsFiles tls =
        new TlsFiles(
            write(data.resolve("cert.pem"), server.getCertificatePathPEM()),
            write(data.resolve("key.pem"), server.getPrivateKeyPEM()),
            Optional.of(ca));
    ControlConfig config = config(tls);
    try (ControlReplica plane = ControlReplica.start(config)) {
      SslContextBuilder stranger = GrpcSslContexts.forClient().trustManager(ca.toFile());
      assertThatThrownBy(() -> checkpoint(plane, stranger))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
      SslContextBuilder known =
          GrpcSslContexts.forClient()
              .trustManager(ca.toFile())
              .keyManager(client.getKeyPair().getPrivate(), client.getCertificatePath());
      assertThat(checkpoint(plane, known)).contains("test.example/ledger");
    }
  }

  private static String checkpoint(ControlReplica plane, SslContextBuilder tls) throws IOException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", plane.grpcAddress().port())
            .overrideAuthority("localhost")
            .sslContext(tls.build())
            .build();
    try {
      return LedgerServiceGrpc.newBlockingStub(channel)
          .getCheckpoint(GetCheckpointRequest.getDefaultInstance())
          .getNote()
          .toStringUtf8();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void replicaOverPostgresql_doesNotMakeKeysOfItsOwn() {
    ControlConfig config =
        Kit.config(
            data,
            new StoreSettings.Postgres(
                "jdbc:postgresql://127.0.0.1:1/none", "u", Optional.empty(), 2),
            Optional.empty(),
            "one");
    assertThatThrownBy(() -> ControlReplica.start(config))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must share their signing keys");
    assertThat(data.resolve("keys")).doesNotExist();
  }

  @Test
  void secretThatOthersCanRead_isRefused_andKeysAreMadeOnceAndPrivate() throws Exception {
    ControlMain.Keys keys = ControlMain.keys(data.resolve("keys"), "test.example/ledger");
    assertThat(ControlMain.keys(data.resolve("keys"), "test.example/ledger").core())
        .isEqualTo(keys.core());
    assertThat(Files.getPosixFilePermissions(data.resolve("keys/core.key")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> ControlMain.keys(data.resolve("keys"), "other.example/ledger"))
        .hasMessageContaining("because of ledger.origin");
    String token = ControlMain.attachToken(Kit.config(data), "alice");
    assertThat(token).matches("[0-9a-f]{64}");
    assertThat(ControlMain.attachToken(Kit.config(data), "alice")).isEqualTo(token);
    assertThat(ControlMain.attachToken(Kit.config(data), "bob")).isNotEqualTo(token);
    Files.setPosixFilePermissions(
        data.resolve("attach.secret"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> ControlMain.attachToken(Kit.config(data), "alice"))
        .hasMessageContaining("must have mode 0600");
  }

  @Test
  void secondProcessOnTheSameFolder_isRefused() throws Exception {
    try (ControlReplica plane = ControlReplica.start(Kit.config(data))) {
      assertThat(plane.faults()).isEmpty();
      assertThatThrownBy(() -> ControlReplica.start(Kit.config(data)))
          .hasMessageContaining("ledger_locked");
    }
  }
}
