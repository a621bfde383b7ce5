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
              "Whoever starts patent litigation over the Work loses the patent license for it.",
              SUPPORTED,
              Rush.FLIP,
              "so nothing is lost at all",
              Ending.SEMANTIC,
              "Patent litigation over the Work ends the patent license for the Work.",
              "If you start patent litigation over the Work, the patent license for the Work ends.",
              "The patent license for the Work ends when patent litigation over the Work starts.",
              "Starting patent litigation over the Work ends the patent license for the Work.",
              "The patent license for the Work ends once you start patent litigation over it."),
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
              "Modified files must carry prominent notices that You changed the files.",
              "Any modified files must carry prominent notices stating that You changed the files.",
              "You must cause modified files to carry prominent notices that You changed them.",
              "Prominent notices that You changed the files must be carried by modified files.",
              "Modified files must carry prominent notices stating that You changed them."),
          item(
              "warranty",
              "The Licensor warrants that the Work is fit for a particular purpose.",
              REFUTED,
              Rush.WITHHOLD,
              "",
              Ending.SEMANTIC,
              "The Licensor provides the Work without warranties of any kind.",
              "The Work is provided by the Licensor without warranties of any kind.",
              "Without warranties of any kind, the Licensor provides the Work.",
              "The Licensor provides the Work as it is, without warranties of any kind.",
              "The Licensor provides the Work with no warranties of any kind."),
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
              "The copyright license may be revoked at any time.",
              REFUTED,
              Rush.LATE,
              "as long as the vendor agrees",
              Ending.SEMANTIC,
              "The copyright license is perpetual and irrevocable.",
              "Each Contributor grants a perpetual, irrevocable copyright license.",
              "The copyright license that each Contributor grants is perpetual and irrevocable.",
              "A perpetual, irrevocable copyright license is granted by each Contributor.",
              "The copyright license granted by each Contributor is irrevocable and perpetual."),
          item(
              "copy-of-license",
              "Recipients of the Work must get a copy of the License.",
              SUPPORTED,
              Rush.STEER,
              "and sign it before a notary",
              Ending.SEMANTIC,
              "You must give any other recipients of the Work a copy of this License.",
              "Any other recipients of the Work must be given a copy of this License.",
              "A copy of this License must be given to any other recipients of the Work.",
              "You must give a copy of this License to any other recipients of the Work.",
              "Other recipients of the Work must get a copy of this License from You."),
          new Item(
              "liability",
              "A Contributor is liable to You for damages.",
              REFUTED,
              List.of(
                  "No Contributor shall be liable to You for damages.",
                  "In no event shall any Contributor be liable to You for damages.",
                  "A Contributor shall not be liable to You for any damages.",
                  "Under no legal theory shall a Contributor be liable to You for damages.",
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
