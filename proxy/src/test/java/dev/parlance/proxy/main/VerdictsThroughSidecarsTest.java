package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two sidecars that believe each other's verdicts, over sockets. */
class VerdictsThroughSidecarsTest extends TlsFixture {
  private static final String FIELD = "parlance-verdict";
  private static final String BUYERS = MESH.id(BUYER);
  private static final String SELLERS = MESH.id(SELLER);
  private static final int REPLAYS = Integer.getInteger("soak", 0) > 5 ? 10_000 : 280;
  private static final int CAPTURED = 3;
  private static final List<String> CARRIED =
      List.of("Content-type", "A2a-version", "Parlance-verdict", "Asp-signal");
  private static final int KINDS = 7;
  private static final int NUMBER_PART = 3;
  private static final int PROFILE_PART = 10;
  private static final Pattern COUNT =
      Pattern.compile("parlance_peer_verdicts_total\\{result=\"(\\w+)\"} ([0-9.]+)");

  private final SignerKey buyersKey = SignerKey.generate(BUYERS, KeyType.ED25519);
  private final SignerKey sellersKey = SignerKey.generate(SELLERS, KeyType.ED25519);
  private ScriptedAgent seller = SidecarFixture.unstarted();
  private String answer = SidecarFixture.GROUNDED;

  @BeforeEach
  void startSeller() throws Exception {
    seller =
        new ScriptedAgent(asked ->
            ScriptedAgent.Reply.json(SidecarFixture.message(answer, SidecarFixture.idOf(asked))));
  }

  @AfterEach
  void stopSeller() {
    seller.close();
  }

  private String verdicts(String name, SignerKey own, SignerKey peer, String more)
      throws Exception {
    Path folder = Files.createDirectories(this.folder.resolve(name));
    Path file = folder.resolve("verdict.key");
    SafeFile.replace(file, own.toFile());
    return "verdicts: { keyFile: verdict.key, peers: [{ key: \"%s\", hosts: [\"*\"] }]%s }\n"
        .formatted(peer.verifier().format(), more);
  }

  private static String trust(String whom) {
    return ", trustVerdicts: [\"" + whom + "\"]";
  }

  private Sidecar seller(String more, String route, Optional<String> tls) throws Exception {
    String yaml =
        """
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d"%s }
        startup: { warmUpMessages: 0 }
        profiles: { none-left: { errorMax: 0 } }
        routes: [ { name: all%s } ]
        """
                .formatted(seller.port(), tls.map(mode -> ", tls: " + mode).orElse(""), route)
            + (tls.isPresent() ? "identity: { IDENTITY }\n" : "")
            + verdicts("seller", sellersKey, buyersKey, more);
    return tls.isPresent() ? sidecar("seller", MESH.svid(SELLER), yaml) : sidecar("seller", yaml);
  }

  private Sidecar buyer(String more, String route, Optional<String> tls) throws Exception {
    String yaml =
        """
        outbound: { listen: "127.0.0.1:0", allowLoopback: true%s }
        startup: { warmUpMessages: 0 }
        routes: [ { name: all%s } ]
        """
                .formatted(tls.map(mode -> ", tls: " + mode).orElse(""), route)
            + (tls.isPresent() ? "identity: { IDENTITY" + sellersAre(SELLERS) + " }\n" : "")
            + verdicts("buyer", buyersKey, sellersKey, more);
    return tls.isPresent() ? sidecar("buyer", MESH.svid(BUYER), yaml) : sidecar("buyer", yaml);
  }

