package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.cli.Main;
import dev.parlance.service.testing.ChildJvm;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An agent that knows nothing of its sidecar, in a network namespace of its own, and everybody else
 * in another; the shipped rules between them.
 *
 * <pre>
 *   pod 10.77.0.1 fd77::1            |   peer 10.77.0.2 fd77::2, .3
 *     agent     user 2000, port 8080 |     bob, port 8080; DNS; a store, port 5432
 *     sidecar   15001, 15006         |
 * </pre>
 *
 * The sidecar runs as root and the rules say so, because class paths of tests are often root's own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterceptionIT {
  private static final int AGENT = 2000;
  private static final int EXCLUDED = 2001;
  private static final int PATIENCE_MS = 20_000;
  private static final String POD = "10.77.0.1";
  private static final String PEER = "10.77.0.2";
  private static final String OTHER = "10.77.0.3";
  private static final String POD_6 = "fd77::1";
  private static final String PEER_6 = "fd77::2";

  private Path folder = Path.of("");
  private final List<AutoCloseable> opened = new ArrayList<>();
  private NetworkSpace pod = unstarted();
  private NetworkSpace peer = unstarted();
  private StubAgent agent = unstarted();
  private StubAgent bob = unstarted();
  private int adminPort;

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    folder = temporary;
    Path nft = NetworkSpace.program("nft", "NFT_HOME");
    pod = keep(NetworkSpace.open());
    peer = keep(NetworkSpace.open());
    connect();
    agent = keep(new StubAgent(listen(pod, AGENT, 8080), InterceptionIT::grounded));
    bob = keep(new StubAgent(listen(peer, 0, 8080), InterceptionIT::grounded));
    keep(store(listen(peer, 0, 5432)));
    DatagramSocket names = peer.call(() -> new DatagramSocket(53, InetAddress.ofLiteral(PEER)));
    keep(
        new TinyDns(
            names,
            Map.of(
                "bob.test",
                List.of(InetAddress.ofLiteral(PEER), InetAddress.ofLiteral(PEER_6)),
                "lax.test",
                List.of(InetAddress.ofLiteral("10.77.0.99")))));
    Path resolv = folder.resolve("resolv.conf");
    Files.writeString(resolv, "nameserver " + PEER + "\n");
    pod.run("mount", "--bind", resolv.toString(), "/etc/resolv.conf");
    apply(nft);
    // Once more changes nothing: what follows is what two leave behind.
    apply(nft);
    startSidecar();
  }

  private void connect() throws Exception {
    pod.run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "far");
    pod.run("ip", "link", "set", "far", "netns", Long.toString(peer.pid()));
    for (String address : List.of(POD + "/24", POD_6 + "/64")) {
      pod.run(address(address, "eth0"));
    }
    for (String address : List.of(PEER + "/24", OTHER + "/24", PEER_6 + "/64")) {
      peer.run(address(address, "far"));
    }
    pod.run("ip", "link", "set", "eth0", "up");
    peer.run("ip", "link", "set", "far", "up");
  }

  private static String[] address(String address, String card) {
    List<String> words = new ArrayList<>(List.of("ip", "address", "add", address, "dev", card));
    if (address.contains(":")) {
      words.add("nodad");
    }
    return words.toArray(String[]::new);
  }

  private void apply(Path nft) throws Exception {
    String said =
        pod.run(
            parlance(
                    "intercept",
                    "apply",
                    "--inbound-port",
                    "15006",
                    "--outbound-port",
                    "15001",
                    "--uid",
                    "0",
                    "--exclude-inbound-ports",
                    "9100,9101",
                    "--exclude-outbound-ports",
                    "9200",
                    "--exclude-uids",
                    Integer.toString(EXCLUDED),
                    "--nft",
                    nft.toString())
                .toArray(String[]::new));
    assertThat(said).contains("name servers [" + PEER + "]");
  }

  private void startSidecar() throws Exception {
    Path config = folder.resolve("sidecar.yaml");
    Path ports = folder.resolve("ports.json");
    Files.writeString(
        config,
        """
        version: 1
        node: pod
        dataDir: data
        portsFile: ports.json
        admin: { listen: "127.0.0.1:0" }
        startup: { warmUpMessages: 0 }
        inbound: { listen: "0.0.0.0:15006", transparent: true }
        outbound:
          listen: "0.0.0.0:15001"
          transparent: true
          opaquePorts: [5432]
          allow: ["bob.test:8080", "%s", "[%s]"]
        routes:
          - { name: strict, match: { direction: outbound, host: bob.test }, metadata: false }
          - { name: lax, match: { direction: outbound }, onUnjudged: allow, metadata: false }
          - { name: in, match: { direction: inbound }, metadata: false }
        """
            .formatted(PEER, PEER_6));
    Path output = folder.resolve("sidecar.log");
    List<String> command =
        pod.inside(
            parlance("proxy", "--config", config.toString(), "--stop-on-stdin-close")
                .toArray(String[]::new));
    Process sidecar =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    keep(() -> {
      sidecar.getOutputStream().close();
      if (!sidecar.waitFor(30, TimeUnit.SECONDS)) {
        sidecar.destroyForcibly().waitFor();
      }
    });
    await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> Files.exists(ports) || !sidecar.isAlive());
    assertThat(sidecar.isAlive()).as(() -> read(output)).isTrue();
    adminPort = A2a.JSON.readTree(Files.readString(ports)).path("admin").asInt(0);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static List<String> parlance(String... arguments) {
    return Stream.of(
            ChildJvm.command().stream(), Stream.of(Main.class.getName()), Stream.of(arguments))
        .flatMap(part -> part)
        .toList();
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    opened.add(resource);
    return resource;
  }

  // ---- what is intercepted ----

  @ParameterizedTest
  @ValueSource(strings = {POD, POD_6})
  void caller_reachesTheAgentReadAndUnchanged(String to) throws Exception {
    double before = count("parlance_requests_total", "inbound");
    byte[] asked = A2a.ask("1", "ctx-in", "When must it be replaced?").getBytes(UTF_8);
    HttpBytes reply = peer.call(() -> post(to, 8080, "agent.test:8080", asked));
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo(grounded(last(agent)).body());
    HttpBytes got = last(agent);
    assertThat(got.body()).isEqualTo(asked);
    assertThat(got.field("host")).contains("agent.test:8080");
    assertThat(got.fields()).extracting(HttpBytes.Field::name).contains("Parlance-Route");
    assertThat(count("parlance_requests_total", "inbound")).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {PEER, PEER_6})
  void agent_reachesItsDestinationReadAndUnchanged(String to) throws Exception {
    double before = count("parlance_requests_total", "outbound");
    byte[] asked = A2a.ask("1", "ctx-out", "When must it be replaced?").getBytes(UTF_8);
    HttpBytes reply = pod.call(AGENT, () -> post(to, 8080, "bob.test:8080", asked));
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo(grounded(last(bob)).body());
    assertThat(last(bob).body()).isEqualTo(asked);
    assertThat(last(bob).field("host")).contains("bob.test:8080");
    assertThat(count("parlance_requests_total", "outbound")).isEqualTo(before + 1);
  }

  @Test
  void http2IsSpokenOn_toAnAgentThatSpeaksNothingElse_bothWays() throws Exception {
    String asked = A2a.ask("1", "ctx-h2", "When must it be replaced?");
    String answer = A2a.answer("1", "m-1", A2a.GROUNDED);
    try (H2Agent inside = pod.call(AGENT, () -> new H2Agent(8082, answer));
        H2Agent outside = peer.call(() -> new H2Agent(8082, answer));
        H2Caller caller = peer.call(() -> new H2Caller(InetAddress.ofLiteral(POD), 8082));
        H2Caller self = pod.call(AGENT, () -> new H2Caller(InetAddress.ofLiteral(PEER), 8082))) {
      for (H2Caller one : List.of(caller, self)) {
        H2Caller.Reply reply = one.post(asked).get(30, TimeUnit.SECONDS);
        assertThat(reply.status()).isEqualTo("200");
        assertThat(reply.body()).isEqualTo(answer);
        assertThat(reply.decision()).isNotEmpty();
      }
      assertThat(inside.asked()).containsExactly(asked);
      assertThat(outside.asked()).containsExactly(asked);
    }
  }

  @Test
  void whatTheAgentsAnswerIsNotTrueTo_isHeldBack_onTheWayOut() throws Exception {
    agent.answer(asked -> StubAgent.Reply.json(A2a.answer("1", "m-3", A2a.INVENTED)));
    try {
      byte[] asked = A2a.ask("1", "ctx-bad", "When must it be replaced?").getBytes(UTF_8);
      HttpBytes reply = peer.call(() -> post(POD, 8080, "agent.test:8080", asked));
      assertThat(reply.text()).doesNotContain("friendly specialists");
    } finally {
      agent.answer(InterceptionIT::grounded);
    }
  }

  // ---- an agent that wants to get round ----

  @Test
  void nameThatIsNotTheDestinations_choosesNoLaxRoute() throws Exception {
    byte[] text = "nothing that anybody can read".getBytes(UTF_8);
    int before = bob.asked().size();
    for (String host : List.of("lax.test", "nowhere.test", PEER + ":8080", "bob.test")) {
      HttpBytes reply = pod.call(AGENT, () -> postText(PEER, 8080, host, text));
      assertThat(reply.status()).as(host).isEqualTo(415);
    }
    assertThat(bob.asked()).hasSize(before);
  }

  @Test
  void nameOfAnAllowedHost_opensNoOtherAddress() throws Exception {
    for (String host : List.of("bob.test:8080", PEER + ":8080", OTHER + ":8080")) {
      HttpBytes reply = pod.call(AGENT, () -> postText(OTHER, 8080, host, new byte[1]));
      assertThat(reply.status()).as(host).isEqualTo(403);
      assertThat(reply.text()).contains("destination_denied");
    }
  }

  @Test
  void tls_isRefused_andItsDestinationHearsNothing() throws Exception {
    double before = count("parlance_rejected_total", "tls_refused");
    try (ServerSocket trap = listen(peer, 0, 443)) {
      byte[] alert =
          pod.call(AGENT, () -> exchange(PEER, 443, new byte[] {22, 3, 1, 0, 5, 1, 0, 0, 1, 3}));
      assertThat(alert).startsWith(21, 3, 3, 0, 2, 2, 49);
      trap.setSoTimeout(200);
      assertThatThrownBy(trap::accept).isInstanceOf(SocketTimeoutException.class);
    }
    assertThat(count("parlance_rejected_total", "tls_refused")).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {PEER, PEER_6})
  void datagrams_doNotGetOut_butThoseOfOthersDo(String to) throws Exception {
    try (DatagramSocket trap = peer.call(() -> new DatagramSocket(443))) {
      trap.setSoTimeout(300);
      pod.call(AGENT, () -> datagram(to, 443));
      assertThatThrownBy(() -> trap.receive(new DatagramPacket(new byte[9], 9)))
          .isInstanceOf(SocketTimeoutException.class);
      pod.call(EXCLUDED, () -> datagram(to, 443));
      trap.receive(new DatagramPacket(new byte[9], 9));
    }
  }

  @Test
  void questionsToTheNameServerGetOut_toAnotherNone() throws Exception {
    byte[] query = {
      7, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 'b', 'o', 'b', 4, 't', 'e', 's', 't', 0, 0, 1, 0, 1
    };
    byte[] answer =
        pod.call(
            AGENT,
            () -> {
              try (DatagramSocket socket = new DatagramSocket()) {
                socket.setSoTimeout(PATIENCE_MS);
                socket.send(
                    new DatagramPacket(query, query.length, InetAddress.ofLiteral(PEER), 53));
                DatagramPacket got = new DatagramPacket(new byte[512], 512);
                socket.receive(got);
                return Arrays.copyOf(got.getData(), got.getLength());
              }
            });
    assertThat(answer).startsWith(7, 7).endsWith(10, 77, 0, 2);
    try (DatagramSocket trap =
        peer.call(() -> new DatagramSocket(53, InetAddress.ofLiteral(OTHER)))) {
      trap.setSoTimeout(300);
      pod.call(AGENT, () -> datagram(OTHER, 53));
      assertThatThrownBy(() -> trap.receive(new DatagramPacket(new byte[9], 9)))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void excludedUserAndPort_goOutUnread() throws Exception {
    double before = count("parlance_requests_total", "outbound");
    HttpBytes reply = pod.call(EXCLUDED, () -> postText(PEER, 8080, "any", new byte[3]));
    assertThat(reply.status()).isEqualTo(200);
    try (StubAgent free = new StubAgent(listen(peer, 0, 9200), InterceptionIT::grounded)) {
      HttpBytes other = pod.call(AGENT, () -> postText(PEER, 9200, "any", new byte[3]));
      assertThat(other.status()).isEqualTo(200);
      assertThat(free.asked()).hasSize(1);
    }
    assertThat(count("parlance_requests_total", "outbound")).isEqualTo(before);
  }

  @Test
  void protocolInWhichTheServerSpeaksFirst_goesThroughOnItsPort_andIsCounted() throws Exception {
    double before = count("parlance_opaque_connections_total", "port");
    String said =
        pod.call(AGENT, () -> new String(exchange(PEER, 5432, "ping\n".getBytes(UTF_8)), UTF_8));
    assertThat(said).isEqualTo("READY\nping\n");
    assertThat(count("parlance_opaque_connections_total", "port")).isEqualTo(before + 1);
  }

  @Test
  void tunnels_handTlsOnByteForByte_alsoPastTheEndOfOneSide() throws Exception {
    byte[] sent = new byte[1 << 20];
    new Random(7).nextBytes(sent);
    sent[0] = 22;
    double before = count("parlance_opaque_connections_total", "tls");
    Path config = folder.resolve("sidecar.yaml");
    String refusing = Files.readString(config);
    try (ServerSocket server = listen(peer, 0, 8443)) {
      Thread.ofVirtual().start(() -> repeatAtTheEnd(server));
      Files.writeString(config, refusing.replace("opaquePorts", "tunnels: ['*']\n  opaquePorts"));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> pod.call(AGENT, () -> whole(PEER, 8443, new byte[] {22})).length == 1);
      byte[] got = pod.call(AGENT, () -> whole(PEER, 8443, sent));
      assertThat(got).hasSize(sent.length);
      assertThat(Arrays.mismatch(got, sent)).isEqualTo(-1);
      assertThat(count("parlance_opaque_connections_total", "tls")).isEqualTo(before + 2);
      assertThat(pod.call(AGENT, () -> whole(OTHER, 8443, new byte[] {22}))).isNotEqualTo(sent);
    } finally {
      Files.writeString(config, refusing);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> pod.call(AGENT, () -> whole(PEER, 8443, new byte[] {22})).length == 7);
    }
  }

  /** Reads everything that comes, and only then says it again. */
  private static void repeatAtTheEnd(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        byte[] all = socket.getInputStream().readAllBytes();
        socket.getOutputStream().write(all);
      } catch (IOException e) {
        Thread.onSpinWait(); // closed, or a client that left; the test says what it missed
      }
    }
  }

  /** What comes back after we have said all and ended our side. */
  private static byte[] whole(String address, int port, byte[] bytes) throws IOException {
    try (Socket socket = connect(address, port)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      return new byte[0];
    }
  }

  // ---- a caller that wants to reach the agent unread, and loops ----

  @Test
  void datagramsToTheAgent_doNotArrive() throws Exception {
    try (DatagramSocket trap = pod.call(AGENT, () -> new DatagramSocket(8080));
        DatagramSocket open = pod.call(AGENT, () -> new DatagramSocket(9101))) {
      trap.setSoTimeout(300);
      open.setSoTimeout(PATIENCE_MS);
      peer.call(() -> datagram(POD, 8080));
      peer.call(() -> datagram(POD, 9101));
      open.receive(new DatagramPacket(new byte[9], 9));
      assertThatThrownBy(() -> trap.receive(new DatagramPacket(new byte[9], 9)))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POD, POD_6})
  void connectionToTheSidecarItself_isClosed_andLeadsNowhere(String to) throws Exception {
    double before = count("parlance_rejected_total", "not_redirected");
    assertThat(peer.call(() -> exchange(to, 15_006, get(to, 15_006)))).isEmpty();
    assertThat(pod.call(AGENT, () -> exchange(to, 15_006, get(to, 15_006)))).isEmpty();
    assertThat(pod.call(AGENT, () -> exchange(to, 15_001, get(to, 15_001)))).isEmpty();
    assertThat(count("parlance_rejected_total", "not_redirected")).isEqualTo(before + 3);
  }

  @Test
  void callerThatAsksForTheOutboundListener_meetsNoWayRound() throws Exception {
    byte[] asked = A2a.ask("1", "ctx-loop", "When must it be replaced?").getBytes(UTF_8);
    HttpBytes reply = peer.call(() -> post(POD, 15_001, "bob.test:8080", asked));
    assertThat(reply.text()).contains("destination_denied");
    assertThat(count("parlance_connections_active", "outbound")).isZero();
  }

  @Test
  void excludedInboundPort_isReachedUnread() throws Exception {
    try (StubAgent free = new StubAgent(listen(pod, AGENT, 9100), InterceptionIT::grounded)) {
      HttpBytes reply = peer.call(() -> postText(POD, 9100, "any", new byte[3]));
      assertThat(reply.status()).isEqualTo(200);
      assertThat(free.asked()).hasSize(1);
    }
  }

  // ---- what the tests speak with ----

  private static StubAgent.Reply grounded(HttpBytes asked) {
    return StubAgent.Reply.json(A2a.answer("1", "m-1", A2a.GROUNDED));
  }

  private static HttpBytes last(StubAgent one) {
    return one.asked().getLast();
  }

  private static ServerSocket listen(NetworkSpace space, int uid, int port) throws Exception {
    return space.call(uid, () -> new ServerSocket(port));
  }

  /** Speaks first, then repeats a line. */
  private static ServerSocket store(ServerSocket server) {
    Thread.ofVirtual()
        .start(() -> {
          while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
              socket.getOutputStream().write("READY\n".getBytes(UTF_8));
              socket.getOutputStream().write(socket.getInputStream().readNBytes(5));
            } catch (IOException e) {
              // The test is over, or the other side left; the test says what it missed.
              Thread.onSpinWait();
            }
          }
        });
    return server;
  }

  private static HttpBytes post(String address, int port, String host, byte[] body)
      throws IOException {
    return post(address, port, host, "application/json\r\nA2A-Version: 1.0", body);
  }

  private static HttpBytes postText(String address, int port, String host, byte[] body)
      throws IOException {
    return post(address, port, host, "text/x-unknown", body);
  }

  private static HttpBytes post(String address, int port, String host, String type, byte[] body)
      throws IOException {
    try (Socket socket = connect(address, port)) {
      String head =
          "POST /a2a HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
              .formatted(host, type, body.length);
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      socket.getOutputStream().write(body);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      return HttpBytes.readResponse(in, false).orElseThrow(() -> new IOException("closed"));
    }
  }

  private static byte[] get(String host, int port) {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return "GET / HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n\r\n"
        .formatted(name, port)
        .getBytes(ISO_8859_1);
  }

  /** Everything that comes back until the other side ends or breaks the connection. */
  private static byte[] exchange(String address, int port, byte[] bytes) throws IOException {
    try (Socket socket = connect(address, port)) {
      try {
        socket.getOutputStream().write(bytes);
        return socket.getInputStream().readAllBytes();
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        return new byte[0];
      }
    }
  }

  private static Socket connect(String address, int port) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(PATIENCE_MS);
    socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), port), PATIENCE_MS);
    return socket;
  }

  private static Optional<String> datagram(String to, int port) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.send(new DatagramPacket(new byte[5], 5, InetAddress.ofLiteral(to), port));
      return Optional.empty();
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      return Optional.of(e.toString()); // the kernel says no at once
    }
  }

  /** Sum of the series of this name with this label value. */
  private double count(String name, String label) throws Exception {
    String token = Files.readString(folder.resolve("data/admin.token")).strip();
    String text =
        pod.call(() ->
            new String(
                exchange(
                    "127.0.0.1",
                    adminPort,
                    ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:"
                            + adminPort
                            + "\r\nAuthorization: Bearer "
                            + token
                            + "\r\nConnection: close\r\n\r\n")
                        .getBytes(ISO_8859_1)),
                UTF_8));
    assertThat(text).startsWith("HTTP/1.1 200");
    return text.lines()
        .filter(line -> line.startsWith(name + "{") && line.contains("\"" + label + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
