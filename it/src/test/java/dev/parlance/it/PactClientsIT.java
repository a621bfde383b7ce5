package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Clients and an agent on the public A2A SDKs, none of which knows of pacts, on a route that needs
 * one, over every binding: the agent executes the bytes that the client wrote, and each side shows
 * its user what it shows without sidecars. The two configurations agree on nothing at first: what
 * holds in the end is found by counters.
 */
@Tag("client")
@ExtendWith(LeakCheck.class)
@Timeout(240)
class PactClientsIT {
  private static final String SUPPORT = "support";
  private static final String ENRICHER = "enricher";

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"JSONRPC", "HTTP+JSON", "GRPC"})
  void jsClients_underANegotiatedPact_seeWhatTheySeeDirectly_andTheAgentExecutesTheirBytes(
      String binding) throws Exception {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder);
    List<A2aSdk.Binding> versions =
        A2aSdk.BINDINGS.stream().filter(one -> one.name().equals(binding)).toList();
    compare(sdk, sdk.jsClients("whole", versions));
  }

  @Test
  void javaClientsOfVersion03_overThreeBindings_underANegotiatedPact_areUnchanged()
      throws Exception {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder);
    compare(sdk, sdk.javaClients("A2aV03Client", A2aSdk.OLDER, "whole"));
  }

  @Test
  void javaClientsOfVersion10_underANegotiatedPact_areUnchanged() throws Exception {
    A2aSdk sdk = new A2aSdk(JsSide.ready(), folder);
    compare(sdk, sdk.javaClients("A2aV10Client", A2aSdk.NEWER, "whole"));
  }

  private void compare(A2aSdk sdk, A2aSdk.Client client) throws Exception {
    Map<String, JsonNode> direct = sdk.direct(client);
    try (Kit kit = Kit.start(Kit.config(folder.resolve("control")));
        Signatory parties = Signatory.at(kit.plane);
        A2aSdk.Taps taps = A2aSdk.Taps.ready()) {
      Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
      Map<String, JsonNode> through =
          sdk.throughSidecars(client, besideAgent(kit), besideClient(kit), taps);
      assertThat(through.keySet()).containsExactlyElementsOf(direct.keySet());
      assertThat(
              direct.entrySet().stream()
                  .filter(one -> !one.getValue().equals(through.get(one.getKey())))
                  .map(one -> one + "\nbut: " + through.get(one.getKey())))
          .isEmpty();

      List<Pact> pacts =
          parties.operator().listPacts(ListPactsRequest.getDefaultInstance()).getPactsList();
      assertThat(pacts).hasSize(1);
      Pact pact = pacts.getFirst();
      assertThat(pact.getPartiesList()).containsExactly(SUPPORT, ENRICHER);
      // Support asked for 64 and 9000; the enricher signs nothing above 16 and 5000.
      assertThat(pact.getNote().toString(UTF_8))
          .contains("max_kb=16")
          .contains("max_messages=5000")
          .doesNotContain("max_kb=64");
      String named = pact.getPact() + ";" + pact.getSha256();
      List<Seen> written = seen(taps.client());
      List<Seen> between = seen(taps.between());
      List<Seen> executed =
          Stream.concat(seen(taps.agent()).stream(), seen(taps.grpcAgent()).stream()).toList();
      assertThat(written).isNotEmpty();
      assertThat(bodies(executed, Seen::request)).isEqualTo(bodies(written, Seen::request));
      assertThat(bodies(written, Seen::response)).isEqualTo(bodies(executed, Seen::response));
      assertThat(bodies(between, Seen::request)).isEqualTo(bodies(written, Seen::request));
      assertThat(between)
          .allSatisfy(one -> {
            assertThat(one.pactOfRequest()).contains(named);
            assertThat(one.pactOfResponse()).contains(named);
          });
      assertThat(Stream.concat(written.stream(), executed.stream()).toList())
          .allSatisfy(one -> {
            assertThat(one.pactOfRequest()).isEmpty();
            assertThat(one.type()).doesNotContain("vnd.parlance.pact");
          });
      kit.client.assertLedgerAgrees();
    }
  }

  /** What passed a tap, whatever carried it. */
  @SuppressWarnings("ArrayRecordComponent") // compared as bytes
  private record Seen(
      String type,
      byte[] request,
      byte[] response,
      Optional<String> pactOfRequest,
      Optional<String> pactOfResponse) {}

  /** Messages; without agent cards, and without what two sidecars say to each other. */
  private static List<Seen> seen(Wiretap tap) throws IOException {
    Stream<Seen> plain =
        tap.exchanges().stream()
            .filter(one -> !one.request().startLine().contains("/.well-known/"))
            .map(one ->
                new Seen(
                    one.request().field("content-type").orElse(""),
                    one.request().body(),
                    one.response().body(),
                    one.request().field("parlance-pact"),
                    one.response().field("parlance-pact")));
    Stream<Seen> framed =
        tap.streams().stream()
            .map(one ->
                new Seen(
                    one.request().fields().getOrDefault("content-type", ""),
                    one.request().body(),
                    one.response().body(),
                    Optional.ofNullable(one.request().fields().get("parlance-pact")),
                    Optional.ofNullable(one.response().fields().get("parlance-pact"))));
    Predicate<Seen> negotiation = one -> one.type().equals("application/vnd.parlance.pact+json");
    return Stream.concat(plain, framed).filter(negotiation.negate()).toList();
  }

  private static List<String> bodies(List<Seen> all, Function<Seen, byte[]> which) {
    return all.stream().map(which).map(HexFormat.of()::formatHex).sorted().toList();
  }

  private String[] besideClient(Kit kit) throws IOException {
    return new String[] {
      PactPair.control(folder, kit, SUPPORT),
      """
      pacts:
        policy:
          - peers: [enricher]
            propose:
              - { id: scope, category: scope, body: "max_request_kb=64;deny_fields=salary" }
              - { id: action, category: action, body: "rate_per_min=100000" }
              - { id: output, category: output, body: "max_kb=64" }
              - { id: success, category: success, body: "useful" }
              - { id: failure, category: failure, body: "report=within_60s" }
              - { id: dispute, category: dispute, body: "arbiter=board-1" }
              - { id: audit, category: audit, body: "retain_days=30" }
              - { id: termination, category: termination, body: "max_messages=9000;notice_ms=0" }
            bounds: { max_kb: { atMost: 64 } }
      routes:
        - { name: cards, match: { direction: outbound, pathPrefix: /.well-known }, onUnjudged: allow }
        - { name: signed, match: { direction: outbound, pathPrefix: /signed }, onUnjudged: allow }
        - name: delegates
          match: { direction: outbound }
          pact: required
          peer: enricher
          metadata: false
          repair: off
      """
    };
  }

  private String[] besideAgent(Kit kit) throws IOException {
    return new String[] {
      PactPair.control(folder, kit, ENRICHER),
      """
      pacts:
        policy:
          - peers: [support]
            propose:
              - { id: output, category: output, body: "max_kb=8" }
            bounds: { max_kb: { atMost: 16 }, max_messages: { atMost: 5000 } }
      routes:
        - { name: cards, match: { direction: inbound, pathPrefix: /.well-known }, onUnjudged: allow }
        - { name: signed, match: { direction: inbound, pathPrefix: /signed }, onUnjudged: allow }
        - name: work
          match: { direction: inbound }
          pact: required
          metadata: false
          repair: off
      """
    };
  }
}