  private static HttpRequest question(int port, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a2a"))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0");
    if (fields.length > 0) {
      request.headers(fields);
    }
    return request.POST(HttpRequest.BodyPublishers.ofString(body("When?"))).build();
  }

  private static String body(String question) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
    "contextId":"ctx-1","role":"ROLE_USER","parts":[{"text":"%s"}]}}}\
    """
        .formatted(question);
  }

  private Map<String, Double> counts(String name, Sidecar sidecar) throws Exception {
    Map<String, Double> counts = new TreeMap<>();
    Matcher matcher = COUNT.matcher(scrape(name, sidecar));
    while (matcher.find()) {
      double count = Double.parseDouble(matcher.group(2));
      if (count > 0) {
        counts.put(matcher.group(1), count);
      }
    }
    return counts;
  }

  private String decisions(String name) throws Exception {
    Path log = folder.resolve(name).resolve("parlance-data/decisions.jsonl");
    Awaitility.await()
        .ignoreExceptions()
        .until(() ->
            Files.readString(log).lines().filter(l -> l.contains("\"decision\"")).count() >= 2);
    return Files.readString(log);
  }

  private void askedOnce(Optional<String> tls) throws Exception {
    Sidecar receiver = seller(trust("spiffe://mesh.example"), "", tls);
    Sidecar sender = buyer(trust(SELLERS), "", tls);
    HttpResponse<String> got = askThrough(sender, question(inbound(receiver)));
    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(got.body()).contains("impeller");
    assertThat(got.headers().map()).doesNotContainKey(FIELD);
    assertThat(got.headers().firstValue("Parlance-Route")).contains("execute");
    assertThat(seller.asked().getFirst().fields()).doesNotContainKey("Parlance-verdict");
    assertThat(counts("seller", receiver)).isEqualTo(Map.of("sent", 1.0, "believed", 1.0));
    assertThat(counts("buyer", sender)).isEqualTo(Map.of("sent", 1.0, "believed", 1.0));
    assertThat(decisions("seller")).contains("\"judgedBy\":{\"node\":\"" + BUYERS + "\"");
    assertThat(decisions("buyer")).contains("\"judgedBy\":{\"node\":\"" + SELLERS + "\"");
  }

  @Test
  void inClearText_eachMessageIsJudgedOnce() throws Exception {
    askedOnce(Optional.empty());
  }

  @Test
  void overMutualTls_eachMessageIsJudgedOnce() throws Exception {
    askedOnce(Optional.of("strict"));
  }

  @Test
  void withoutTrust_nothingIsBelievedOrCounted() throws Exception {
    Sidecar receiver = seller("", "", Optional.empty());
    Sidecar sender = buyer("", "", Optional.empty());
    assertThat(askThrough(sender, question(inbound(receiver))).statusCode()).isEqualTo(200);
    assertThat(counts("seller", receiver)).doesNotContainKey("believed");
    assertThat(decisions("seller")).doesNotContain("judgedBy");
  }

  @Test
  void anAgentCannotSendAVerdictOfItsOwn() throws Exception {
    Sidecar receiver = seller(trust(BUYERS), "", Optional.empty());
    String yaml =
        """
        outbound: { listen: "127.0.0.1:0", allowLoopback: true }
        startup: { warmUpMessages: 0 }
        routes: [ { name: all } ]
        """;
    Sidecar other = sidecar("other", yaml);
    HttpResponse<String> got =
        askThrough(other, question(inbound(receiver), "Parlance-Verdict", captured()));
    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(counts("seller", receiver)).doesNotContainKey("believed");
  }

  /** What the buyer's sidecar sends along with the question, as somebody on the way sees it. */
  private String captured() throws Exception {
    try (Sidecar sender = buyer("", "", Optional.empty());
        ScriptedAgent onTheWay =
            new ScriptedAgent(asked ->
                ScriptedAgent.Reply.json(
                    SidecarFixture.message(answer, SidecarFixture.idOf(asked))))) {
      assertThat(askThrough(sender, question(onTheWay.port())).statusCode()).isEqualTo(200);
      lastFields = onTheWay.asked().getFirst().fields();
      lastBody = onTheWay.asked().getFirst().text();
      return lastFields.get("Parlance-verdict").getFirst();
    }
  }

  private Map<String, List<String>> lastFields = Map.of();
  private String lastBody = "";

  private HttpResponse<String> replay(int port, String verdict, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a2a"))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .header("Parlance-Verdict", verdict);
    Optional.ofNullable(lastFields.get("Asp-signal"))
        .ifPresent(signal -> request.header("ASP-Signal", signal.getFirst()));
    return direct.send(
        request.POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** S13: an approved message with its verdict, to others, changed, again. */
  @Test
  void S13_aCapturedVerdict_isRefusedWhereItDoesNotBelong() throws Exception {
    Sidecar receiver = seller(trust(BUYERS) + ", onForged: refuse", "", Optional.empty());
    String verdict = captured();
    int port = inbound(receiver);
    HttpResponse<String> changed = replay(port, verdict, lastBody.replace("When?", "Why?"));
    assertThat(changed.body()).contains("verdict_forged");
    assertThat(
            replay(port, verdict.replaceFirst(";(execute|warn);", ";execute,;"), lastBody).body())
        .contains("verdict_forged");
    assertThat(replay(port, verdict.replaceFirst(";d-", ";e-"), lastBody).body())
        .contains("verdict_forged");
    assertThat(seller.asked()).isEmpty();
    assertThat(replay(port, verdict, lastBody).body()).contains("impeller");
    assertThat(replay(port, verdict, lastBody).body()).contains("verdict_forged");
    assertThat(seller.asked()).hasSize(1);
    assertThat(counts("seller", receiver))
        .containsEntry("believed", 1.0)
        .containsEntry("wrong_message", 1.0)
        .containsEntry("wrong_code", 1.0)
        .containsEntry("replayed", 1.0);
  }

  @Test
  void byDefault_aForgedVerdictIsAsGoodAsNone() throws Exception {
    Sidecar receiver = seller(trust(BUYERS), "", Optional.empty());
    String verdict = captured();
    int port = inbound(receiver);
    assertThat(replay(port, verdict, lastBody.replace("When?", "Why?")).statusCode())
        .isEqualTo(200);
    assertThat(replay(port, "1;nonsense", lastBody).statusCode()).isEqualTo(200);
    assertThat(counts("seller", receiver))
        .containsEntry("wrong_message", 1.0)
        .containsEntry("malformed", 1.0)
        .doesNotContainKey("believed");
    assertThat(decisions("seller")).doesNotContain("judgedBy");
  }

  @Test
  void aVerdictByAnotherProfile_isNotBelieved() throws Exception {
    Sidecar receiver = seller("", "", Optional.empty());
    Sidecar sender = buyer(trust(SELLERS), ", profile: asp-paper", Optional.empty());
    assertThat(askThrough(sender, question(inbound(receiver))).statusCode()).isBetween(200, 599);
    assertThat(counts("buyer", sender))
        .containsEntry("other_profile", 1.0)
        .doesNotContainKey("believed");
  }

  @Test
  void aProfileThatIsAccepted_isAsGoodAsTheOwn() throws Exception {
    String profile = captured().split(";", -1)[PROFILE_PART];
    for (boolean accepted : new boolean[] {false, true}) {
      String more = accepted ? ", acceptProfiles: [\"" + profile + "\"]" : "";
      try (Sidecar receiver =
          seller(trust(BUYERS) + more, ", profile: asp-paper", Optional.empty())) {
        assertThat(replay(inbound(receiver), captured(), lastBody).statusCode()).isEqualTo(200);
        assertThat(counts("seller", receiver))
            .containsEntry(accepted ? "believed" : "other_profile", 1.0)
            .doesNotContainKey(accepted ? "other_profile" : "believed");
      }
    }
  }

  /** Somebody on the way lets the answer pass, as it is or under another status. */
  @ParameterizedTest
  @ValueSource(ints = {200, 203})
  void theStatusOfAnAnswer_isPartOfIt(int status) throws Exception {
    Sidecar receiver = seller("", "", Optional.empty());
    Sidecar sender = buyer(trust(SELLERS) + ", onForged: refuse", "", Optional.empty());
    HttpServer onTheWay =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    onTheWay.createContext("/", exchange -> pass(exchange, inbound(receiver), status));
    onTheWay.start();
    try {
      HttpResponse<String> got = askThrough(sender, question(onTheWay.getAddress().getPort()));
      assertThat(got.body()).contains(status == 200 ? "impeller" : "verdict_forged");
    } finally {
      onTheWay.stop(0);
    }
    assertThat(counts("buyer", sender))
        .containsEntry(status == 200 ? "believed" : "wrong_message", 1.0);
  }

  private void pass(HttpExchange exchange, int port, int status) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a2a"))
            .POST(HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    for (String name : CARRIED) {
      exchange
          .getRequestHeaders()
          .getOrDefault(name, List.of())
          .forEach(value -> request.header(name, value));
    }
    try {
      HttpResponse<byte[]> answer =
          direct.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      for (String name : CARRIED) {
        answer
            .headers()
            .allValues(name)
            .forEach(value -> exchange.getResponseHeaders().add(name, value));
      }
      exchange.sendResponseHeaders(status, answer.body().length);
      exchange.getResponseBody().write(answer.body());
      exchange.close();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Over sockets: to others, with other bodies, numbers, times and codes, again, after a start. */
  @Test
  void S13_capturedVerdicts_sentElsewhere_areNeverBelieved() throws Exception {
    Random random = new Random(38);
    Sidecar receiver = seller(trust(BUYERS) + ", onForged: refuse", "", Optional.empty());
    SignerKey banks = SignerKey.generate(MESH.id("ns/bank/sa/teller"), KeyType.ED25519);
    Sidecar bank =
        sidecar(
            "bank",
            """
            inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d" }
            startup: { warmUpMessages: 0 }
            routes: [ { name: all } ]
            """
                    .formatted(seller.port())
                + verdicts("bank", banks, buyersKey, trust(BUYERS) + ", onForged: refuse"));
    List<Captured> captured = new ArrayList<>();
    for (int i = 0; i < CAPTURED; i++) {
      String verdict = captured();
      captured.add(new Captured(verdict, lastFields));
    }
    for (int i = 0; i < REPLAYS; i++) {
      Captured one = captured.get(random.nextInt(captured.size()));
      lastFields = one.fields();
      String[] parts = one.verdict().split(";", -1);
      int kind = i % KINDS;
      switch (kind) {
        case 1 -> parts[NUMBER_PART] = Long.toString(Long.parseLong(parts[NUMBER_PART]) + 1 + i);
        case 2 -> parts[NUMBER_PART + 1] = Long.toString(System.currentTimeMillis());
        case 3 -> parts[NUMBER_PART + 2] = Long.toString(System.currentTimeMillis() + 50_000);
        case 4 -> parts[2] = banks.name();
        case 5 -> {
          int last = parts.length - 1;
          int at = parts[last].length() - 1 - random.nextInt(32);
          char other = parts[last].charAt(at) == '0' ? '1' : '0';
          parts[last] = parts[last].substring(0, at) + other + parts[last].substring(at + 1);
        }
        default -> {}
      }
      int port = inbound(kind == 0 || kind == 4 ? bank : receiver);
      String sent = kind == 6 ? body("Why? " + i) : lastBody;
      HttpResponse<String> got = replay(port, String.join(";", parts), sent);
      assertThat(got.body()).as("%d: %s", kind, got.body()).contains("verdict_forged");
    }
    assertThat(seller.asked()).isEmpty();
    for (String name : List.of("seller", "bank")) {
      Map<String, Double> counts = counts(name, name.equals("bank") ? bank : receiver);
      assertThat(counts).doesNotContainKey("believed").doesNotContainKey("released");
    }
    assertThat(counts("bank", bank)).containsKeys("wrong_audience", "wrong_code");
    assertThat(counts("seller", receiver)).containsKeys("wrong_code");
  }

  private record Captured(String verdict, Map<String, List<String>> fields) {}

  /** The seller's sidecar only observes: it lets everything pass, and that is no good word. */
  @Test
  void aMessageThatWouldNotHavePassed_hasNoVerdict() throws Exception {
    answer = SidecarFixture.INVENTED;
    Sidecar receiver = seller("", ", mode: observe", Optional.empty());
    Sidecar sender = buyer(trust(SELLERS), "", Optional.empty());
    HttpResponse<String> got = askThrough(sender, question(inbound(receiver)));
    assertThat(got.headers().firstValue("Parlance-Route").orElse("")).isNotEqualTo("execute");
    assertThat(got.body()).doesNotContain("friendly specialists");
    assertThat(counts("buyer", sender)).doesNotContainKey("believed");
  }

  /** Without a control plane, and though the buyer's sidecar would hold the answer itself. */
  @Test
  void whatAPersonReleasesAtOneSidecar_arrivesThroughTheOther() throws Exception {
    answer = SidecarFixture.INVENTED;
    Sidecar receiver = seller("", ", profile: none-left", Optional.empty());
    Sidecar sender = buyer(trust(SELLERS), "", Optional.empty());
    HttpResponse<String> held = askThrough(sender, question(inbound(receiver)));
    assertThat(held.body()).doesNotContain("friendly specialists");
    String token = Files.readString(folder.resolve("seller/parlance-data/admin.token")).strip();
    String listed = admin("seller", receiver, "/review");
    Matcher id = Pattern.compile("r-[0-9a-z]{15}").matcher(listed);
    assertThat(id.find()).as(listed).isTrue();
    HttpResponse<String> released =
        direct.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:"
                            + receiver.adminPort()
                            + "/review/"
                            + id.group()
                            + "/release"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"who\":\"ada\",\"note\":\"fine\",\"undoMs\":0}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(released.statusCode()).as(released.body()).isEqualTo(200);
    HttpResponse<String> got = askThrough(sender, question(inbound(receiver)));
    assertThat(got.body()).contains("friendly specialists");
    assertThat(got.headers().firstValue("Parlance-Reason")).contains("released");
    assertThat(counts("buyer", sender)).containsEntry("released", 1.0);
  }
}
