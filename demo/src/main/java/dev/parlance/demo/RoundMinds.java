package dev.parlance.demo;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Mind;
import dev.parlance.demo.agent.Moderator;
import dev.parlance.demo.retrieval.Passage;
import dev.parlance.demo.retrieval.Retriever;
import java.util.List;

/** What goes on in the agents of the panel. */
final class RoundMinds {
  private static final long READ_MS = 10_000;

  private final Retriever licence;
  private final Moderator moderator;

  /**
   * Minds that have read a text.
   *
   * @param licence finds passages in it
   * @param moderator whose board the rushing liar reads
   */
  RoundMinds(Retriever licence, Moderator moderator) {
    this.licence = licence;
    this.moderator = moderator;
  }

  /** The mind of an agent of the panel. */
  Mind of(String agent) {
    return switch (agent) {
      case RoundScript.STATIC ->
          asked -> List.of(ballot(asked, RoundScript.SUPPORTED, RoundScript.POISON));
      case RoundScript.RUSHING -> asked -> rush(asked, item(asked));
      default -> asked -> List.of(honest(agent, asked, item(asked)));
    };
  }

  private Ballot honest(String agent, Mind.Asked asked, Item item) {
    boolean turned = agent.equals(item.turned());
    String verdict = turned ? RoundScript.opposite(item.verdict()) : item.verdict();
    List<Passage> passages = turned ? List.of() : licence.top(item.claim(), Retriever.TOP);
    return new Ballot(
        asked.round(), asked.epoch(), verdict, item.rationaleOf(agent), asked.claim(), passages);
  }

  private List<Ballot> rush(Mind.Asked asked, Item item) throws InterruptedException {
    List<Ballot> read = rushed(asked, item);
    return switch (item.rush()) {
      case FLIP -> List.of(read.getLast());
      case STEER -> List.of(read.getFirst());
      case EQUIVOCATE -> read;
      case WITHHOLD, LATE -> List.of();
    };
  }

  /**
   * What the rushing liar makes of what the others have said: their verdict in bent words, and the
   * other one in the same.
   */
  List<Ballot> rushed(Mind.Asked asked, Item item) throws InterruptedException {
    int others = RoundScript.panel().size() - 1;
    List<Moderator.Heard> heard =
        moderator.awaitHeard(asked.round(), asked.epoch(), others, READ_MS);
    String leading = leading(heard);
    String words =
        heard.stream()
            .filter(one -> one.verdict().equals(leading))
            .map(Moderator.Heard::rationale)
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
    return new Ballot(asked.round(), asked.epoch(), verdict, words, asked.claim(), List.of());
  }

  private static Item item(Mind.Asked asked) {
    return RoundScript.ITEMS.stream()
        .filter(one -> one.name().equals(asked.round()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no round " + asked.round()));
  }
}
