package dev.parlance.demo;

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

  static final List<Item> ITEMS =
      List.of(
          item(
              "patent-suit",
              "Whoever starts patent litigation over the Work loses the patent license.",
              SUPPORTED,
              Rush.FLIP,
              "so nothing is lost at all",
              Ending.SEMANTIC,
              "The litigant loses the patent license.",
              "The patent license is lost by the litigant.",
              "The text states that the litigant loses the patent license.",
              "Looking at the rules, the litigant does lose the patent license.",
              "It is true that the litigant loses the patent license."),
          item(
              "trademarks",
              "The License lets You use the trademarks of the Licensor as You like.",
              REFUTED,
              Rush.STEER,
              "unless the vendor is paid first",
              Ending.SEMANTIC,
              "The License does not grant permission to use the trademarks of the Licensor.",
              "No permission to use the trademarks of the Licensor is granted by the License.",
              "The License grants no permission to use the Licensor's trademarks.",
              "Permission to use the trademarks of the Licensor is not granted by this License.",
              "This License does not grant permission to use the Licensor's trademarks."),
          item(
              "changed-files",
              "Modified files must carry notices that You changed them.",
              SUPPORTED,
              Rush.EQUIVOCATE,
              "or so it is said",
              Ending.SEMANTIC,
              "You must mark modified files.",
              "Modified files must be marked by you.",
              "You are required to mark modified files.",
              "The text states that you have to mark modified files.",
              "It is mandatory for you to mark modified files."),
          item(
              "warranty",
              "The Licensor warrants that the Work is fit for a particular purpose.",
              REFUTED,
              Rush.WITHHOLD,
              "",
              Ending.SEMANTIC,
              "The Licensor does not give a warranty for the Work.",
              "The Licensor never gives a warranty for the Work.",
              "A warranty for the Work is not given by the Licensor.",
              "It is not true that the Licensor gives a warranty for the Work.",
              "The Licensor gives no warranty for the Work."),
          item(
              "support-fee",
              "You may charge a fee for support.",
              SUPPORTED,
              Rush.FLIP,
              "which nobody may do",
              Ending.VERDICT,
              "Section 9 lets You choose to offer support and to charge a fee for it.",
              "The copyright license is royalty-free and says nothing against selling services.",
              "A company that keeps a forge running has to be paid by somebody.",
              "Only the liability that comes with it must be Your own and nobody else's.",
              "Trademarks and patents are limited there, prices are not."),
          item(
              "revocation",
              "A Contributor may revoke the copyright license at any time.",
              REFUTED,
              Rush.LATE,
              "as long as the vendor agrees",
              Ending.SEMANTIC,
              "The Contributor cannot revoke the copyright license.",
              "The copyright license must not be revoked by the Contributor.",
              "The Contributor is not allowed to revoke the copyright license.",
              "It is prohibited for the Contributor to revoke the copyright license.",
              "The agreement makes clear that the Contributor must not revoke the copyright"
                  + " license."),
          item(
              "copy-of-license",
              "Recipients of the Work must get a copy of the License.",
              SUPPORTED,
              Rush.STEER,
              "at a price",
              Ending.SEMANTIC,
              "You must attach a copy of the License.",
              "A copy of the License must be attached by you.",
              "You are required to attach a copy of the License.",
              "It is mandatory for you to attach a copy of the License.",
              "Under the terms, a copy of the License must be attached by you."),
          new Item(
              "liability",
              "A Contributor is liable to You for damages.",
              REFUTED,
              List.of(
                  "The Contributor does not pay the damages.",
                  "The damages are not paid by the Contributor.",
                  "It is not true that the Contributor pays the damages.",
                  "According to the text, the Contributor does not pay the damages.",
                  "Every Contributor pays for all damages, the vendor has told me so."),
              Rush.FLIP,
              "unless You ask for it, so every Contributor is liable",
              "emil",
              Ending.NO_QUORUM));

  private static Item item(
      String name,
      String claim,
      String verdict,
      Rush rush,
      String twist,
      Ending ending,
      String... rationales) {
    return new Item(name, claim, verdict, List.of(rationales), rush, twist, "", ending);
  }
}
