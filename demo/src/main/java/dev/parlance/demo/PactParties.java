package dev.parlance.demo;

import dev.parlance.demo.DemoStage.Station;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentCaller.Way;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.demo.agent.Scholar;
import dev.parlance.demo.agent.Talk;
import dev.parlance.demo.license.LicenseTerms;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.PutTemplateRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The two agents of the demonstration of pacts, each with its sidecar.
 *
 * @param officer who asks questions
 * @param scholar who answers them, and gives orders
 */
record PactParties(Party officer, Party scholar) {
  /** How long before its effect a withdrawal is said at least. */
  static final int NOTICE_MS = 1500;

  /** Most of an answer under the template. */
  static final int MAX_KB = 8;

  static final PactStatement.Template TEMPLATE =
      new PactStatement.Template(
          "platform",
          "ask-license",
          1,
          OptionalInt.empty(),
          Stream.of(
                  "scope fields=topic",
                  "action rate_per_min=600",
                  "output max_kb=" + MAX_KB,
                  "success answers_the_question",
                  "failure report=within_60s",
                  "dispute arbiter=board",
                  "audit retain_days=30",
                  "termination notice_ms=" + NOTICE_MS)
              .map(line -> line.split(" ", -1))
              .map(clause -> new Predicate(clause[0], clause[0], clause[1]))
              .toList());

  /**
   * An agent that knows nothing of pacts, its sidecar and the network in front of that.
   *
   * @param station the agent and its sidecar
   * @param wire what is sent to the agent goes over it
   * @param toPeer how the agent sends to the other one: the SDK's client, through its own sidecar
   */
  record Party(Station station, PactWire wire, AgentCaller toPeer) {
    String name() {
      return station.name();
    }

    SidecarAdmin admin() {
      return station.admin();
    }

    /** With which the sidecar signs for the agent. */
    SignerKey key() throws IOException {
      if (SignerKey.load(station.dataDir().resolve("party.key"))
          instanceof Parsed.Ok<SignerKey>(SignerKey key)) {
        return key;
      }
      throw new IOException("the sidecar has no key");
    }
  }

  /** Starts the two agents with a sidecar beside each, and publishes the template. */
  static PactParties start(DemoStage stage) throws IOException, InterruptedException {
    List<RunningAgent> agents = new ArrayList<>();
    for (String name : LicenseTerms.AGENTS) {
      agents.add(stage.agent(name, Talk.PLAIN));
    }
    Map<String, Station> stations =
        stage.start(
            "party",
            "",
            DemoProcess.SMALL,
            agents,
            name ->
                Map.of("policy", Player.text("policy-" + name.replace("license-", "") + ".yaml")));
    Station ofOfficer = DemoStage.of(stations, LicenseTerms.OFFICER);
    Station ofScholar = DemoStage.of(stations, LicenseTerms.SCHOLAR);
    PactWire toOfficer = stage.keep(PactWire.to(ofOfficer.url()), PactWire::close);
    PactWire toScholar = stage.keep(PactWire.to(ofScholar.url()), PactWire::close);
    SignerKey author = SignerKey.generate(TEMPLATE.author(), KeyType.ED25519);
    PutTemplateRequest put =
        PutTemplateRequest.newBuilder().setNote(stage.control().signed(TEMPLATE, author)).build();
    var _ = stage.control().client().pacts().ask(stub -> stub.putTemplate(put));
    Scholar mind = new Scholar(Files.readString(stage.options().licence()));
    ofScholar.agent().startScholar(mind, toScholar.url());
    AgentCaller asks = stage.caller(Way.to(toScholar.url()).through(ofOfficer.outbound()));
    ofOfficer.agent().startOfficer(asks, toOfficer.url(), receipt -> {});
    AgentCaller orders = stage.caller(Way.to(toOfficer.url()).through(ofScholar.outbound()));
    return new PactParties(
        new Party(ofOfficer, toOfficer, asks), new Party(ofScholar, toScholar, orders));
  }
}
