package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import dev.parlance.proto.v1.Pact;
import dev.parlance.service.testing.LeakCheck;
import dev.parlance.service.testing.TestDomain;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages between two sidecars, captured by somebody between them who has identities of both but
 * not the keys that have signed their pact, and sent again: to other pacts, in the other direction,
 * with other bodies, numbers and places, and later. {@code -Psoak} sends 10,000.
 */
@ExtendWith(LeakCheck.class)
@Timeout(1_800)
class PactReplayIT {
  private static final int REPLAYS = Integer.getInteger("soak", 0) > 5 ? 10_000 : 400;
  private static final int HONEST = 12;
  private static final int KINDS = 9;
  private static final String DATA = "{\"name\":\"Ann\"}";
  private static final String OTHER = "{\"name\":\"Bob\"}";
  private static final String PACT = "Parlance-Pact";
  private static final String PROOF = "Parlance-Pact-Proof";
  private static final Set<String> OF_THE_HOP = Set.of("host", "connection", "content-length");

  @TempDir Path folder = Path.of("");
  private final TestDomain mesh = new TestDomain("mesh.example");
  private final Random random = new Random(38);
  private final List<Captured> captured = new CopyOnWriteArrayList<>();

  private String scheme = "http";

  /** If there is one, it is answered in place of what is asked. */
  private volatile Optional<StubAgent.Reply> instead = Optional.empty();

  /**
   * With this code whoever is between the two says that a request was not delivered, once it was.
   */
  private volatile Optional<String> forged = Optional.empty();

  /** Whoever is between the two shows the next request once more to the receiver's next run. */
  private final AtomicBoolean shownTwice = new AtomicBoolean();

  /** A request as it passed, with the code of its answer. */
  private record Captured(HttpBytes request, StubAgent.Reply answer, String answerCode) {
    String field(String name) {
      return request.field(name).orElse("");
    }

    boolean isUnder(String pact) {
      return field(PACT).startsWith(pact + ";");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void capturedMessages_areNeverBelieved_andBlameNobody(boolean encrypted) throws Exception {
    scheme = encrypted ? "https" : "http";
    Optional<TestDomain> tls = encrypted ? Optional.of(mesh) : Optional.empty();
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        PactPair pair = new PactPair(folder, kit, "notice_ms=0", 1, tls);
        HttpClient between = client(PactPair.SUPPORT, encrypted);
        HttpClient stranger = client("thief", encrypted);
        StubAgent tap =
            new StubAgent(listen(encrypted), request -> pass(between, pair.inbound(), request))) {
      String first = honest(pair, tap, HONEST);
      List<Captured> old = under(first);
      assertThat(old).hasSize(HONEST);
      // While it holds, as it was and changed.
      replay(pair, List.of(between, stranger), old, "unknown-1;" + "0".repeat(64), REPLAYS / 2);
      answers(pair, tap, old, REPLAYS / 10);
      // When another one holds.
      assertThat(pair.withdraw(first).statusCode()).isEqualTo(200);
      String second = honest(pair, tap, HONEST);
      assertThat(second).isNotEqualTo(first);
      String named = under(second).getFirst().field(PACT);
      replay(pair, List.of(between, stranger), old, named, REPLAYS / 5);
      // When the receiver has forgotten which numbers it took.
      pair.restart("platform/enrich@1");
      replay(pair, List.of(between, stranger), under(second), named, REPLAYS / 5);
      String third = honest(pair, tap, 1);
      assertThat(third).isEqualTo(second);
      // When the sender has forgotten which numbers it gave: answers to those are to no others.
      List<Captured> given = under(second);
      pair.restartAsking();
      answers(pair, tap, given, HONEST + 2);
      replay(pair, List.of(between, stranger), under(second), named, REPLAYS / 5);
      assertThat(honest(pair, tap, 1)).isEqualTo(second);
      assertThat(pair.withdraw(second).statusCode()).isEqualTo(200);
      await()
          .atMost(Kit.PATIENCE)
          .untilAsserted(() -> {
            assertThat(pair.pacts()).extracting(Pact::getReason).containsOnly("party_withdrew");
            assertThat(pair.counted(first)).isEqualTo(2 * HONEST);
            // Counts of the last minute do not outlive who restarts: both have.
            assertThat(pair.counted(second)).isBetween(3L, 2 * HONEST + 5L);
          });
      assertThat(pair.violations(first) + pair.violations(second)).isZero();
      kit.client.assertLedgerAgrees();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pact_unknown", "pact_ended", "pact_unproven"})
  void aForgedRefusal_hasNothingDeliveredTwice(String code) throws Exception {
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        PactPair pair = new PactPair(folder, kit);
        HttpClient between = client(PactPair.SUPPORT, false);
        StubAgent tap =
            new StubAgent(listen(false), request -> pass(between, pair.inbound(), request))) {
      honest(pair, tap, 1);
      forged = Optional.of(code);
      for (int i = 0; i < 2; i++) {
        int before = pair.agent.asked().size();
        assertThat(pair.send(OTHER, tap.port()).body()).contains(code).doesNotContain("Acme");
        assertThat(pair.agent.asked()).hasSizeLessThanOrEqualTo(before + 1);
      }
      forged = Optional.empty();
      assertThat(honest(pair, tap, 1)).isNotEmpty();
      assertThat(pair.pacts()).hasSize(1);
    }
  }

  /** The answer of the run that has delivered it is lost; the next one does not know the number. */
  @Test
  void receiverThatBeginsAgainMeanwhile_hasNothingDeliveredTwice() throws Exception {
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        PactPair pair = new PactPair(folder, kit);
        HttpClient between = client(PactPair.SUPPORT, false);
        StubAgent tap = new StubAgent(listen(false), request -> showing(between, pair, request))) {
      honest(pair, tap, 1);
      int before = pair.agent.asked().size();
      shownTwice.set(true);
      assertThat(pair.send(OTHER, tap.port()).body())
          .contains("pact_unproven", "may have been delivered")
          .doesNotContain("Acme");
      assertThat(pair.agent.asked()).hasSize(before + 1);
      assertThat(shownTwice).isFalse();
      honest(pair, tap, 2);
      assertThat(pair.pacts()).hasSize(1);
    }
  }

