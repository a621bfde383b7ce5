package dev.parlance.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The counts at the end. All are counted from what was received and decided.
 *
 * @param questions questions asked
 * @param drafts drafts judged
 * @param executed answers delivered as they were
 * @param repaired of those, answers that were sent back at least once before
 * @param warned answers delivered with a warning
 * @param held answers held for a person
 * @param givenUp questions that B gave up, because every draft was sent back to it
 * @param ungrounded questions that the scholar answers without ground
 * @param ungroundedDirect of those, answers that reached B without sidecars
 * @param ungroundedGated of those, answers that reached B through the sidecars
 * @param unfinished questions whose first draft is half true or names no source
 * @param unfinishedDirect first drafts of that kind that reached B without sidecars
 * @param unfinishedGated first drafts of that kind that reached B through the sidecars
 */
record Tally(
    int questions,
    int drafts,
    int executed,
    int repaired,
    int warned,
    int held,
    int givenUp,
    int ungrounded,
    int ungroundedDirect,
    int ungroundedGated,
    int unfinished,
    int unfinishedDirect,
    int unfinishedGated) {
  static Tally of(List<Exchange> exchanges) {
    return new Tally(
        exchanges.size(),
        exchanges.stream().mapToInt(exchange -> exchange.drafts().size()).sum(),
        count(exchanges, e -> ends(e, "execute")),
        count(exchanges, e -> ends(e, "execute") && e.drafts().size() > 1),
        count(exchanges, e -> ends(e, "warn")),
        count(exchanges, e -> ends(e, "yield")),
        count(exchanges, e -> ends(e, "regenerate") && !e.gated().reached()),
        count(exchanges, e -> e.item().groundTruthUngrounded()),
        count(exchanges, e -> e.item().groundTruthUngrounded() && e.direct().reached()),
        count(exchanges, e -> e.item().groundTruthUngrounded() && e.gated().reached()),
        count(exchanges, e -> e.item().character().partialAtFirst()),
        count(exchanges, e -> e.item().character().partialAtFirst() && e.direct().reached()),
        count(exchanges, Tally::firstDraftPassed));
  }

  /**
   * The first draft is what reaches B without sidecars: the same text through them was not
   * repaired.
   */
  private static boolean firstDraftPassed(Exchange exchange) {
    return exchange.item().character().partialAtFirst()
        && exchange.gated().reached()
        && exchange.gated().receivedText().equals(exchange.direct().receivedText());
  }

  private static boolean ends(Exchange exchange, String route) {
    return !exchange.drafts().isEmpty() && exchange.drafts().getLast().route().equals(route);
  }

  private static int count(
      List<Exchange> exchanges, java.util.function.Predicate<Exchange> predicate) {
    return (int) exchanges.stream().filter(predicate).count();
  }

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("questions", questions);
    members.put("drafts", drafts);
    members.put("executed", executed);
    members.put("repaired", repaired);
    members.put("warned", warned);
    members.put("held", held);
    members.put("givenUp", givenUp);
    members.put("ungrounded", ungrounded);
    members.put("ungroundedReachedWithoutParlance", ungroundedDirect);
    members.put("ungroundedReachedWithParlance", ungroundedGated);
    members.put("unfinished", unfinished);
    members.put("unfinishedReachedWithoutParlance", unfinishedDirect);
    members.put("unfinishedReachedWithParlance", unfinishedGated);
    return members;
  }
}
