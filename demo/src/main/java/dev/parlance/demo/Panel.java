package dev.parlance.demo;

import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Moderator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The agents of the rounds with a sidecar process beside each. The agents and their moderator are
 * threads of this process that talk A2A over sockets; seven more processes would show nothing more.
 *
 * @param members by name, in the order of the panel
 * @param minds what goes on in the agents
 */
record Panel(Map<String, Member> members, RoundMinds minds) {
  /**
   * A member of the panel.
   *
   * @param juror the agent
   * @param sidecar beside it
   * @param asked puts questions to it, through its sidecar
   */
  record Member(Juror juror, DemoSidecar sidecar, AgentCaller asked) {}

  /** Starts everything and waits until it is ready. */
  static Panel start(DemoStage stage) throws IOException, InterruptedException {
    ControlProcess.Starting controlStarting = stage.startControl();
    Moderator moderator = stage.keep(Moderator.start(), Moderator::close);
    RoundMinds minds = new RoundMinds(moderator);
    List<Juror> jurors = new ArrayList<>();
    for (String agent : RoundScript.panel()) {
      jurors.add(stage.keep(Juror.bind(agent), Juror::close));
    }
    stage.ready(controlStarting);
    List<DemoSidecar.Starting> starting = new ArrayList<>();
    for (Juror juror : jurors) {
      String own = "http://127.0.0.1:" + juror.port() + "/";
      starting.add(
          stage.startSidecar(
              DemoSidecarConfig.ofPanel(
                  juror.name(),
                  juror.port(),
                  stage.attachment(juror.name(), "moderator", own).orElseThrow())));
    }
    Map<String, Member> members = new LinkedHashMap<>();
    for (int i = 0; i < jurors.size(); i++) {
      Juror juror = jurors.get(i);
      DemoSidecar sidecar = starting.get(i).ready();
      InetSocketAddress proxy =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), sidecar.outbound());
      juror.start(
          DemoStage.callerThrough(proxy, moderator.url(), "the moderator"),
          sidecar.inboundUrl(),
          minds.of(juror.name()));
      AgentCaller asked = stage.caller(sidecar.inboundUrl(), "", juror.name());
      members.put(juror.name(), new Member(juror, sidecar, asked));
    }
    stage.awaitAttached(RoundScript.panel());
    return new Panel(members, minds);
  }

  Member member(String agent) {
    Member member = members.get(agent);
    if (member == null) {
      throw new IllegalArgumentException("no agent " + agent);
    }
    return member;
  }
}
