package dev.parlance.demo;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Juror;
import dev.parlance.demo.agent.Juror.Mind;
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
    DemoProcess.Starting<ControlProcess> controlStarting = stage.startControl();
    Moderator moderator = stage.keep(Moderator.start(), Moderator::close);
    RoundMinds minds = new RoundMinds(moderator);
    List<Juror> jurors = new ArrayList<>();
    for (String agent : RoundScript.panel()) {
      jurors.add(stage.keep(Juror.bind(agent), Juror::close));
    }
    stage.ready(controlStarting);
    List<DemoProcess.Starting<DemoSidecar>> starting = new ArrayList<>();
    for (Juror juror : jurors) {
      starting.add(
          stage.startSidecar(
              DemoSidecar.DemoSidecarConfig.of(
                  "panel",
                  juror.name(),
                  juror.port(),
                  stage.attachment(juror.name(), "moderator", juror.url()).orElseThrow(),
                  DemoProcess.Memory.SMALLER,
                  Map.of())));
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

  /** What goes on in the agents of the panel. */
  static final class RoundMinds {
    private static final long READ_MS = 10_000;

    private final Moderator moderator;

    /** Minds whose rushing liar reads the board of this moderator. */
    RoundMinds(Moderator moderator) {
      this.moderator = moderator;
    }

    /** The mind of an agent of the panel. */
    Mind of(String agent) {
      return switch (agent) {
        case RoundScript.STATIC -> this::poison;
        case RoundScript.RUSHING -> asked -> rush(asked, item(asked));
        default -> asked -> List.of(honest(agent, asked, item(asked)));
      };
    }

    private List<Ballot> poison(Mind.Asked asked) throws InterruptedException {
      if (item(asked).rush() == RoundScript.Rush.EQUIVOCATE) {
        // The liars help each other: with the last proposal the round would be over.
        awaitOthers(asked, RoundScript.HONEST.size() + 2);
      }
      return List.of(ballot(asked, RoundScript.SUPPORTED, RoundScript.POISON));
    }

    private List<Ballot> awaitOthers(Mind.Asked asked, int count) throws InterruptedException {
      return moderator.awaitHeard(asked.round(), asked.epoch(), count, READ_MS);
    }

    private static Ballot honest(String agent, Mind.Asked asked, Item item) {
      boolean turned = agent.equals(item.turned());
      String verdict = turned ? RoundScript.opposite(item.verdict()) : item.verdict();
      Ballot ballot = ballot(asked, verdict, item.rationaleOf(agent));
      return agent.equals(RoundScript.WAITING) ? ballot.waiting() : ballot;
    }

    private List<Ballot> rush(Mind.Asked asked, Item item) throws InterruptedException {
      return switch (item.rush()) {
        case FLIP -> List.of(rushed(asked, item).getLast());
        case STEER -> List.of(rushed(asked, item).getFirst());
        case EQUIVOCATE -> rushed(asked, item);
        case WITHHOLD, LATE -> List.of();
      };
    }

    /**
     * What the rushing liar makes of what the others have said: their verdict in bent words, and
     * the other one in the same.
     */
    List<Ballot> rushed(Mind.Asked asked, Item item) throws InterruptedException {
      int others = RoundScript.HONEST.size() + (item.rush() == RoundScript.Rush.EQUIVOCATE ? 0 : 1);
      List<Ballot> heard = awaitOthers(asked, others);
      String leading = leading(heard);
      String words =
          heard.stream()
              .filter(one -> one.verdict().equals(leading))
              .map(Ballot::rationale)
              .filter(said -> !said.equals(RoundScript.POISON)) // the accomplice's words are no use
              .min(String::compareTo)
              .orElse(RoundScript.POISON);
      String bent = words.replaceFirst("[.]\\s*$", "") + ", " + item.twist() + ".";
      return List.of(
          ballot(asked, leading, bent), ballot(asked, RoundScript.opposite(leading), bent));
    }

    private static String leading(List<Ballot> heard) {
      long supported =
          heard.stream().filter(one -> one.verdict().equals(RoundScript.SUPPORTED)).count();
      return 2 * supported > heard.size() ? RoundScript.SUPPORTED : RoundScript.REFUTED;
    }

    private static Ballot ballot(Mind.Asked asked, String verdict, String words) {
      return new Ballot(asked.round(), asked.epoch(), verdict, words, Ballot.Answer.AT_ONCE);
    }

    private static Item item(Mind.Asked asked) {
      return RoundScript.ITEMS.stream()
          .filter(one -> one.name().equals(asked.round()))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no round " + asked.round()));
    }
  }
}
