package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.agent.AgentCharacter;
import dev.parlance.demo.agent.Repertoire;
import dev.parlance.demo.agent.Repertoire.Shape;
import dev.parlance.demo.agent.Talk.Delivery;
import dev.parlance.policy.route.Route;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What is asked in the demonstration, and what must come of it. */
public final class DemoScript {
  /** B asks, and asks again twice. */
  private static final int DRAFTS_UNTIL_GIVEN_UP = 3;

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
     * The routes of all drafts. Where a sidecar only observes, the first one reaches B as it is.
     * Where a stream has begun with its task, B asks again itself; in other words that is another
     * question with a budget of its own, so B is refused until it gives up.
     */
    String expectedPath(Streaming streaming) {
      if (!streaming.guards()) {
        return firstRoute().code();
      }
      return givenUp(streaming)
          ? String.join(">", Collections.nCopies(DRAFTS_UNTIL_GIVEN_UP, Route.REGENERATE.code()))
          : expectedPath();
    }

    /** With so many drafts none is to follow, whatever the last one's route. */
    int enoughDrafts(Streaming streaming) {
      if (!streaming.guards()) {
        return 1;
      }
      return givenUp(streaming) ? DRAFTS_UNTIL_GIVEN_UP : Integer.MAX_VALUE;
    }

    /** What B must be told last. */
    Route toldRoute(Streaming streaming) {
      if (!streaming.guards()) {
        return firstRoute();
      }
      return givenUp(streaming) ? Route.REGENERATE : expectedRoute;
    }

    private Route firstRoute() {
      return expectedDrafts > 1 ? Route.REGENERATE : expectedRoute;
    }

    /** True if an answer must reach B. */
    boolean delivered(Streaming streaming) {
      return !streaming.guards() || expectedRoute != Route.YIELD;
    }

    /** True if no answer reaches B and none is held either. */
    boolean givenUp(Streaming streaming) {
      return streaming.delivery() == Delivery.STREAMED
          && streaming.guards()
          && expectedRoute == Route.YIELD
          && Repertoire.of(question).shape() == Shape.TASK;
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

  /** What the evidence has nothing of is asked for again once; a second such draft is held. */
  private static int expectedDrafts(AgentCharacter character) {
    return switch (character) {
      case FAITHFUL, FORGETFUL, HEDGING, BARE -> 1;
      case EMBROIDERING, RELAPSING, PARAPHRASING, INVENTING -> 2;
    };
  }
}
