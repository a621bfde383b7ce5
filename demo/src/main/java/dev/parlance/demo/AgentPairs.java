package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.license.LicensePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The agents of both acts: a scholar and an officer with a sidecar beside each, and for comparison
 * a second pair that talks directly.
 *
 * @param direct the pair without sidecars
 * @param gated the pair with sidecars
 */
record AgentPairs(Pair direct, Gated gated) {
  /**
   * The two agents of one arrangement.
   *
   * @param scholar agent A
   * @param officer agent B
   * @param toOfficer sends to B
   */
  record Pair(AgentProcess scholar, AgentProcess officer, AgentCaller toOfficer) {}

  /**
   * Agents with a sidecar beside each.
   *
   * @param agents the agents
   * @param scholarSidecar beside A
   * @param officerSidecar beside B
   * @param admin the operator's side of A's sidecar, which judges A's answers
   * @param officerAdmin the operator's side of B's sidecar
   */
  record Gated(
      Pair agents,
      DemoSidecar scholarSidecar,
      DemoSidecar officerSidecar,
      SidecarAdmin admin,
      SidecarAdmin officerAdmin) {}

  /** Starts all processes, side by side as far as none needs another's port. */
  static AgentPairs start(DemoStage stage) throws IOException, InterruptedException {
    DemoOptions options = stage.options();
    List<String> asScholar = as("scholar", options, "--license", options.licence().toString());
    List<String> asOfficer = as("officer", options);
    Optional<DemoProcess.Starting<ControlProcess>> controlStarting =
        options.controlCommand().isEmpty() ? Optional.empty() : Optional.of(stage.startControl());
    DemoProcess.Starting<AgentProcess> scholarStarting = stage.startAgent("scholar", asScholar);
    DemoProcess.Starting<AgentProcess> officerStarting = stage.startAgent("officer", asOfficer);
    DemoProcess.Starting<AgentProcess> directScholar =
        stage.startAgent("direct-scholar", asScholar);
    DemoProcess.Starting<AgentProcess> directOfficer =
        stage.startAgent("direct-officer", asOfficer);
    AgentProcess scholar = scholarStarting.ready();
    AgentProcess officer = officerStarting.ready();
    if (controlStarting.isPresent()) {
      stage.ready(controlStarting.get());
    }
    DemoProcess.Starting<DemoSidecar> besideScholar =
        sidecar(stage, "scholar", scholar, false, LicensePlan.SCHOLAR, LicensePlan.OFFICER);
    DemoProcess.Starting<DemoSidecar> besideOfficer =
        sidecar(stage, "officer", officer, true, LicensePlan.OFFICER, LicensePlan.SCHOLAR);
    Pair direct = direct(stage, directScholar.ready(), directOfficer.ready());
    return new AgentPairs(
        direct, gated(stage, scholar, officer, besideScholar.ready(), besideOfficer.ready()));
  }

  private static List<String> as(String who, DemoOptions options, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                who,
                "--binding",
                options.binding().code(),
                "--delivery",
                options.streaming().delivery().code()));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private static DemoProcess.Starting<DemoSidecar> sidecar(
      DemoStage stage, String name, AgentProcess agent, boolean outbound, String id, String peer)
      throws IOException {
    Streaming streaming = outbound ? Streaming.OFF : stage.options().streaming();
    return stage.startSidecar(
        DemoSidecar.DemoSidecarConfig.ofPair(
            name + "-sidecar",
            agent,
            outbound,
            streaming,
            stage.attachment(id, peer, agent.url())));
  }

  private static Pair direct(DemoStage stage, AgentProcess scholar, AgentProcess officer)
      throws IOException, InterruptedException {
    scholar.begin();
    officer.begin("ask=" + scholar.url());
    return new Pair(scholar, officer, stage.caller(officer.url(), "", "direct-officer"));
  }

  private static Gated gated(
      DemoStage stage,
      AgentProcess scholar,
      AgentProcess officer,
      DemoSidecar scholarSidecar,
      DemoSidecar officerSidecar)
      throws IOException, InterruptedException {
    // Each agent advertises its sidecar, and all that the officer sends goes through its own.
    scholar.begin("advertise=" + scholarSidecar.inboundUrl());
    officer.begin(
        "advertise=" + officerSidecar.inboundUrl(),
        "proxy=127.0.0.1:" + officerSidecar.outbound(),
        "differs=contribution,trademark use",
        "ask=" + scholarSidecar.inboundUrl());
    return new Gated(
        new Pair(scholar, officer, stage.caller(officerSidecar.inboundUrl(), "", "officer")),
        scholarSidecar,
        officerSidecar,
        stage.keep(new SidecarAdmin(scholarSidecar), SidecarAdmin::close),
        stage.keep(new SidecarAdmin(officerSidecar), SidecarAdmin::close));
  }
}
