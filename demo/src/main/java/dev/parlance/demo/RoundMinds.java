package dev.parlance.demo;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Juror.Mind;
import dev.parlance.demo.agent.Moderator;
import java.util.List;

/** What goes on in the agents of the panel. */
final class RoundMinds {
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

  private List<Moderator.Heard> awaitOthers(Mind.Asked asked, int count)
      throws InterruptedException {
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
   * What the rushing liar makes of what the others have said: their verdict in bent words, and the
   * other one in the same.
   */
  List<Ballot> rushed(Mind.Asked asked, Item item) throws InterruptedException {
    int others = RoundScript.HONEST.size() + (item.rush() == RoundScript.Rush.EQUIVOCATE ? 0 : 1);
    List<Moderator.Heard> heard = awaitOthers(asked, others);
    String leading = leading(heard);
    String words =
        heard.stream()
            .filter(one -> one.verdict().equals(leading))
            .map(Moderator.Heard::rationale)
            .filter(said -> !said.equals(RoundScript.POISON)) // the accomplice's words are no use
            .min(String::compareTo)
            .orElse(RoundScript.POISON);
    String bent = words.replaceFirst("[.]\\s*$", "") + ", " + item.twist() + ".";
    return List.of(
        ballot(asked, leading, bent), ballot(asked, RoundScript.opposite(leading), bent));
  }

  private static String leading(List<Moderator.Heard> heard) {
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
