package dev.parlance.control.round;

import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.RoundKey;
import dev.parlance.control.store.Store.RoundTextRow;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The words of proposals, and the vectors that were made of them. The first vector of a text is the
 * one: encoders on two machines may differ in the last digit, and an agent whose proposal is sent
 * twice must not look like one that says two things.
 */
final class RoundTexts {
  private static final byte[] NONE = {};
  private static final int SWEEP = 1_000;

  private final Store store;
  private final Duration kept;
  private final Queue<RoundId> endings = new ConcurrentLinkedQueue<>();

  RoundTexts(Store store, RoundsSettings settings) {
    this.store = store;
    this.kept = Duration.ofDays(settings.textRetentionDays());
  }

  /** Stores a text with its meaning; the meaning that counts is the one that was stored first. */
  Meaning put(RoundId id, String textSha256, String text, Meaning meaning) {
    RoundTextRow row =
        store.putRoundText(
            new RoundTextRow(
                key(id),
                textSha256,
                text.getBytes(StandardCharsets.UTF_8),
                meaning.code(),
                meaning instanceof Meaning.Vector(QuantVector vector) ? vector.toBytes() : NONE));
    return meaning(row);
  }

  /** What a text of a round means, if it is stored. */
  Optional<Meaning> meaning(RoundId id, String textSha256) {
    return store.roundTexts(key(id)).stream()
        .filter(row -> row.textSha256().equals(textSha256))
        .findFirst()
        .map(RoundTexts::meaning);
  }

  private static Meaning meaning(RoundTextRow row) {
    return switch (row.meaning()) {
      case "vector" ->
          new Meaning.Vector(
              QuantVector.ofBytes(row.vector())
                  .orElseThrow(() ->
                      new IllegalStateException(
                          "the store holds no vector under " + row.textSha256())));
      case "malformed" -> Meaning.MALFORMED;
      case "unencoded" -> Meaning.UNENCODED;
      default -> throw new IllegalStateException("no kind of meaning: " + row.meaning());
    };
  }

  /** Texts by their digest, as far as they are still there. */
  Map<String, String> of(RoundId id) {
    Map<String, String> texts = new HashMap<>();
    for (RoundTextRow row : store.roundTexts(key(id))) {
      texts.put(row.textSha256(), new String(row.text(), StandardCharsets.UTF_8));
    }
    return texts;
  }

  /** A round has ended; who waits for its outcome does not wait for this. */
  void ended(RoundId id) {
    if (kept.isZero()) {
      store.keepRoundTexts(key(id), kept);
      store.forgetRoundTexts();
    } else {
      endings.add(id);
    }
  }

  /** Notes which rounds have ended since the last call. */
  void settle() {
    for (RoundId id = endings.poll(); id != null; id = endings.poll()) {
      store.keepRoundTexts(key(id), kept);
    }
  }

  /** Forgets what is over, and sees to rounds whose end nobody could note. */
  void sweep(RoundJournal ledger) {
    for (RoundKey key : store.roundsWithTexts(SWEEP)) {
      boolean isOver =
          ledger
              .round(new RoundId(key.name(), key.epoch()))
              .flatMap(RoundRecord::outcome)
              .isPresent();
      if (isOver) {
        store.keepRoundTexts(key, kept);
      }
    }
    store.forgetRoundTexts();
  }

  private static RoundKey key(RoundId id) {
    return new RoundKey(id.round(), id.epoch());
  }
}
