package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.TestDomain;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutual TLS with peers that share no line of code with us: OpenSSL and curl, where they are. */
@SuppressWarnings("try")
class ForeignPeersTest extends TlsFixture {
  private static final String REQUEST =
      "POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
          + "Content-Length: 8\r\nConnection: close\r\n\r\nquestion";

  /** What a program printed, and how it ended. */
  private record Ran(int status, String output) {}

  @BeforeAll
  static void needsBoth() throws Exception {
    Assumptions.assumeTrue(isThere("openssl") && isThere("curl"), "openssl and curl");
  }

  private static boolean isThere(String program) throws InterruptedException {
    try {
      Process asked =
          new ProcessBuilder(program, program.equals("curl") ? "--version" : "version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return asked.waitFor() == 0;
    } catch (IOException _) {
      return false;
    }
  }

  private Ran run(String input, String... command) throws Exception {
    Path said = Files.createTempFile(folder, "said", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      boolean ended = process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS);
      assertThat(ended).as(String.join(" ", command)).isTrue();
      return new Ran(process.exitValue(), Files.readString(said, StandardCharsets.ISO_8859_1));
    } finally {
      process.destroyForcibly();
    }
  }

  private String[] files(String name, X509Bundle svid) throws IOException {
    Path cert = folder.resolve(name + ".crt");
    Path key = folder.resolve(name + ".key");
    Files.writeString(cert, svid.getCertificatePathPEM());
    Files.writeString(key, svid.getPrivateKeyPEM());
    String chain = svid.getCertificatePathPEM();
    Path above = folder.resolve(name + ".chain");
    Files.writeString(above, chain.substring(chain.lastIndexOf("-----BEGIN")));
    return new String[] {cert.toString(), key.toString(), above.toString()};
  }

