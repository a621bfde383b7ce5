package dev.parlance.demo;

import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.agent.StreamTiming;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
record QuestionTally(
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
  static QuestionTally of(List<QuestionResult> exchanges) {
    return new QuestionTally(
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
        count(exchanges, QuestionTally::firstDraftPassed));
  }

  /**
   * The first draft is what reaches B without sidecars: the same text through them was not
   * repaired.
   */
  private static boolean firstDraftPassed(QuestionResult exchange) {
    return exchange.item().character().partialAtFirst()
        && exchange.gated().reached()
        && exchange.gated().receivedText().equals(exchange.direct().receivedText());
  }

  private static boolean ends(QuestionResult exchange, String route) {
    return !exchange.drafts().isEmpty() && exchange.drafts().getLast().route().equals(route);
  }

  private static int count(
      List<QuestionResult> exchanges, java.util.function.Predicate<QuestionResult> predicate) {
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

  /**
   * When streams of answers that reached B brought what, as medians in ms since B asked; an answer
   * that was asked for several times counts with its last stream.
   *
   * @param streams how many there were
   * @param firstMs the first event
   * @param wordsMs the first words of the answer
   * @param lastMs the last event
   */
  record StreamMedians(int streams, long firstMs, long wordsMs, long lastMs) {
    /** Of these answers; empty if none of them was streamed. */
    static Optional<StreamMedians> of(List<Receipt> receipts) {
      List<StreamTiming> streams =
          receipts.stream()
              .filter(receipt -> receipt.reached() && !receipt.streams().isEmpty())
              .map(receipt -> receipt.streams().getLast())
              .filter(stream -> stream.wordsMs().isPresent())
              .toList();
      return streams.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new StreamMedians(
                  streams.size(),
                  median(streams.stream().map(StreamTiming::firstMs).toList()),
                  median(streams.stream().map(stream -> stream.wordsMs().orElseThrow()).toList()),
                  median(streams.stream().map(StreamTiming::lastMs).toList())));
    }

    private static long median(List<Long> values) {
      return values.stream().sorted().toList().get(values.size() / 2);
    }

    Map<String, Object> toMap() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("streams", streams);
      members.put("firstEventMs", firstMs);
      members.put("firstWordsMs", wordsMs);
      members.put("lastEventMs", lastMs);
      return members;
    }
  }
}
