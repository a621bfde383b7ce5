package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers whom another mesh attests, and what is theirs. */
class ExternalIdentityTest extends TlsFixture {
  private static final String A = MESH.id("ns/shop/sa/a");
  private static final String B = MESH.id("ns/shop/sa/b");

  private Sidecar attested(String field, String from, String routes) throws IOException {
    return sidecar(
        "seller",
        """
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d", tls: external }
        identity: { external: { field: %s, from: ["%s"] } }
        startup: { warmUpMessages: 0 }
        routes: [ %s ]
        """
            .formatted(agent.port(), field, from, routes));
  }

  private HttpResponse<String> ask(Sidecar seller, String name, String value) throws Exception {
    return direct.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + inbound(seller) + "/ask"))
            .header("Content-Type", "text/plain")
            .header(name, value)
            .POST(HttpRequest.BodyPublishers.ofString("question"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String xfcc(String id) {
    return "By=spiffe://mesh.example/x;Hash=00;Subject=\"CN=a;URI=spiffe://x/y,\";URI=" + id;
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.0/8, 200",
    "127.0.0.1, 200",
    "127.0.0.6, 403",
    "10.0.0.0/8, 403",
    "::1, 403",
  })
  void field_isBelievedFromThoseAddressesOnly(String from, int status) throws Exception {
    Sidecar seller =
        attested(
            "xfcc",
            from,
            ROUTE
                .replace("name: all,", "name: all, allow: [\"" + A + "\"],")
                .replace("mode: observe,", "mode: enforce,"));
    assertThat(ask(seller, "x-forwarded-client-cert", xfcc(A)).body().contains("peer_not_allowed"))
        .isEqualTo(status == 403);
    assertThat(ask(seller, "x-forwarded-client-cert", xfcc(A) + "," + xfcc(B)).body())
        .contains("peer_not_allowed"); // the last element counts
    assertThat(ask(seller, "x-forwarded-client-cert", xfcc(A) + ";URI=" + B).body())
        .contains("peer_not_allowed"); // two ids are none
    assertThat(ask(seller, "l5d-client-id", A).body()).contains("peer_not_allowed");
  }

  /** Envoy adds its element behind what a client has sent, which it does not read. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "URI=A!;Hash=\"",
        "By=x,URI=A!;Subject=\"CN=a",
        "URI=A!;Hash=\"\\",
        "URI=A!;Hash=\"\\\"",
        "URI=\"A!\";Hash=\"",
      })
  void quoteThatAClientLeavesOpen_hidesNoElementBehindIt(String sent) throws Exception {
    Sidecar seller =
        attested(
            "xfcc",
            "127.0.0.1",
            ROUTE
                .replace("name: all,", "name: all, allow: [\"" + A + "\"],")
                .replace("mode: observe,", "mode: enforce,"));
    String added = ",By=spiffe://mesh.example/x;Hash=00;Subject=\"\";URI=" + B;
    assertThat(ask(seller, "x-forwarded-client-cert", sent.replace("A!", A) + added).body())
        .contains("peer_not_allowed");
  }

  @Test
  void nameOfLinkerd_isAnId() throws Exception {
    Sidecar seller =
        attested("l5d", "127.0.0.1", "{ name: all, allow: [\"" + A + "\"], codec: text }");
    String name = "a.shop.serviceaccount.identity.linkerd.mesh.example";
    assertThat(ask(seller, "l5d-client-id", name).body()).doesNotContain("peer_not_allowed");
    assertThat(ask(seller, "l5d-client-id", "b" + name.substring(1)).body())
        .contains("peer_not_allowed");
    Path log = folder.resolve("seller/parlance-data/decisions.jsonl"); // written behind the answer
    Awaitility.await().until(() -> Files.readString(log).contains("\"peer\":\"" + A + "\""));
  }

  @Test
  void observingRoute_countsWhomItIsNotFor() throws Exception {
    Sidecar seller =
        attested("xfcc", "127.0.0.1", ROUTE.replace("name: all,", "name: all, allow: [],"));
    assertThat(ask(seller, "x-forwarded-client-cert", xfcc(A)).body()).isEqualTo("answered");
    assertThat(scrape("seller", seller))
        .contains("{layer=\"identity\",reason=\"peer_not_allowed_observed\"} 1.0");
  }

  /** FAULTS S9, S47: whoever has an identity has budgets and held answers of his own. */
  @Test
  void S9_S47_callersBehindOneAddress_shareNoBudget() throws Exception {
    Sidecar seller =
        attested("xfcc", "127.0.0.1", "{ name: all, codec: text, grounding: required }");
    ask(seller, "x-forwarded-client-cert", xfcc(A));
    int drafts = agent.asked().size();
    assertThat(drafts).isGreaterThan(1);
    ask(seller, "x-forwarded-client-cert", xfcc(A));
    assertThat(agent.asked()).hasSize(drafts); // held: not asked again
    ask(seller, "x-forwarded-client-cert", xfcc(B));
    assertThat(agent.asked()).hasSize(2 * drafts);
    assertThat(admin("seller", seller, "/review")).contains(A).contains(B);
  }

  /** Strangers do not negotiate either. */
  @Test
  void negotiation_isForThoseOfTheRoute() throws Exception {
    Sidecar seller = attested("xfcc", "127.0.0.1", "{ name: all, allow: [\"" + A + "\"] }");
    for (String id : new String[] {A, B}) {
      HttpResponse<String> answer =
          direct.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + inbound(seller) + "/"))
                  .header("Content-Type", "application/vnd.parlance.pact+json")
                  .header("x-forwarded-client-cert", xfcc(id))
                  .POST(HttpRequest.BodyPublishers.ofString("{}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body().contains("peer_not_allowed")).isEqualTo(id.equals(B));
    }
  }
}