  private Ran curl(Sidecar seller, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("curl", "-sS", "-k", "-m", "15", "-d", "question", "-w", " %{http_code}"));
    command.addAll(List.of("-H", "Content-Type: text/plain"));
    command.addAll(List.of(more));
    command.add("https://127.0.0.1:" + inbound(seller) + "/ask");
    return run("", command.toArray(String[]::new));
  }

  private Ran client(Sidecar seller, String[] files, String... more) throws Exception {
    List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-ign_eof", "-connect"));
    command.add("127.0.0.1:" + inbound(seller));
    command.addAll(List.of("-cert", files[0], "-cert_chain", files[2], "-key", files[1]));
    command.addAll(List.of(more));
    return run(REQUEST, command.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2"})
  void curlWithAnIdentity_isAnswered_withoutOneNot(String version) throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    String[] files = files("buyer", MESH.svid(BUYER));
    Ran ran = curl(seller, version, "--cert", files[0], "--key", files[1]);
    assertThat(ran).isEqualTo(new Ran(0, "answered 200"));
    assertThat(curl(seller, version).status()).isNotZero();
    assertThat(curl(seller, version, "--tls-max", "1.2", "--cert", files[0], "--key", files[1]))
        .extracting(Ran::status)
        .isEqualTo(35);
    assertThat(scrape("seller", seller)).contains("result=\"no_certificate\"} 1.0");
    assertThat(agent.asked()).hasSize(1);
  }

  /** The chains of {@link MutualTlsTest}, shown by OpenSSL, curl and Netty. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.parlance.proxy.main.MutualTlsTest#wrongClients")
  void T1_T2_T3_foreignPeerWithAWrongChain_isRefused(String code, X509Bundle svid)
      throws Exception {
    String deny = ", deny: [\"" + MESH.id("ns/*/sa/thief") + "\"]";
    Sidecar seller = seller("strict", deny, ROUTE);
    String[] files = files("wrong", svid);
    assertThat(client(seller, files).output()).doesNotContain("answered");
    assertThat(curl(seller, "--cert", files[0], "--key", files[1]).status()).isNotZero();
    assertThat(netty(seller, svid)).doesNotContain("answered");
    assertThat(agent.asked()).isEmpty();
    assertThat(scrape("seller", seller)).contains("result=\"" + code + "\"} 3.0");
    assertThat(netty(seller, MESH.svid(BUYER))).endsWith("answered");
    Sidecar buyer = buyer("strict", MESH.svid(BUYER), sellersAre("*") + deny, ROUTE);
    try (OpensslServer server = new OpensslServer("wrong", svid)) {
      assertThat(askThrough(buyer, page(server.port)).statusCode()).isEqualTo(502);
    }
    assertThat(scrape("buyer", buyer))
        .contains("{direction=\"outbound\",result=\"" + code + "\"} 1.0");
  }

  /** What a client of Netty is answered; empty if its connection ends without a word. */
  private static String netty(Sidecar seller, X509Bundle svid) throws Exception {
    SslContext context =
        SslContextBuilder.forClient()
            .keyManager(svid.getKeyPair().getPrivate(), svid.getCertificatePath())
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .build();
    StringBuilder said = new StringBuilder(); // read when the channel has closed
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel channel =
          new Bootstrap()
              .group(group)
              .channel(NioSocketChannel.class)
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                      made.pipeline()
                          .addLast(context.newHandler(made.alloc()))
                          .addLast(
                              new SimpleChannelInboundHandler<ByteBuf>() {
                                @Override
                                protected void channelRead0(ChannelHandlerContext at, ByteBuf in) {
                                  said.append(in.toString(StandardCharsets.UTF_8));
                                }

                                @Override
                                public void exceptionCaught(
                                    ChannelHandlerContext at, Throwable refused) {
                                  at.close();
                                }
                              });
                    }
                  })
              .connect("127.0.0.1", inbound(seller))
              .sync()
              .channel();
      channel.writeAndFlush(Unpooled.copiedBuffer(REQUEST, StandardCharsets.UTF_8));
      assertThat(channel.closeFuture().await(PATIENCE_MS)).isTrue();
      return said.toString();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  @Test
  void callersWithoutIdentity_goByRoute() throws Exception {
    Sidecar seller =
        seller(
            "permissive",
            "",
            """
            { name: known, match: { peer: ["%s"] }, codec: text, onUnjudged: allow, mode: observe },
            { name: open, match: { pathPrefix: /open }, codec: text, onUnjudged: allow, mode: observe },
            { name: rest, allow: ["spiffe://mesh.example/ns/**"] }
            """
                .formatted(MESH.id("ns/*/sa/buyer")));
    String[] buyer = files("buyer", MESH.svid(BUYER));
    String[] other = files("other", MESH.svid("elsewhere/sa/buyer"));
    assertThat(curl(seller, "--cert", buyer[0], "--key", buyer[1]).output())
        .isEqualTo("answered 200");
    assertThat(curl(seller, "--cert", other[0], "--key", other[1]).output())
        .contains("peer_not_allowed")
        .endsWith(" 403");
    assertThat(curl(seller).output()).contains("peer_not_allowed").endsWith(" 403");
    HttpResponse<String> clear =
        direct.send(
            request("http://127.0.0.1:" + inbound(seller) + "/open"),
            HttpResponse.BodyHandlers.ofString());
    assertThat(clear.statusCode()).isEqualTo(200);
    assertThat(scrape("seller", seller))
        .contains("{layer=\"identity\",reason=\"peer_not_allowed\"} 2.0");
    Path log = folder.resolve("seller/parlance-data/decisions.jsonl"); // written behind the answer
    String refused = "\"peer\":\"" + MESH.id("elsewhere/sa/buyer") + "\"";
    Awaitility.await().until(() -> Files.readString(log).contains(refused));
  }

  @Test
  void T5_opensslClient_byVersion() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    String[] files = files("buyer", MESH.svid(BUYER));
    assertThat(client(seller, files, "-tls1_3").output()).contains("answered");
    for (String version : new String[] {"-tls1_2", "-tls1_1"}) {
      assertThat(client(seller, files, version, "-cipher", "ALL:@SECLEVEL=0").output())
          .doesNotContain("answered");
    }
    assertThat(agent.asked()).hasSize(1);
    seller.close();
    Sidecar older = seller("strict", ", minTls: TLSv1.2", ROUTE);
    assertThat(client(older, files, "-tls1_2").output()).contains("answered");
    for (String suite : new String[] {"ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384"}) {
      assertThat(client(older, files, "-tls1_2", "-cipher", suite + ":@SECLEVEL=0").output())
          .as(suite)
          .doesNotContain("answered");
    }
    assertThat(agent.asked()).hasSize(2);
  }

  @Test
  void T5_earlyData_isNotTaken() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    String[] files = files("buyer", MESH.svid(BUYER));
    Files.writeString(folder.resolve("early"), REQUEST);
    assertThat(client(seller, files, "-tls1_3", "-sess_out", "session").output())
        .contains("answered");
    assertThat(Files.exists(folder.resolve("session"))).isTrue();
    Ran again = client(seller, files, "-sess_in", "session", "-early_data", "early");
    assertThat(again.output()).doesNotContain("Early data was accepted").contains("Early data was");
    assertThat(agent.asked()).hasSizeLessThan(3);
  }

  @Test
  void alpn_byOpenssl_withoutItAndWithAnother() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    String[] files = files("buyer", MESH.svid(BUYER));
    assertThat(client(seller, files).output()).contains("No ALPN negotiated").contains("answered");
    assertThat(client(seller, files, "-alpn", "spdy/3").output()).doesNotContain("answered");
    assertThat(agent.asked()).hasSize(1);
  }

  @Test
  void T3_selfSignedLeafOfOpenssl_isRefused() throws Exception {
    Sidecar seller = seller("strict", "", ROUTE);
    Ran made =
        run(
            "",
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=buyer",
            "-keyout",
            "self.key",
            "-out",
            "self.crt",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-addext",
            "keyUsage=critical,digitalSignature",
            "-addext",
            "subjectAltName=URI:" + MESH.id(BUYER));
    assertThat(made.status()).as(made.output()).isZero();
    String leaf = folder.resolve("self.crt").toString();
    String[] files = {leaf, folder.resolve("self.key").toString(), leaf};
    assertThat(client(seller, files, "-tls1_3").output()).doesNotContain("answered");
    assertThat(agent.asked()).isEmpty();
    assertThat(scrape("seller", seller)).contains("result=\"untrusted\"} 1.0");
  }

  @Test
  void T5_renegotiationByOpenssl_isRefused() throws Exception {
    Sidecar seller = seller("strict", ", minTls: TLSv1.2", ROUTE);
    String[] files = files("buyer", MESH.svid(BUYER));
    Process process =
        new ProcessBuilder(
                "openssl",
                "s_client",
                "-tls1_2",
                "-connect",
                "127.0.0.1:" + inbound(seller),
                "-cert",
                files[0],
                "-cert_chain",
                files[2],
                "-key",
                files[1])
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("renegotiated.txt").toFile())
            .start();
    try {
      process.getOutputStream().write("R\n".getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      assertThat(process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
      assertThat(Files.readString(folder.resolve("renegotiated.txt")))
          .contains("RENEGOTIATING")
          .containsPattern("alert|no renegotiation|error");
    } finally {
      process.destroyForcibly();
    }
    assertThat(agent.asked()).isEmpty();
  }

  @Test
  void T7_opensslServer_getsTheRequestIfItIsWhoIsMeant() throws Exception {
    Sidecar buyer = buyer("strict", MESH.svid(BUYER), sellersAre(MESH.id(SELLER)), ROUTE);
    try (OpensslServer server = new OpensslServer("right", MESH.svid(SELLER))) {
      assertThat(askThrough(buyer, page(server.port)).statusCode()).isEqualTo(200);
      assertThat(Files.readString(server.said)).contains("depth=0");
    }
    for (X509Bundle wrong :
        List.of(MESH.svid("ns/shop/sa/other"), new TestDomain("mesh.example").svid(SELLER))) {
      try (OpensslServer server = new OpensslServer("wrong", wrong)) {
        assertThat(askThrough(buyer, page(server.port)).statusCode()).isEqualTo(502);
      }
    }
    assertThat(scrape("buyer", buyer))
        .contains("result=\"wrong_peer\"} 1.0")
        .contains("result=\"untrusted\"} 1.0");
  }

  private static HttpRequest page(int port) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
  }

  /** {@code openssl s_server}, which asks for a certificate and answers with a page. */
  private final class OpensslServer implements AutoCloseable {
    private final Process process;
    private final Path said;
    private final int port;

    private OpensslServer(String name, X509Bundle svid) throws Exception {
      String[] files = files(name, svid);
      said = Files.createTempFile(folder, name, ".txt");
      Path root = folder.resolve("root.crt");
      Files.writeString(root, MESH.root().getCertificatePEM());
      process =
          new ProcessBuilder(
                  "openssl",
                  "s_server",
                  "-accept",
                  "127.0.0.1:0",
                  "-cert",
                  files[0],
                  "-cert_chain",
                  files[2],
                  "-key",
                  files[1],
                  "-CAfile",
                  root.toString(),
                  "-Verify",
                  "3",
                  "-verify_return_error",
                  "-tls1_3",
                  "-www")
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      Awaitility.await().until(() -> Files.readString(said).contains("ACCEPT "));
      String line =
          Files.readString(said)
              .lines()
              .filter(one -> one.startsWith("ACCEPT "))
              .findFirst()
              .orElseThrow();
      port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1).strip());
    }

    @Override
    public void close() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }
}
