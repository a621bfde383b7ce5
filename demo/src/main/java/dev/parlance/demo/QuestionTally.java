package dev.parlance.demo;

import dev.parlance.demo.agent.Receipt;
import java.util.List;
import java.util.Optional;

/**
 * The counts at the end, named as in the report. All are counted from what was received and
 * decided.
 *
 * @param questions questions asked
 * @param drafts drafts judged
 * @param executed answers delivered as they were
 * @param repaired of those, answers that were sent back at least once before
 * @param warned answers delivered with a warning
 * @param held answers held for a person
 * @param givenUp questions that B gave up, because every draft was sent back to it
 * @param ungrounded questions that the scholar answers without ground
 * @param ungroundedReachedWithoutParlance of those, answers that reached B without sidecars
 * @param ungroundedReachedWithParlance of those, answers that reached B through the sidecars
 * @param unfinished questions whose first draft is half true
 * @param unfinishedReachedWithoutParlance first drafts of that kind that reached B without sidecars
 * @param unfinishedReachedWithParlance first drafts of that kind that reached B through the
 *     sidecars
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
    int ungroundedReachedWithoutParlance,
    int ungroundedReachedWithParlance,
    int unfinished,
    int unfinishedReachedWithoutParlance,
    int unfinishedReachedWithParlance) {
  static QuestionTally of(List<QuestionResult> results) {
    return new QuestionTally(
        results.size(),
        results.stream().mapToInt(result -> result.drafts().size()).sum(),
        count(results, e -> ends(e, "execute")),
        count(results, e -> ends(e, "execute") && e.drafts().size() > 1),
        count(results, e -> ends(e, "warn")),
        count(results, e -> ends(e, "yield")),
        count(results, e -> ends(e, "regenerate") && !e.gated().reached()),
        count(results, e -> e.item().groundTruthUngrounded()),
        count(results, e -> e.item().groundTruthUngrounded() && e.direct().reached()),
        count(results, e -> e.item().groundTruthUngrounded() && e.gated().reached()),
        count(results, e -> e.item().character().partialAtFirst()),
        count(results, e -> e.item().character().partialAtFirst() && e.direct().reached()),
        count(results, QuestionTally::firstDraftPassed));
  }

  /**
   * The first draft is what reaches B without sidecars: the same text through them was not
   * repaired.
   */
  private static boolean firstDraftPassed(QuestionResult result) {
    return result.item().character().partialAtFirst()
        && result.gated().reached()
        && result.gated().receivedText().equals(result.direct().receivedText());
  }

  private static boolean ends(QuestionResult result, String route) {
    return !result.drafts().isEmpty() && result.drafts().getLast().route().equals(route);
  }

  private static int count(
      List<QuestionResult> results, java.util.function.Predicate<QuestionResult> predicate) {
    return (int) results.stream().filter(predicate).count();
  }

  /**
   * When streams of answers that reached B brought what, as medians in ms since B asked; an answer
   * that was asked for several times counts with its last stream.
   *
   * @param streams how many there were
   * @param firstEventMs the first event
   * @param firstWordsMs the first words of the answer
   * @param lastEventMs the last event
   */
  record StreamMedians(int streams, long firstEventMs, long firstWordsMs, long lastEventMs) {
    /** Of these answers; empty if none of them was streamed. */
    static Optional<StreamMedians> of(List<Receipt> receipts) {
      List<Receipt.StreamTiming> streams =
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
                  median(streams.stream().map(Receipt.StreamTiming::firstMs).toList()),
                  median(streams.stream().map(stream -> stream.wordsMs().orElseThrow()).toList()),
                  median(streams.stream().map(Receipt.StreamTiming::lastMs).toList())));
    }

    private static long median(List<Long> values) {
      return values.stream().sorted().toList().get(values.size() / 2);
    }
  }
}
