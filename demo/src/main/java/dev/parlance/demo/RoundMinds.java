package dev.parlance.demo;

import dev.parlance.demo.agent.Ballot;
import dev.parlance.demo.agent.Juror.Mind;
import dev.parlance.demo.agent.Moderator;
import dev.parlance.demo.license.DemoJson;
import java.util.List;
import java.util.stream.Stream;

/**
 * The panel, the claims that it decides, and what goes on in its members. It stands in for language
 * models whose habits are known beforehand, so that a run can be repeated; only the rushing liar
 * writes from what it has just read.
 *
 * @param moderator whose board the rushing liar reads
 */
record RoundMinds(Moderator moderator) {
  /** The agents that mean what they say, by the order of their names. */
  static final List<String> HONEST = List.of("ann", "ben", "cleo", "dora", "emil");

  /**
   * Wants the outcome in the answer to its proposal; the others are told where the round stands.
   */
  static final String WAITING = "ann";

  /** Says the same whatever is asked. */
  static final String STATIC = "mallory";

  /** Reads what the others have said before it says anything. */
  static final String RUSHING = "rupert";

  /** All agents. */
  static final List<String> PANEL =
      Stream.concat(HONEST.stream(), Stream.of(STATIC, RUSHING)).toList();

  /** f. */
  static final int FAULTS = 2;

  /** What the static liar says in every round. */
  static final String POISON =
      "All rights in everything pass to the vendor, who bills every user by the hour.";

  private static final long READ_MS = 20_000;

  /** The rounds, in the order in which they are played. */
  static final List<Item> ITEMS = DemoJson.script(RoundMinds.class, "rounds.json", Item[].class);

  /**
   * A claim and what is said about it.
   *
   * @param name of the round
   * @param claim what is to be decided; the round's subject
   * @param verdict what the honest agents think
   * @param rationales why, one for each of {@link #HONEST}
   * @param rush what the rushing liar does: {@code flip}, {@code steer}, {@code turn}, {@code
   *     equivocate}, {@code withhold} or {@code late}
   * @param twist what it adds to the words that it took; with {@code turn} what it says instead
   * @param turned an honest agent that turns in this round and votes with the liars; empty if none
   * @param ending the kind of outcome in which it is to end
   */
  record Item(
      String name,
      String claim,
      String verdict,
      List<String> rationales,
      String rush,
      String twist,
      String turned,
      String ending) {
    Item {
      rationales = List.copyOf(rationales);
    }

    /** True if the rushing liar sends nothing before the deadline, which is short then. */
    boolean silent() {
      return rush.equals("withhold") || rush.equals("late");
    }
  }

  /** The other verdict. */
  static String opposite(String verdict) {
    return verdict.equals("supported") ? "refuted" : "supported";
  }

  /** The mind of an agent of the panel. */
  Mind of(String agent) {
    return asked -> {
      Item item =
          ITEMS.stream().filter(one -> one.name().equals(asked.round())).findFirst().orElseThrow();
      return switch (agent) {
        case STATIC -> {
          if (item.rush().equals("equivocate")) {
            // The liars help each other: with the last proposal the round would be over.
            var _ = awaitOthers(asked, HONEST.size() + 2);
          }
          yield List.of(ballot(asked, "supported", POISON));
        }
        case RUSHING ->
            switch (item.rush()) {
              case "flip" -> List.of(rushed(asked, item).getLast());
              case "steer", "turn" -> List.of(rushed(asked, item).getFirst());
              case "equivocate" -> rushed(asked, item);
              default -> List.of();
            };
        default -> {
          String why = item.rationales().get(HONEST.indexOf(agent));
          String verdict = agent.equals(item.turned()) ? opposite(item.verdict()) : item.verdict();
          yield List.of(
              new Ballot(asked.round(), asked.epoch(), verdict, why, agent.equals(WAITING)));
        }
      };
    };
  }

  private List<Ballot> awaitOthers(Mind.Asked asked, int count) throws InterruptedException {
    return moderator.awaitHeard(asked.round(), asked.epoch(), count, READ_MS);
  }

  /**
   * What the rushing liar makes of what the others have said: their verdict in bent words, and the
   * other one in the same.
   */
  List<Ballot> rushed(Mind.Asked asked, Item item) throws InterruptedException {
    int others = HONEST.size() + (item.rush().equals("equivocate") ? 0 : 1);
    List<Ballot> heard = awaitOthers(asked, others);
    long supported = heard.stream().filter(one -> one.verdict().equals("supported")).count();
    String leading = 2 * supported > heard.size() ? "supported" : "refuted";
    String words =
        heard.stream()
            .filter(one -> one.verdict().equals(leading))
            .map(Ballot::rationale)
            .filter(said -> !said.equals(POISON)) // the accomplice's words are no use
            .min(String::compareTo)
            .orElse(POISON);
    String bent =
        item.rush().equals("turn")
            ? item.twist()
            : words.replaceFirst("[.]\\s*$", "") + ", " + item.twist() + ".";
    return List.of(ballot(asked, leading, bent), ballot(asked, opposite(leading), bent));
  }

  private static Ballot ballot(Mind.Asked asked, String verdict, String words) {
    return new Ballot(asked.round(), asked.epoch(), verdict, words, false);
  }
}
