package dev.parlance.demo;

import dev.parlance.demo.ControlProcess.Attachment;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.Debater;
import dev.parlance.demo.debate.ClauseMind;
import dev.parlance.demo.debate.Transcript;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The three agents of the demonstration of coined terms with a sidecar process beside each. The
 * agents are threads of this process that talk A2A over sockets. They have two conversations: one
 * is on routes that know of terms, the other is not.
 *
 * @param members the officer first, then the scholar
 * @param doors how they are reached from outside
 * @param transcript what they say
 */
record LexiconPanel(List<Member> members, Doors doors, Transcript transcript) {
  /** The conversation with the lexicon; its path, too. */
  static final String COINED = "coined";

  /** The conversation without it. */
  static final String PLAIN = "plain";

  /** The group of two of the agents. */
  static final String GROUP = "chambers";

  /**
   * An agent with its sidecar.
   *
   * @param agent the agent
   * @param sidecar beside it
   * @param admin the operator's side of the sidecar
   */
  record Member(Debater agent, DemoSidecar sidecar, SidecarAdmin admin) {
    String name() {
      return agent.name();
    }

    private InetSocketAddress outbound() {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), sidecar.outbound());
    }
  }

  /**
   * Ways in, through the sidecars.
   *
   * @param plain to the officer, in the conversation without the lexicon
   * @param coined to the officer, in the other one
   * @param orders to the scholar, for what has consequences
   */
  record Doors(AgentCaller plain, AgentCaller coined, AgentCaller orders) {}

  LexiconPanel {
    members = List.copyOf(members);
  }

  /** Starts everything and waits until it is ready. */
  static LexiconPanel start(DemoStage stage) throws IOException, InterruptedException {
    DemoProcess.Starting<ControlProcess> controlStarting =
        stage.startControl(
            "lexicon: { groups: { %s: [%s] } }\n"
                .formatted(GROUP, String.join(", ", ClauseMind.CHAMBERS)));
    Transcript transcript = new Transcript();
    List<Debater> agents = new ArrayList<>();
    for (String name : ClauseMind.AGENTS) {
      agents.add(stage.keep(Debater.bind(name, transcript), Debater::close));
    }
    stage.ready(controlStarting);
    List<DemoProcess.Starting<DemoSidecar>> starting = new ArrayList<>();
    for (Debater agent : agents) {
      Attachment attachment =
          stage.attachment(agent.name(), peer(agent.name()), agent.url()).orElseThrow();
      starting.add(
          stage.startSidecar(
              DemoSidecar.DemoSidecarConfig.of(
                  "debater",
                  agent.name(),
                  agent.port(),
                  attachment,
                  DemoProcess.Memory.SMALL,
                  Map.of())));
    }
    Map<String, AgentCaller> callers = new ConcurrentHashMap<>();
    List<Member> members = new ArrayList<>();
    for (Debater agent : agents) {
      DemoSidecar sidecar = starting.get(members.size()).ready();
      members.add(
          new Member(agent, sidecar, stage.keep(new SidecarAdmin(sidecar), SidecarAdmin::close)));
      agent.start(
          sidecar.inboundUrl(),
          (conversation, other) ->
              Optional.ofNullable(callers.get(way(agent.name(), other, conversation))));
    }
    stage.awaitAttached(ClauseMind.AGENTS);
    for (String path : List.of(PLAIN, COINED)) {
      for (Member from : members) {
        for (Member to : members) {
          if (!from.name().equals(to.name())) {
            callers.put(way(from.name(), to.name(), path), caller(stage, from, to, path));
          }
        }
      }
    }
    Member officer = members.getFirst();
    Member scholar = members.get(1);
    return new LexiconPanel(
        members,
        new Doors(
            stage.caller(officer.sidecar().inboundUrl(), PLAIN, officer.name()),
            stage.caller(officer.sidecar().inboundUrl(), COINED, officer.name()),
            stage.caller(scholar.sidecar().inboundUrl(), Attachment.ORDERS_PATH, scholar.name())),
        transcript);
  }

  /** Whom an agent takes orders from. */
  private static String peer(String agent) {
    return ClauseMind.AGENTS.get(agent.equals(ClauseMind.AGENTS.getFirst()) ? 1 : 0);
  }

  private static String way(String from, String to, String path) {
    return from + " " + to + " " + path;
  }

  private static AgentCaller caller(DemoStage stage, Member from, Member to, String path)
      throws IOException, InterruptedException {
    return stage.keep(
        DemoStage.callerThrough(from.outbound(), to.sidecar().inboundUrl(), path, to.name()),
        AgentCaller::close);
  }
}
