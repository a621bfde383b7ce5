package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.testing.LeakCheck;
import dev.parlance.service.testing.TestDomain;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sidecars with identities of one trust domain: the seller's, in front of an agent, and the
 * buyer's, through which the buyer asks.
 */
@ExtendWith(LeakCheck.class)
abstract class TlsFixture {
  static final TestDomain MESH = new TestDomain("mesh.example");
  static final String BUYER = "ns/shop/sa/buyer";
  static final String SELLER = "ns/shop/sa/seller";
  static final int PATIENCE_MS = 20_000;

  /** Plain text that every route lets pass. */
  static final String ROUTE =
      "{ name: all, codec: text, onUnjudged: allow, mode: observe, metadata: false }";

  /** How long the agent takes: a load has a request under way at nearly every moment, and few. */
  private static final long ANSWER_NS = TimeUnit.MILLISECONDS.toNanos(5);

  @TempDir Path folder = Path.of("");
  final HttpClient direct = HttpClient.newHttpClient();
  final List<AutoCloseable> started = new ArrayList<>();
  ScriptedAgent agent = SidecarFixture.unstarted();

  @BeforeEach
  void startAgent() throws IOException {
    agent =
        new ScriptedAgent(_ -> {
          LockSupport.parkNanos(ANSWER_NS);
          return new ScriptedAgent.Reply(
              200, "text/plain", "answered".getBytes(StandardCharsets.UTF_8));
        });
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : started.reversed()) {
      one.close();
    }
    agent.close();
    direct.close();
  }

  /** Where the files of an identity are. */
  Path identityOf(String name) {
    return folder.resolve(name).resolve("identity");
  }

  /** A sidecar with an identity in files. */
  Sidecar sidecar(String name, X509Bundle svid, String more) throws IOException {
    MESH.write(identityOf(name), svid);
    return sidecar(
        name,
        more.replace(
            "IDENTITY", "cert: identity/tls.crt, key: identity/tls.key, bundle: identity/ca.crt"));
  }

  Sidecar sidecar(String name, String yaml) throws IOException {
    Files.createDirectories(folder.resolve(name));
    Path file = folder.resolve(name).resolve("parlance.yaml");
    Files.writeString(
        file, "version: 1\nnode: " + name + "\nadmin: { listen: \"127.0.0.1:0\" }\n" + yaml);
    ConfigResult<SidecarConfig> result = ConfigLoader.load(file);
    assertThat(result).isInstanceOf(ConfigResult.Loaded.class);
    Sidecar sidecar = Sidecar.start(((ConfigResult.Loaded<SidecarConfig>) result).config(), file);
    started.add(sidecar);
    return sidecar;
  }

  /** The seller's sidecar. */
  Sidecar seller(String tls, String identity, String routes) throws IOException {
    return sidecar(
        "seller",
        MESH.svid(SELLER),
        """
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d", tls: %s }
        identity: { IDENTITY%s }
        startup: { warmUpMessages: 0 }
        routes: [ %s ]
        """
            .formatted(agent.port(), tls, identity, routes));
  }

  /** The buyer's sidecar. */
  Sidecar buyer(String tls, X509Bundle svid, String identity, String routes) throws IOException {
    return sidecar(
        "buyer",
        svid,
        """
        outbound: { listen: "127.0.0.1:0", allowLoopback: true, tls: %s }
        identity: { IDENTITY%s }
        startup: { warmUpMessages: 0 }
        routes: [ %s ]
        """
            .formatted(tls, identity, routes));
  }

  /** What stands in the buyer's configuration for who sellers are. */
  static String sellersAre(String id) {
    return ", peers: [{ hosts: [\"*\"], ids: [\"" + id + "\"] }]";
  }

  static int inbound(Sidecar sidecar) {
    return sidecar.inboundPort().orElseThrow();
  }

  /** Asks the seller's sidecar through the buyer's, which is a proxy. */
  HttpResponse<String> askThrough(Sidecar buyer, Sidecar seller) throws Exception {
    return askThrough(buyer, inbound(seller));
  }

  HttpResponse<String> askThrough(Sidecar buyer, int port) throws Exception {
    return askThrough(buyer, request("http://127.0.0.1:" + port + "/ask"));
  }

  HttpResponse<String> askThrough(Sidecar buyer, HttpRequest request) throws Exception {
    InetSocketAddress at =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), buyer.outboundPort().orElseThrow());
    try (HttpClient proxied =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(ProxySelector.of(at))
            .build()) {
      return proxied.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  static HttpRequest request(String uri) {
    return HttpRequest.newBuilder(URI.create(uri))
        .header("Content-Type", "text/plain")
        .POST(HttpRequest.BodyPublishers.ofString("question"))
        .build();
  }

  String scrape(String name, Sidecar sidecar) throws Exception {
    return admin(name, sidecar, "/metrics");
  }

  String admin(String name, Sidecar sidecar, String path) throws Exception {
    String token =
        Files.readString(folder.resolve(name).resolve("parlance-data/admin.token")).strip();
    return direct
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.adminPort() + path))
                .header("Authorization", "Bearer " + token)
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** A TLS socket of the JDK with this identity, that believes everybody. */
  static SSLSocket socket(int port, X509Bundle svid, String... protocols) throws Exception {
    SSLSocket socket = (SSLSocket) context(svid).getSocketFactory().createSocket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
    socket.setSoTimeout(PATIENCE_MS);
    if (protocols.length > 0) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(protocols);
      socket.setSSLParameters(parameters);
    }
    return socket;
  }

  static SSLContext context(X509Bundle svid) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys(svid), new TrustManager[] {new Believing()}, null);
    return context;
  }

  private static KeyManager[] keys(X509Bundle svid) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "svid", svid.getKeyPair().getPrivate(), new char[0], svid.getCertificatePath());
    javax.net.ssl.KeyManagerFactory factory = javax.net.ssl.KeyManagerFactory.getInstance("PKIX");
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  /** Asks over a socket, and reads the answer to its end. */
  static String ask(SSLSocket socket, String host) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(
        ("POST /ask HTTP/1.1\r\nHost: "
                + host
                + "\r\nContent-Type: text/plain\r\nContent-Length: 8\r\nConnection: close\r\n\r\n"
                + "question")
            .getBytes(StandardCharsets.UTF_8));
    out.flush();
    try (InputStream in = socket.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Believes every certificate: what a server makes of its client is what is tested. */
  private static final class Believing extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(
        java.security.cert.X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(
        java.security.cert.X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(
        java.security.cert.X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkServerTrusted(
        java.security.cert.X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkClientTrusted(java.security.cert.X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String type) {}

    @Override
    public java.security.cert.X509Certificate[] getAcceptedIssuers() {
      return new java.security.cert.X509Certificate[0];
    }
  }
}
