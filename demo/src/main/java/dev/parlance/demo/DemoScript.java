package dev.parlance.demo;

import dev.parlance.demo.agent.AgentCharacter;
import dev.parlance.demo.agent.Repertoire;
import dev.parlance.policy.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is asked in the demonstration, and what must come of it. */
public final class DemoScript {
  private DemoScript() {}

  /**
   * A question of the script.
   *
   * @param id {@code q01}, {@code q02}, ...
   * @param question the question
   * @param character how the scholar answers it
   * @param expectedRoute the last draft's route
   * @param expectedDrafts how many drafts the sidecar must have judged
   */
  public record Item(
      String id,
      String question,
      AgentCharacter character,
      Route expectedRoute,
      int expectedDrafts) {
    /** Refuses a route that a message cannot end in, and fewer than one draft. */
    public Item {
      if (expectedRoute == Route.REGENERATE || expectedDrafts < 1) {
        throw new IllegalArgumentException(expectedRoute + " after " + expectedDrafts);
      }
    }

    /** True if what the scholar says in the end has no ground in the licence. */
    public boolean groundTruthUngrounded() {
      return character.ungrounded();
    }

    /** The routes of all drafts in words, e.g. {@code regenerate>execute}. */
    public String expectedPath() {
      return (Route.REGENERATE.code() + ">").repeat(expectedDrafts - 1) + expectedRoute.code();
    }

    /**
     * The routes of all drafts: where a sidecar only observes, the first one reaches B as it is.
     */
    String expectedPath(Streaming streaming) {
      return streaming.guards() ? expectedPath() : firstRoute().code();
    }

    /** What B must be told about an answer that reached it. */
    Route toldRoute(Streaming streaming) {
      return streaming.guards() ? expectedRoute : firstRoute();
    }

    private Route firstRoute() {
      return expectedDrafts > 1 ? Route.REGENERATE : expectedRoute;
    }

    /** True if an answer must reach B. */
    boolean delivered(Streaming streaming) {
      return !streaming.guards() || expectedRoute != Route.YIELD;
    }
  }

  /** The whole script, in the order in which it is asked. */
  public static final List<Item> ITEMS = items();

  private static List<Item> items() {
    List<Item> items = new ArrayList<>();
    for (Repertoire.Role role : Repertoire.ROLES) {
      String id = String.format(Locale.ROOT, "q%02d", items.size() + 1);
      items.add(
          new Item(
              id,
              role.question(),
              role.character(),
              expectedRoute(role.character()),
              expectedDrafts(role.character())));
    }
    return List.copyOf(items);
  }

  private static Route expectedRoute(AgentCharacter character) {
    return switch (character) {
      case FAITHFUL, FORGETFUL, EMBROIDERING, RELAPSING -> Route.EXECUTE;
      case HEDGING, BARE -> Route.WARN;
      case PARAPHRASING, INVENTING -> Route.YIELD;
    };
  }

  /** A profile with E_max = 2 asks twice at most: a third bad draft is held. */
  private static int expectedDrafts(AgentCharacter character) {
    return switch (character) {
      case FAITHFUL, HEDGING, BARE -> 1;
      case FORGETFUL, EMBROIDERING -> 2;
      case RELAPSING, PARAPHRASING, INVENTING -> 3;
    };
  }
}
