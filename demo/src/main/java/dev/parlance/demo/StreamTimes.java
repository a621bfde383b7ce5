package dev.parlance.demo;

import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.agent.Streamed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * When streams of answers that reached B brought what, as medians in ms since B asked; an answer
 * that was asked for several times counts with its last stream.
 *
 * @param streams how many there were
 * @param firstMs the first event
 * @param wordsMs the first words of the answer
 * @param lastMs the last event
 */
record StreamTimes(int streams, long firstMs, long wordsMs, long lastMs) {
  /** Of these answers; empty if none of them was streamed. */
  static Optional<StreamTimes> of(List<Receipt> receipts) {
    List<Streamed> streams =
        receipts.stream()
            .filter(receipt -> receipt.reached() && !receipt.streams().isEmpty())
            .map(receipt -> receipt.streams().getLast())
            .filter(stream -> stream.wordsMs().isPresent())
            .toList();
    return streams.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StreamTimes(
                streams.size(),
                median(streams.stream().map(Streamed::firstMs).toList()),
                median(streams.stream().map(stream -> stream.wordsMs().orElseThrow()).toList()),
                median(streams.stream().map(Streamed::lastMs).toList())));
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