  private StubAgent.Reply showing(HttpClient client, PactPair pair, HttpBytes asked) {
    StubAgent.Reply reply = pass(client, pair.inbound(), asked);
    if (asked.field(PROOF).isPresent() && shownTwice.compareAndSet(true, false)) {
      try {
        pair.restart("platform/enrich@1");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return pass(client, pair.inbound(), asked);
    }
    return reply;
  }

  /** Requests that are taken; the pact that they went under. */
  private String honest(PactPair pair, StubAgent tap, int number) throws Exception {
    int before = pair.agent.asked().size();
    for (int i = 0; i < number; i++) {
      assertThat(pair.send(DATA, tap.port()).body()).contains("Acme Ltd");
    }
    assertThat(pair.agent.asked()).hasSize(before + number);
    return captured.getLast().field(PACT).replaceFirst(";.*", "");
  }

  private List<Captured> under(String pact) {
    return captured.stream().filter(one -> one.isUnder(pact)).toList();
  }

  private void replay(
      PactPair pair, List<HttpClient> clients, List<Captured> messages, String other, int number)
      throws Exception {
    int before = pair.agent.asked().size();
    for (int i = 0; i < number; i++) {
      Captured one = messages.get(random.nextInt(messages.size()));
      HttpRequest again = again(one, i % KINDS, other, pair.inbound());
      HttpResponse<String> refused =
          clients.get(i % clients.size()).send(again, HttpResponse.BodyHandlers.ofString(UTF_8));
      assertThat(refused.statusCode() >= 400 || refused.body().contains("pact_"))
          .as("%d of %s: %s", i % KINDS, one.field(PROOF), refused.body())
          .isTrue();
      assertThat(refused.body()).doesNotContain("Acme");
    }
    assertThat(pair.agent.asked()).hasSize(before);
  }

  /** The message once more: as it was, or with something else in it. */
  private HttpRequest again(Captured one, int kind, String other, int port) {
    String[] proof = one.field(PROOF).split(";", -1);
    String pact = kind == 1 ? other : one.field(PACT);
    String query = kind == 2 ? "?again=1" : "";
    String data = new String(one.request().body(), UTF_8);
    switch (kind) {
      case 3 -> data = data.replace("Ann", "Eve");
      case 4 -> proof[1] = String.valueOf(Long.parseLong(proof[1]) + 1 + random.nextInt(400));
      case 5 -> proof[0] = Long.toHexString(random.nextLong()).toLowerCase(Locale.ROOT);
      case 6 -> proof[2] = one.answerCode(); // in the other direction
      case 7 -> proof[2] = flipped(proof[2]);
      default -> {}
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(at(port, "/" + query))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json" + (kind == 8 ? ";charset=utf-8" : ""))
            .header(PACT, pact)
            .header(PROOF, String.join(";", proof))
            .POST(HttpRequest.BodyPublishers.ofString(data));
    one.request()
        .field("Parlance-Pact-Signature")
        .ifPresent(signature -> request.header("Parlance-Pact-Signature", signature));
    return request.build();
  }

  private String flipped(String hex) {
    int at = random.nextInt(hex.length());
    char other = hex.charAt(at) == '0' ? '1' : '0';
    return hex.substring(0, at) + other + hex.substring(at + 1);
  }

  /** Captured answers in the place of the one that is awaited. */
  private void answers(PactPair pair, StubAgent tap, List<Captured> messages, int number)
      throws Exception {
    int before = pair.agent.asked().size();
    for (int i = 0; i < number; i++) {
      instead = Optional.of(messages.get(random.nextInt(messages.size())).answer());
      String body = pair.send(OTHER, tap.port()).body();
      assertThat(body).contains("pact_unproven").doesNotContain("Acme");
    }
    instead = Optional.empty();
    assertThat(pair.agent.asked()).hasSize(before);
  }

  // ---- between the two ----

  private StubAgent.Reply pass(HttpClient client, int port, HttpBytes asked) {
    if (instead.isPresent() && asked.field(PROOF).isPresent()) {
      return instead.get();
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(at(port, target(asked)))
            .POST(HttpRequest.BodyPublishers.ofByteArray(asked.body()));
    asked.fields().stream()
        .filter(field -> !OF_THE_HOP.contains(field.name().toLowerCase(Locale.ROOT)))
        .forEach(field -> request.header(field.name(), field.value()));
    HttpResponse<byte[]> answer;
    try {
      answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException | InterruptedException e) {
      return new StubAgent.Reply(502, "", new byte[0]);
    }
    StringBuilder fields = new StringBuilder();
    answer
        .headers()
        .map()
        .forEach((name, values) -> {
          if (!OF_THE_HOP.contains(name)) {
            values.forEach(value -> fields.append(name).append(": ").append(value).append("\r\n"));
          }
        });
    if (forged.isPresent() && asked.field(PROOF).isPresent()) {
      String id = asked.field(PACT).orElseThrow().replaceFirst(";.*", "");
      return new StubAgent.Reply(
          200, PACT + ": " + id + ";refused=" + forged.get() + "\r\n", new byte[0]);
    }
    StubAgent.Reply reply =
        new StubAgent.Reply(answer.statusCode(), fields.toString(), answer.body());
    answer
        .headers()
        .firstValue(PROOF)
        .filter(_ -> asked.field(PROOF).isPresent())
        .ifPresent(code -> captured.add(new Captured(asked, reply, code)));
    return reply;
  }

  private URI at(int port, String target) {
    return URI.create(scheme + "://127.0.0.1:" + port + target);
  }

  private static String target(HttpBytes asked) {
    String line = asked.startLine();
    return line.substring(line.indexOf(' ') + 1, line.lastIndexOf(' '));
  }

  private ServerSocket listen(boolean encrypted) throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    return encrypted
        ? context(PactPair.ENRICHER).getServerSocketFactory().createServerSocket(0, 64, here)
        : new ServerSocket(0, 64, here);
  }

  private HttpClient client(String name, boolean encrypted) throws Exception {
    HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    return (encrypted ? client.sslContext(context(name)) : client).build();
  }

  private SSLContext context(String name) throws Exception {
    X509Bundle svid = mesh.svid(PactPair.path(name));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "svid", svid.getKeyPair().getPrivate(), new char[0], svid.getCertificatePath());
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new TrustManager[] {new Believing()}, null);
    return context;
  }

  /** Believes every certificate. */
  private static final class Believing extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
