package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.Turn;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Clients and agents on public SDKs in a conversation that has a board: where the agent is shown
 * its terms, it sees them and every user sees what he sees without sidecars; where it is not, every
 * byte is the author's.
 */
@Tag("client")
@Tag("long")
@ExtendWith(LeakCheck.class)
@Timeout(240)
class LexiconClientsIT {
  private static final String CONVERSATION = "conversation-7";
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String CALLER = "caller";
  private static final String EXPERT = "expert";
  private static final String LINE =
      "- radial play = what moves that should not \\(by caller, used [0-9]+\\)\n";

  @TempDir Path folder = Path.of("");

  // ---- A2A ----

  @ParameterizedTest
  @ValueSource(strings = {"JSONRPC", "HTTP+JSON", "GRPC"})
  void jsClientsAndAgent_areUnchanged_andTheAgentIsShownTheTerms(String binding) throws Exception {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder).in(CONVERSATION);
    compare(sdk, sdk.jsClients("plain", versions(binding)), Inject.BOTH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"JSONRPC", "HTTP+JSON", "GRPC"})
  void jsClients_withInjectionOff_everyByteIsTheAuthors(String binding) throws Exception {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder).in(CONVERSATION);
    compare(sdk, sdk.jsClients("whole", versions(binding)), Inject.OFF);
  }

  @Test
  void javaClientsOfVersion03_areUnchanged_andTheAgentIsShownTheTerms() throws Exception {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder).in(CONVERSATION);
    compare(sdk, sdk.javaClients("A2aV03Client", A2aSdk.OLDER), Inject.BOTH);
  }

  @Test
  void javaClientsOfVersion10_areUnchanged_andTheAgentIsShownTheTerms() throws Exception {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder).in(CONVERSATION);
    compare(sdk, sdk.javaClients("A2aV10Client", A2aSdk.NEWER), Inject.BOTH);
  }

  @Test
  void javaClients_withInjectionOff_everyByteIsTheAuthors() throws Exception {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder).in(CONVERSATION);
    compare(sdk, sdk.javaClients("A2aV03Client", A2aSdk.OLDER, "whole"), Inject.OFF);
    compare(sdk, sdk.javaClients("A2aV10Client", A2aSdk.NEWER, "whole"), Inject.OFF);
  }

  private enum Inject {
    OFF,
    BOTH
  }

  private static List<A2aSdk.Binding> versions(String binding) {
    return A2aSdk.BINDINGS.stream().filter(one -> one.name().equals(binding)).toList();
  }

  private void compare(A2aSdk sdk, A2aSdk.Client client, Inject inject) throws Exception {
    Map<String, JsonNode> direct = sdk.direct(client);
    Path data = Files.createTempDirectory(folder, "control");
    try (Kit kit = Kit.start(Kit.config(data));
        A2aSdk.Taps taps = A2aSdk.Taps.ready()) {
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      coin(kit, CONVERSATION);
      Map<String, JsonNode> through =
          sdk.throughSidecars(
              client, sidecar(kit, EXPERT, inject), sidecar(kit, CALLER, inject), taps);
      assertSame(direct, through);
      List<Seen> written = seen(taps.client());
      List<Seen> executed =
          Stream.concat(seen(taps.agent()).stream(), seen(taps.grpcAgent()).stream()).toList();
      assertThat(written)
          .isNotEmpty()
          .allSatisfy(one -> {
            assertThat(one.asked()).doesNotContain("KNOWN_TERMS");
            assertThat(one.answered()).doesNotContain("KNOWN_TERMS").doesNotContain("ext/lexicon");
          });
      switch (inject) {
        case OFF -> {
          assertThat(bodies(executed, Seen::request)).isEqualTo(bodies(written, Seen::request));
          assertThat(bodies(written, Seen::response)).isEqualTo(bodies(executed, Seen::response));
        }
        case BOTH -> {
          assertThat(executed)
              .anySatisfy(one -> assertThat(one.answered()).contains("KNOWN_TERMS"));
          assertThat(executed.stream().filter(one -> one.asked().contains(CONVERSATION)).toList())
              .hasSizeGreaterThan(5)
              .allSatisfy(
                  one -> assertThat(one.asked().split("KNOWN_TERMS] Words", -1)).hasSize(3));
        }
      }
    }
  }

  private static <T> void assertSame(Map<String, T> direct, Map<String, T> through) {
    assertThat(through.keySet()).containsExactlyElementsOf(direct.keySet());
    assertThat(
            direct.entrySet().stream()
                .filter(one -> !one.getValue().equals(through.get(one.getKey())))
                .map(one -> one + "\nbut: " + through.get(one.getKey())))
        .isEmpty();
  }

  /** What passed a tap, whatever carried it. */
  @SuppressWarnings("ArrayRecordComponent") // compared as bytes
  private record Seen(byte[] request, byte[] response) {
    String asked() {
      return new String(request, UTF_8);
    }

    String answered() {
      return new String(response, UTF_8);
    }
  }

  private static List<Seen> seen(Wiretap tap) throws IOException {
    Stream<Seen> plain =
        tap.exchanges().stream()
            .filter(one -> !one.request().startLine().contains("/.well-known/"))
            .map(one -> new Seen(one.request().body(), one.response().body()));
    Stream<Seen> framed =
        tap.streams().stream().map(one -> new Seen(one.request().body(), one.response().body()));
    return Stream.concat(plain, framed).toList();
  }

  private static List<String> bodies(List<Seen> all, Function<Seen, byte[]> which) {
    return all.stream().map(which).map(HexFormat.of()::formatHex).sorted().toList();
  }

  /** Somebody has coined a term in the conversation. */
  private static void coin(Kit kit, String conversation) {
    try (Lexicographer sidecar = Lexicographer.at(kit.plane)) {
      Turn turn =
          new Turn(
              CALLER,
              Channel.PUBLIC,
              "Watch the radial play.\n[PART 2]\nradial play = what moves that should not",
              false);
      assertThat(
              sidecar
                  .coin(
                      Lexicographer.turn(
                          Lexicons.boardOf(conversation),
                          Board.empty(BoardRules.DEFAULT),
                          0,
                          1,
                          turn))
                  .getAcceptedList())
          .containsExactly(2);
    }
  }

  private String[] sidecar(Kit kit, String agent, Inject inject) throws IOException {
    return new String[] {
      PactPair.control(folder, kit, agent),
      """
      routes:
        - name: all
          grounding: optional
          onUnjudged: allow
          onError: allow
          repair: off
          metadata: %s
          lexicon: { coin: on, inject: %s }
      """
          .formatted(inject != Inject.OFF, inject == Inject.OFF ? "off" : "both")
    };
  }

  // ---- OpenAI ----

  @Test
  void theOpenAiClient_isUnchanged_andTheServerIsShownTheTermsAsOneSystemMessage()
      throws Exception {
    JsSide js = JsSide.ready();
    try (JsSide.Program server = js.start("openai-server.mjs");
        Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        Wiretap near = new Wiretap()) {
      int port = server.next().path("port").asInt(0);
      near.to(port);
      Map<String, JsonNode> direct = client(js, "http://127.0.0.1:" + port, 0);
      assertThat(direct).hasSizeGreaterThan(12);
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      coin(kit, TRACE);
      try (LocalSidecar besideServer = start(kit, EXPERT, LocalSidecar.inboundTo(near.port()));
          LocalSidecar besideClient = start(kit, CALLER, LocalSidecar.outbound())) {
        assertSame(
            direct,
            client(js, "http://127.0.0.1:" + besideServer.inbound(), besideClient.outboundPort()));
      }
      List<String> asked =
          near.exchanges().stream()
              .filter(one -> one.request().startLine().startsWith("POST "))
              .map(one -> new String(one.request().body(), UTF_8))
              .toList();
      assertThat(asked)
          .hasSizeGreaterThan(10)
          .allSatisfy(body -> {
            JsonNode json = A2a.JSON.readTree(body);
            if (json.has("prompt")) { // a text to go on with has no place for a system message
              assertThat(body).doesNotContain("KNOWN_TERMS");
              return;
            }
            JsonNode messages = json.has("messages") ? json.get("messages") : json.get("input");
            assertThat(messages.get(1).path("role").asString("")).isEqualTo("system");
            assertThat(messages.get(1).path("content").asString(""))
                .matches(
                    Pattern.quote(KnownTerms.HEADING + "\n")
                        + LINE
                        + Pattern.quote(KnownTerms.END));
            assertThat(body.split("KNOWN_TERMS] Words", -1)).hasSize(2);
          });
    }
  }

  @Test
  void theOpenAiClient_withInjectionOff_everyByteIsTheAuthors() throws Exception {
    JsSide js = JsSide.ready();
    try (JsSide.Program server = js.start("openai-server.mjs");
        Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        Wiretap near = new Wiretap();
        Wiretap far = new Wiretap()) {
      int port = server.next().path("port").asInt(0);
      near.to(port);
      Map<String, JsonNode> direct = client(js, "http://127.0.0.1:" + near.port(), 0);
      List<Seen> written = seen(near);
      assertThat(written).hasSizeGreaterThan(10);
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      coin(kit, TRACE);
      try (LocalSidecar besideServer =
              start(kit, EXPERT, LocalSidecar.inboundTo(near.port()), Inject.OFF);
          LocalSidecar besideClient = start(kit, CALLER, LocalSidecar.outbound(), Inject.OFF)) {
        far.to(besideServer.inbound());
        assertSame(
            direct, client(js, "http://127.0.0.1:" + far.port(), besideClient.outboundPort()));
      }
      List<Seen> all = seen(near);
      List<Seen> executed = all.subList(written.size(), all.size());
      assertThat(bodies(executed, Seen::request)).isEqualTo(bodies(written, Seen::request));
      assertThat(bodies(seen(far), Seen::request)).isEqualTo(bodies(written, Seen::request));
      assertThat(bodies(seen(far), Seen::response)).isEqualTo(bodies(executed, Seen::response));
    }
  }

  private LocalSidecar start(Kit kit, String agent, String listener) throws IOException {
    return start(kit, agent, listener, Inject.BOTH);
  }

  private LocalSidecar start(Kit kit, String agent, String listener, Inject inject)
      throws IOException {
    String[] sections = sidecar(kit, agent, inject);
    return LocalSidecar.start(folder, agent, listener, sections[0], sections[1]);
  }

  private static Map<String, JsonNode> client(JsSide js, String base, int proxy)
      throws IOException, InterruptedException {
    ObjectNode settings = A2a.JSON.createObjectNode();
    settings.put("base", base);
    settings.put("proxy", proxy);
    settings.put("list", "plain");
    settings.put("trace", "00-" + TRACE + "-b7ad6b7169203331-01");
    Map<String, JsonNode> results = new LinkedHashMap<>();
    for (JsonNode line : js.run("openai-client.mjs", settings.toString())) {
      results.put(line.path("scenario").asString(""), line.path("result"));
    }
    return results;
  }
}
