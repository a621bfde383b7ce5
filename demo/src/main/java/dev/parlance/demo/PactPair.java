package dev.parlance.demo;

import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.RunningAgent;
import dev.parlance.demo.agent.Scholar;
import dev.parlance.demo.license.LicensePlan;
import dev.parlance.demo.license.Usage;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/**
 * The two agents of the demonstration of pacts, which know nothing of pacts, with a sidecar process
 * beside each; the agents are threads of this process that talk A2A over sockets.
 *
 * @param officer who asks questions
 * @param scholar who answers them, and gives orders
 */
record PactPair(Party officer, Party scholar) {
  static final List<String> PARTIES = List.of(LicensePlan.OFFICER, LicensePlan.SCHOLAR);

  /**
   * An agent, its sidecar and the network in front of that.
   *
   * @param name the agent's id
   * @param sidecar beside it
   * @param admin the operator's side of the sidecar
   * @param wire what is sent to the agent goes over it
   * @param toPeer how the agent sends to the other one: the SDK's client, through its own sidecar
   */
  record Party(
      String name, DemoSidecar sidecar, SidecarAdmin admin, PactWire wire, AgentCaller toPeer) {
    /** With which the sidecar signs for the agent. */
    SignerKey key() throws IOException {
      return SignerKey.load(sidecar.dataDir().resolve("party.key"))
              instanceof Parsed.Ok<SignerKey>(SignerKey key)
          ? key
          : missing();
    }

    private static SignerKey missing() throws IOException {
      throw new IOException("the sidecar has no key");
    }
  }

  /** Starts everything, publishes the template and waits until the sidecars are attached. */
  static PactPair start(DemoStage stage) throws IOException, InterruptedException {
    DemoProcess.Starting<ControlProcess> controlStarting = stage.startControl();
    RunningAgent scholar = stage.keep(RunningAgent.bind(0), RunningAgent::close);
    RunningAgent officer = stage.keep(RunningAgent.bind(0), RunningAgent::close);
    stage.ready(controlStarting);
    SignerKey author = SignerKey.generate(PactScript.AUTHOR, KeyType.ED25519);
    stage.operator().publish(PactScript.template(), author);
    DemoProcess.Starting<DemoSidecar> besideOfficer =
        sidecar(
            stage,
            PARTIES.getFirst(),
            PARTIES.getLast(),
            officer,
            Player.text("policy-officer.yaml"));
    DemoProcess.Starting<DemoSidecar> besideScholar =
        sidecar(
            stage,
            PARTIES.getLast(),
            PARTIES.getFirst(),
            scholar,
            Player.text("policy-scholar.yaml"));
    DemoSidecar officerSidecar = besideOfficer.ready();
    DemoSidecar scholarSidecar = besideScholar.ready();
    PactWire toOfficer = stage.keep(PactWire.to(officerSidecar), PactWire::close);
    PactWire toScholar = stage.keep(PactWire.to(scholarSidecar), PactWire::close);
    scholar.startScholar(new Scholar(Files.readString(stage.options().licence())), toScholar.url());
    AgentCaller asks = caller(stage, officerSidecar, toScholar, LicensePlan.SCHOLAR);
    officer.using(new Usage("officer"));
    officer.startOfficer(
        asks, toOfficer.url(), new PrintStream(OutputStream.nullOutputStream(), false));
    AgentCaller orders = caller(stage, scholarSidecar, toOfficer, LicensePlan.OFFICER);
    stage.awaitAttached(PARTIES);
    return new PactPair(
        new Party(
            PARTIES.getFirst(), officerSidecar, admin(stage, officerSidecar), toOfficer, asks),
        new Party(
            PARTIES.getLast(), scholarSidecar, admin(stage, scholarSidecar), toScholar, orders));
  }

  private static DemoProcess.Starting<DemoSidecar> sidecar(
      DemoStage stage, String name, String peer, RunningAgent agent, String policy)
      throws IOException {
    return stage.startSidecar(
        DemoSidecar.DemoSidecarConfig.of(
            "party",
            name,
            agent.port(),
            stage.attachment(name, peer, agent.ownUrl()).orElseThrow(),
            DemoProcess.Memory.SMALL,
            Map.of("peer", peer, "policy", policy)));
  }

  private static AgentCaller caller(DemoStage stage, DemoSidecar own, PactWire other, String name)
      throws IOException, InterruptedException {
    InetSocketAddress proxy =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), own.outbound());
    return stage.keep(DemoStage.callerThrough(proxy, other.url(), name), AgentCaller::close);
  }

  private static SidecarAdmin admin(DemoStage stage, DemoSidecar sidecar) throws IOException {
    return stage.keep(new SidecarAdmin(sidecar), SidecarAdmin::close);
  }
}
