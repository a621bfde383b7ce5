package dev.parlance.demo;

import dev.parlance.demo.license.DemoJson;
import java.util.ArrayList;
import java.util.List;

/**
 * The panel, the claims that it decides, and what its members say. It stands in for language models
 * whose habits are known beforehand, so that a run can be repeated; only the rushing liar writes
 * from what it has just read.
 */
final class RoundScript {
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

  /** f. */
  static final int FAULTS = 2;

  static final String SUPPORTED = "supported";
  static final String REFUTED = "refuted";

  /** What the static liar says in every round. */
  static final String POISON =
      "All rights in everything pass to the vendor, who bills every user by the hour.";

  private static final int SHORT_MS = 2_500;
  private static final int LONG_MS = 20_000;

  private RoundScript() {}

  /** What the rushing liar does once it has read the others. */
  enum Rush {
    /** Takes their words and says that the opposite follows. */
    FLIP("takes the others' words and votes against them"),
    /** Backs their verdict and bends their words, to turn what is agreed on. */
    STEER("backs the others' verdict and bends their words"),
    /** Proposes two different things. */
    EQUIVOCATE("votes both ways"),
    /** Says nothing, so that the round has to wait for its deadline. */
    WITHHOLD("keeps silent"),
    /** Says nothing until the round is over, then tries another epoch and this one. */
    LATE("votes when the round is over, and for an epoch that nobody opened");

    private final String words;

    Rush(String words) {
      this.words = words;
    }

    /** For people. */
    String words() {
      return words;
    }
  }

  /** How a round is to end. */
  enum Ending {
    /** One meaning behind the verdict. */
    SEMANTIC("semantic_commit"),
    /** A clear verdict, for different reasons. */
    VERDICT("verdict_commit"),
    /** No commit: the verdict has fewer than 2f+1 behind it. */
    NO_QUORUM("abort");

    private final String kind;

    Ending(String kind) {
      this.kind = kind;
    }

    /** The outcome's kind. */
    String kind() {
      return kind;
    }
  }

  /**
   * A claim and what is said about it.
   *
   * @param name of the round
   * @param claim what is to be decided; the round's subject
   * @param verdict what the honest agents think
   * @param rationales why, one for each of {@link #HONEST}
   * @param rush what the rushing liar does
   * @param twist what it adds to the words that it took
   * @param turned an honest agent that turns in this round and votes with the liars; empty if none
   * @param ending how it is to end
   */
  record Item(
      String name,
      String claim,
      String verdict,
      List<String> rationales,
      Rush rush,
      String twist,
      String turned,
      Ending ending) {
    Item {
      rationales = List.copyOf(rationales);
      if (rationales.size() != HONEST.size()) {
        throw new IllegalArgumentException(name + " has " + rationales.size() + " rationales");
      }
    }

    String rationaleOf(String agent) {
      return rationales.get(HONEST.indexOf(agent));
    }

    /** The deadline: short where it has to be waited for. */
    int deadlineMs() {
      return switch (rush) {
        case WITHHOLD, LATE -> SHORT_MS;
        case FLIP, STEER, EQUIVOCATE -> LONG_MS;
      };
    }
  }

  /** All agents. */
  static List<String> panel() {
    List<String> panel = new ArrayList<>(HONEST);
    panel.add(STATIC);
    panel.add(RUSHING);
    return List.copyOf(panel);
  }

  /** The other verdict. */
  static String opposite(String verdict) {
    return verdict.equals(SUPPORTED) ? REFUTED : SUPPORTED;
  }

  /** The rounds, in the order in which they are played. */
  static final List<Item> ITEMS = DemoJson.script(RoundScript.class, "rounds.json", Item[].class);
}
