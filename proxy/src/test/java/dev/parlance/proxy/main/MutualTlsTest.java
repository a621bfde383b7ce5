package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.service.testing.TestDomain;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutual TLS between sidecars, and with peers that are none. */
class MutualTlsTest extends TlsFixture {
  @ParameterizedTest
  @ValueSource(strings = {"http1", "http2"})
  void strict_bothWays_theAnswerArrives(String protocol) throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    Sidecar buyer =
        sidecar(
            "buyer",
            MESH.svid(BUYER),
            """
            outbound: { listen: "127.0.0.1:0", allowLoopback: true, tls: strict, originProtocol: %s }
            identity: { IDENTITY%s }
            startup: { warmUpMessages: 0 }
            routes: [ %s ]
            """
                .formatted(protocol, sellersAre(MESH.id(SELLER)), ROUTE));
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> answer = askThrough(buyer, seller);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("answered");
    }
    assertThat(scrape("seller", seller))
        .contains("parlance_tls_connections_total{direction=\"inbound\",result=\"ok\"}")
        .contains("parlance_identity_updates_total{result=\"taken\"} 1.0")
        .containsPattern("parlance_identity_cert_expiration_timestamp_seconds [1-9]");
    assertThat(scrape("buyer", buyer))
        .contains("parlance_tls_connections_total{direction=\"outbound\",result=\"ok\"}");
  }

  @Test
  void T7_serverThatIsNotWhoIsMeant_getsNoRequest() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    Sidecar buyer =
        buyer("strict", MESH.svid(BUYER), sellersAre(MESH.id("ns/shop/sa/other")), ROUTE);
    assertThat(askThrough(buyer, seller).statusCode()).isEqualTo(502);
    assertThat(agent.asked()).isEmpty();
    assertThat(scrape("buyer", buyer)).contains("result=\"wrong_peer\"");
  }

  @Test
  void nameThatStandsForNobody_isNotGoneTo_unlessPermissive() throws Exception {
    Sidecar seller = seller("permissive", "", ROUTE);
    Sidecar strict = buyer("strict", MESH.svid(BUYER), "", ROUTE);
    HttpResponse<String> refused = askThrough(strict, seller);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("peer_unknown");
    strict.close();
    Sidecar permissive = buyer("permissive", MESH.svid(BUYER), "", ROUTE);
    assertThat(askThrough(permissive, seller).body()).isEqualTo("answered");
    assertThat(scrape("seller", seller))
        .contains("{direction=\"inbound\",result=\"clear_text\"} 1.0");
    assertThat(scrape("buyer", permissive))
        .contains("{direction=\"outbound\",result=\"clear_text\"} 1.0");
  }

  @Test
  void strict_clearTextIsClosedAndCounted() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), inbound(seller))) {
      socket.setSoTimeout(PATIENCE_MS);
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThat(socket.getInputStream().readAllBytes()).isEmpty();
    }
    assertThat(agent.asked()).isEmpty();
    assertThat(scrape("seller", seller)).contains("result=\"clear_text_refused\"} 1.0");
  }

  static Stream<Arguments> wrongClients() throws Exception {
    Instant now = Instant.now();
    return Stream.of(
        Arguments.of("expired", MESH.svid(BUYER, leaf -> leaf.notAfter(now.minusSeconds(5)))),
        Arguments.of(
            "not_yet_valid", MESH.svid(BUYER, leaf -> leaf.notBefore(now.plusSeconds(600)))),
        Arguments.of("unknown_domain", new TestDomain("other.example").svid(BUYER)),
        Arguments.of("untrusted", new TestDomain("mesh.example").svid(BUYER)),
        Arguments.of("not_svid", MESH.signed(TestDomain.leaf().addSanDnsName("buyer.example"))),
        Arguments.of(
            "not_svid",
            MESH.signed(
                TestDomain.leaf()
                    .addSanUriName(MESH.id(BUYER))
                    .addSanUriName(MESH.id("ns/shop/sa/other")))),
        Arguments.of(
            "not_svid",
            TestDomain.leaf()
                .addSanUriName(MESH.id(BUYER))
                .setIsCertificateAuthority(true)
                .buildSelfSigned()),
        Arguments.of("denied", MESH.svid("ns/shop/sa/thief")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongClients")
  void T1_T2_T3_clientWithAWrongChain_isRefused(String code, X509Bundle svid) throws Exception {
    Sidecar seller = seller("strict", ", deny: [\"" + MESH.id("ns/*/sa/thief") + "\"]", ROUTE);
    try (SSLSocket socket = socket(inbound(seller), svid)) {
      // Over TLS 1.3 a client hears of it with its first read.
      assertThatThrownBy(
              () -> {
                if (ask(socket, "localhost").isEmpty()) {
                  throw new IOException("closed without an answer");
                }
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(agent.asked()).isEmpty();
    assertThat(scrape("seller", seller)).contains("result=\"" + code + "\"} 1.0");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongClients")
  void T1_T2_T3_serverWithAWrongChain_getsNoRequest(String code, X509Bundle svid) throws Exception {
    Sidecar buyer =
        buyer(
            "strict",
            MESH.svid(BUYER),
            sellersAre("*") + ", deny: [\"" + MESH.id("ns/*/sa/thief") + "\"]",
            ROUTE);
    try (TlsServer server = TlsServer.start(svid)) {
      HttpResponse<String> refused = askThrough(buyer, server.port());
      assertThat(refused.statusCode()).isEqualTo(502);
      assertThat(server.requests()).isZero();
    }
    assertThat(scrape("buyer", buyer))
        .contains("{direction=\"outbound\",result=\"" + code + "\"} 1.0");
  }

  @Test
  void T5_olderTls_isRefused_unlessAllowed() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    for (String version : new String[] {"TLSv1.2", "TLSv1.1"}) {
      try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
        socket.setEnabledProtocols(new String[] {version});
        assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
      }
    }
    seller.close();
    Sidecar older = seller("strict", ", minTls: TLSv1.2", ROUTE);
    try (SSLSocket socket = socket(inbound(older), MESH.svid(BUYER))) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThat(ask(socket, "localhost")).startsWith("HTTP/1.1 200").endsWith("answered");
    }
  }

  @Test
  void T5_renegotiation_isRefused() throws Exception {
    Sidecar seller = seller("strict", ", minTls: TLSv1.2", ROUTE);
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.startHandshake();
      assertThatThrownBy(
              () -> {
                socket.startHandshake(); // again
                ask(socket, "localhost");
              })
          .isInstanceOf(SSLException.class);
    }
    assertThat(agent.asked()).isEmpty();
  }

  @Test
  void alpn_withoutItHttp1IsSpoken_andAnUnknownOneIsRefused() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
      assertThat(ask(socket, "localhost")).startsWith("HTTP/1.1 200");
      assertThat(socket.getApplicationProtocol()).isEmpty();
    }
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER), "spdy/3")) {
      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
    }
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER), "http/1.1", "h2")) {
      socket.startHandshake();
      assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
      assertThat(ask(socket, "localhost")).doesNotContain("HTTP/1.1 200"); // it agreed on h2
    }
    assertThat(agent.asked()).hasSize(1);
  }

  @Test
  void T4_silentOrEndlessClientHello_holdsNothingUp() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), inbound(seller))) {
      socket.setSoTimeout(PATIENCE_MS);
      socket.getOutputStream().write(new byte[] {22, 3, 1, 0, 100, 1});
      assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(64); // timed out
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), inbound(seller))) {
      socket.setSoTimeout(PATIENCE_MS);
      socket.getOutputStream().write(new byte[] {22, 3, 1, 0, 9, 1, -1, -1, -1, 3, 3, 0, 0, 0});
      assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(64);
    }
    assertThat(scrape("seller", seller))
        .contains("result=\"timeout\"} 1.0")
        .contains("result=\"handshake\"} 1.0");
  }

  @Test
  void nameOfTheHandshake_hasToBeThatOfTheRequest() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    for (String host : new String[] {"seller.example", "SELLER.example:80", "other.example"}) {
      try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName("seller.example")));
        socket.setSSLParameters(parameters);
        assertThat(ask(socket, host))
            .startsWith(host.startsWith("other") ? "HTTP/1.1 421" : "HTTP/1.1 200");
      }
    }
    assertThat(agent.asked()).hasSize(2);
  }

  @Test
  void nameOfTheHandshake_hasToBeThatOfTheRequest_inHttp2Too() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    for (String host : new String[] {"seller.example", "other.example"}) {
      try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER), "h2")) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName("seller.example")));
        socket.setSSLParameters(parameters);
        socket.getOutputStream().write(http2(host));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int type = -1;
        while (type != HEADERS) {
          int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
          type = in.readUnsignedByte();
          in.skipNBytes(5L + length); // flags and stream
        }
      }
    }
    assertThat(agent.asked()).hasSize(1);
    assertThat(scrape("seller", seller))
        .contains("parlance_rejected_total{layer=\"identity\",reason=\"misdirected\"} 1.0");
  }

  private static final int HEADERS = 1;

  /** The preface, empty settings and {@code GET / HTTP/2}, its fields without compression. */
  private static byte[] http2(String authority) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
    out.writeBytes(new byte[] {0, 0, (byte) (authority.length() + 5), HEADERS, 5, 0, 0, 0, 1});
    // From the static table: GET, https, /; a literal under the name :authority.
    out.writeBytes(
        new byte[] {(byte) 0x82, (byte) 0x87, (byte) 0x84, 1, (byte) authority.length()});
    out.writeBytes(authority.getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  @Test
  void rotation_underLoad_failsNoRequest() throws Exception {
    int turns = Integer.getInteger("soak", 5) > 5 ? 100 : 6;
    Sidecar seller = seller("strict", "", ROUTE);
    Sidecar buyer = buyer("strict", MESH.svid(BUYER), sellersAre(MESH.id(SELLER)), ROUTE);
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    Thread load =
        Thread.ofVirtual()
            .start(() -> {
              while (!Thread.currentThread().isInterrupted()) {
                try {
                  if (askThrough(buyer, seller).statusCode() != 200) {
                    failed.incrementAndGet();
                  }
                  asked.incrementAndGet();
                } catch (InterruptedException _) {
                  return;
                } catch (Exception _) {
                  failed.incrementAndGet();
                }
              }
            });
    for (int turn = 2; turn < turns + 2; turn++) {
      MESH.write(identityOf("seller"), MESH.svid(SELLER));
      MESH.write(identityOf("buyer"), MESH.svid(BUYER));
      String taken = "parlance_identity_updates_total{result=\"taken\"} " + turn + ".0";
      int before = asked.get();
      Awaitility.await()
          .atMost(java.time.Duration.ofMillis(PATIENCE_MS))
          .until(() ->
              asked.get() > before
                  && scrape("seller", seller).contains(taken)
                  && scrape("buyer", buyer).contains(taken));
    }
    load.interrupt();
    load.join();
    assertThat(failed).hasValue(0);
    assertThat(asked.get()).isGreaterThan(turns);
  }

  @Test
  void rotation_leavesAConnectionThatIsThere() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
      socket.startHandshake();
      MESH.write(identityOf("seller"), MESH.svid(SELLER));
      Awaitility.await().until(() -> scrape("seller", seller).contains("{result=\"taken\"} 2.0"));
      assertThat(ask(socket, "localhost")).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void T3_deniedCaller_isCutOff() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
      socket
          .getOutputStream()
          .write(
              ("POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                      + "Content-Length: 8\r\n\r\nquestion")
                  .getBytes(StandardCharsets.UTF_8));
      assertThat(
              new String(
                  socket.getInputStream().readNBytes("HTTP/1.1 200".length()),
                  StandardCharsets.UTF_8))
          .isEqualTo("HTTP/1.1 200");
      Path file = folder.resolve("seller/parlance.yaml");
      String denying =
          Files.readString(file)
              .replace("identity: {", "identity: { deny: [\"" + MESH.id(BUYER) + "\"],");
      Files.writeString(file, denying);
      // Reads to the end, which comes because the connection is closed.
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .endsWith("answered");
    }
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
      assertThatThrownBy(
              () -> {
                if (ask(socket, "localhost").isEmpty()) {
                  throw new IOException("closed without an answer");
                }
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(agent.asked()).hasSize(1);
  }

  @Test
  void connection_takesNoRequestOnceItsCertificateHasExpired() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    X509Bundle brief = MESH.svid(BUYER, leaf -> leaf.notAfter(Instant.now().plusSeconds(3)));
    try (SSLSocket socket = socket(inbound(seller), brief)) {
      socket.startHandshake();
      assertThat(socket.getInputStream().readAllBytes()).isEmpty(); // closed by the seller
    }
  }

  @Test
  void T9_noIdentityYet_isNotReady_andNothingIsTakenInClearText() throws Exception {
    Sidecar seller =
        sidecar(
            "late",
            """
            inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d", tls: strict }
            identity: { cert: identity/tls.crt, key: identity/tls.key, bundle: identity/ca.crt }
            startup: { warmUpMessages: 0 }
            """
                .formatted(agent.port()));
    assertThat(admin("late", seller, "/readyz")).contains("there is no identity yet");
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
      assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
    }
    MESH.write(identityOf("late"), MESH.svid(SELLER));
    Awaitility.await().until(() -> !admin("late", seller, "/readyz").contains("identity"));
    Files.writeString(identityOf("late").resolve("tls.crt"), "broken");
    Awaitility.await().until(() -> scrape("late", seller).contains("{result=\"refused\"} 2.0"));
    try (SSLSocket socket = socket(inbound(seller), MESH.svid(BUYER))) {
      socket.startHandshake(); // with the last good one
    }
  }
}
