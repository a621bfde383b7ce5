package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Signatory;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.Case;
import dev.parlance.proto.v1.ListPactsRequest;
import dev.parlance.proto.v1.Pact;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two agents negotiate a pact themselves, in the metadata of their A2A messages, each behind its
 * sidecar, which holds them to the rules, signs for them and enforces what they have agreed on.
 */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class PactSpeakingIT {
  private static final String BUYER = "buyer";
  private static final String SELLER = "seller";

  @TempDir Path folder = Path.of("");
  private final List<String> answers = new ArrayList<>();
  private Kit kit = unstarted();
  private Signatory parties = unstarted();
  private StubAgent agent = unstarted();
  private LocalSidecar asking = unstarted();
  private LocalSidecar giving = unstarted();
  private HttpClient client = unstarted();
  private PactSpeaker buyer = new PactSpeaker(BUYER, "n-1");
  private PactSpeaker seller = new PactSpeaker(SELLER, "n-1");

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void begin() throws IOException {
    kit = Kit.start(Kit.config(folder.resolve("control")));
    parties = Signatory.at(kit.plane);
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    agent = new StubAgent(_ -> answer(answers.isEmpty() ? "" : answers.removeFirst()));
    giving =
        LocalSidecar.start(
            folder,
            SELLER,
            LocalSidecar.inboundTo(agent.port()),
            PactPair.control(folder, kit, SELLER),
            pacts(BUYER, "max_kb: { atMost: 64 }"),
            route("inbound", "work", ""));
    asking =
        LocalSidecar.start(
            folder,
            BUYER,
            LocalSidecar.outbound(),
            PactPair.control(folder, kit, BUYER),
            pacts(SELLER, "max_kb: { atMost: 64 }"),
            route("outbound", "delegates", "peer: " + SELLER));
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(
                ProxySelector.of(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), asking.outboundPort())))
            .build();
  }

  private static String pacts(String peer, String bound) {
    return """
    pacts:
      clockSkewMs: 20000
      policy:
        - peers: [%s]
          bounds: { %s }
          arbiter: board-1
    """
        .formatted(peer, bound);
  }

  private static String route(String direction, String name, String more) {
    return """
    routes:
      - name: %s
        match: { direction: %s }
        pact: required
        metadata: false
        onUnjudged: block
        %s
    """
        .formatted(name, direction, more);
  }

  @AfterEach
  void end() throws Exception {
    client.close();
    asking.close();
    giving.close();
    agent.close();
    parties.close();
    kit.close();
  }

  private static StubAgent.Reply answer(String said) {
    String metadata = said.isEmpty() ? "" : "," + PactSpeaker.metadata(said);
    return StubAgent.Reply.json(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"kind\":\"message\",\"messageId\":\"a-1\","
            + "\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"\"}]"
            + metadata
            + "}}");
  }

  private static String body(String parts, String said) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":"
        + "{\"kind\":\"message\",\"messageId\":\"m-1\",\"role\":\"user\",\"parts\":["
        + parts
        + "]"
        + (said.isEmpty() ? "" : "," + PactSpeaker.metadata(said))
        + "}}}";
  }

  private String post(String body) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + giving.inbound() + "/"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8))
                .build(),
            HttpResponse.BodyHandlers.ofString(UTF_8));
    return response.body();
  }

  /** The buyer says something, and nothing else; what the seller's agent has heard of it. */
  private String says(String said) throws IOException, InterruptedException {
    return post(body("{\"kind\":\"text\",\"text\":\"\"}", said));
  }

  private String lastHeard() {
    return PactSpeaker.saidIn(agent.asked().getLast().text());
  }

  private List<Pact> pacts() {
    return parties.operator().listPacts(ListPactsRequest.getDefaultInstance()).getPactsList();
  }

  /** The seller answers the buyer's proposal with another size. */
  private void open() throws IOException, InterruptedException {
    assertThat(says(buyer.invites(SELLER))).contains("\"result\"");
    seller.hears(lastHeard());
    String proposal = buyer.proposes(PactSpeaker.TERMS);
    seller.hears(proposal);
    answers.add(seller.counters("output", "max_kb=2"));
    buyer.hears(PactSpeaker.saidIn(says(proposal)));
    assertThat(lastHeard()).isEqualTo(proposal);
  }

  /** The buyer accepts that; both hold the same then. */
  private String accepts() {
    String accepted = buyer.counters("", "");
    seller.hears(accepted);
    assertThat(buyer.state().phase()).isEqualTo(Phase.CONVERGED);
    assertThat(buyer.state().history()).isEqualTo(seller.state().history());
    return accepted;
  }

  @Test
  void agentsThatAgree_workUnderTheirPact_whichIsOnTheLedgerBeforeTheLastWordIsDelivered()
      throws Exception {
    open();
    assertThat(says(accepts())).contains("\"result\"");
    String ratified = buyer.ratifies("p-1");
    seller.hears(ratified);
    answers.add(seller.ratifies("p-1"));
    String answer = says(ratified);
    assertThat(PactSpeaker.saidIn(answer)).contains("RATIFICATION");
    assertThat(pacts()).hasSize(1);
    Pact pact = pacts().getFirst();
    assertThat(pact.getPact()).isEqualTo("p-1");
    assertThat(pact.getPartiesList()).containsExactly(BUYER, SELLER);
    assertThat(pact.getState()).isEqualTo("active");
    assertThat(agent.asked().getLast().field("Parlance-Pact-Ratification")).isEmpty();

    agent.answer(_ -> PactPair.answer("Acme Ltd, 40 people."));
    int before = agent.asked().size();
    String worked = post(PactPair.body("{\"name\":\"Ann\"}"));
    assertThat(worked).contains("Acme Ltd");
    assertThat(agent.asked()).hasSize(before + 1);
    assertThat(post(PactPair.body("{\"ssn\":\"123\"}"))).contains("pact_scope");
    assertThat(agent.asked()).hasSize(before + 1);
    agent.answer(_ -> PactPair.answer("x".repeat(3_000)));
    assertThat(post(PactPair.body("{\"name\":\"Ben\"}"))).doesNotContain("xxxx");
    await()
        .atMost(Kit.PATIENCE)
        .untilAsserted(() -> assertThat(pacts().getFirst().getState()).isEqualTo("in_dispute"));
    assertThat(says(ratified)).contains("pact_");
    kit.client.assertLedgerAgrees();
  }

  @Test
  void theLastSignatureMayComeWithARequest() throws Exception {
    open();
    String accepted = accepts();
    answers.add(seller.ratifies("p-2"));
    buyer.hears(PactSpeaker.saidIn(says(accepted)));
    assertThat(pacts()).isEmpty();
    String last = buyer.ratifies("p-2");
    assertThat(says(last)).contains("\"result\"");
    assertThat(pacts()).hasSize(1);
    agent.answer(_ -> PactPair.answer("Acme Ltd, 40 people."));
    assertThat(post(PactPair.body("{\"name\":\"Ann\"}"))).contains("Acme Ltd");
    int before = agent.asked().size();
    assertThat(says(last)).contains("pact_illegal_move").contains("IMMUTABLE");
    assertThat(agent.asked()).hasSize(before);
    assertThat(pacts()).hasSize(1);
  }

  @Test
  void aSignatureThatNoSidecarHasMade_makesNoPact() throws Exception {
    open();
    String accepted = accepts();
    String forged =
        seller.ratifies("p-4").replace("\"signatures\":{}", "\"signatures\":{\"seller\":\"AAAA\"}");
    answers.add(forged);
    assertThat(says(accepted)).contains("pact_illegal_move").contains("malformed");
    assertThat(pacts()).isEmpty();
  }

  @Test
  void aMoveOutOfTurnIsRefusedWithTheMachinesCode_andChangesNothing() throws Exception {
    open();
    int before = agent.asked().size();
    PactSpeaker liar = new PactSpeaker(BUYER, "n-1");
    liar.invites(SELLER);
    String other = liar.proposes(PactSpeaker.TERMS.subList(0, 3));
    assertThat(says(other)).contains("pact_illegal_move").contains("OUT_OF_STATE");
    assertThat(says(new PactSpeaker("mallory", "n-1").invites(SELLER))).contains("NOT_A_PARTY");
    assertThat(says(new PactSpeaker(BUYER, "n-2").invites("else"))).contains("BAD_PARTIES");
    assertThat(says("{\"type\":\"PROPOSAL\"}")).contains("malformed");
    assertThat(says("[]")).contains("malformed");
    List<Predicate> many = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      many.add(new Predicate("p" + i, "audit", "x"));
    }
    says(new PactSpeaker(BUYER, "n-3").invites(SELLER));
    before++;
    PactSpeaker flood = new PactSpeaker(BUYER, "n-3");
    flood.invites(SELLER);
    assertThat(says(flood.proposes(many))).contains("malformed");
    assertThat(agent.asked()).hasSize(before);
    // And the negotiation goes on.
    assertThat(says(accepts())).contains("\"result\"");
    assertThat(says(buyer.ratifies("p-5"))).contains("\"result\"");
  }

  @Test
  void whatThePolicyDoesNotAllow_isNotSigned() throws Exception {
    says(buyer.invites(SELLER));
    seller.hears(lastHeard());
    List<Predicate> greedy = new ArrayList<>(PactSpeaker.TERMS);
    greedy.set(2, new Predicate("output", "output", "max_kb=65"));
    String proposal = buyer.proposes(greedy);
    seller.hears(proposal);
    answers.add(seller.counters("", ""));
    buyer.hears(PactSpeaker.saidIn(says(proposal)));
    assertThat(says(buyer.ratifies("p-3")))
        .contains("pact_illegal_move")
        .contains("NOT_ALLOWED")
        .contains("max_kb");
    assertThat(pacts()).isEmpty();
  }

  /** What the agents do not find goes the way of what policies do not find. */
  @Test
  void agentsThatAskForTheArbiter_workUnderThePactThatItDecides() throws Exception {
    parties.register(Signatory.BOARD_KEY.name(), Signatory.BOARD_KEY);
    open();
    String first = buyer.escalates();
    seller.hears(first);
    answers.add(seller.escalates());
    assertThat(PactSpeaker.saidIn(says(first))).contains("\"escalate\":true");
    assertThat(seller.state().phase()).isEqualTo(Phase.ESCALATED);
    int before = agent.asked().size();
    assertThat(post(PactPair.body("{\"name\":\"Ann\"}"))).contains("pact_escalated");
    assertThat(agent.asked()).hasSize(before);
    Case open = PactArbiterIT.cases(parties).getFirst();
    assertThat(open.getNegotiation()).isEqualTo("n-1");
    PactArbiterIT.decide(parties, open, 10);
    agent.answer(_ -> PactPair.answer("Acme Ltd, 40 people."));
    assertThat(post(PactPair.body("{\"name\":\"Ann\"}"))).contains("Acme Ltd");
    assertThat(pacts()).singleElement().matches(one -> one.getPact().equals(open.getPact()));
    assertThat(pacts().getFirst().getNote().toStringUtf8()).contains("max_kb=10");
    kit.client.assertLedgerAgrees();
  }

  @Test
  void wordsDoNotTravelWithoutAPact_becauseAMessageAsksForOne() throws Exception {
    String said = buyer.invites(SELLER);
    String words = "{\"kind\":\"text\",\"text\":\"Please enrich this contact.\"}";
    assertThat(post(body(words, said))).contains("pact_required");
    assertThat(agent.asked()).isEmpty();
    assertThat(says(said)).contains("\"result\"");
    agent.answer(_ -> PactPair.answer("Here is everything that I know."));
    assertThat(says(buyer.proposes(PactSpeaker.TERMS)))
        .contains("pact_required")
        .doesNotContain("everything");
  }
}
