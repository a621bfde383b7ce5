package dev.parlance.control.round;

import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.TextComparer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is critical between the texts of a round, for its seal. What was found between two texts is
 * kept for a while: the proposal that completes a round has to be compared with the others alone.
 */
final class TextDifferences {
  private static final int MAX_KEPT = 8_192;
  private static final String NONE = "";
  private static final long SEED = 0x5EED;

  private final TextComparer comparer = new TextComparer(SEED);
  private final RoundTexts texts;

  private final Map<String, String> kept =
      new LinkedHashMap<>(256, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MAX_KEPT;
        }
      };

  TextDifferences(RoundTexts texts) {
    this.texts = texts;
    // What it reads at its first use is read before a member waits for it.
    var _ =
        comparer.between(
            "The seller may cancel within 14 days.", "The seller must cancel within 30 days.");
  }

  /** The proposal of a round that goes on has come: what it differs in from those before it. */
  void prepare(RoundId id, RoundSpec spec, List<Proposal> proposals, Map<String, String> beside) {
    if (spec.agreement() == Agreement.CRITICAL) {
      var _ = among(proposals, words(id, beside));
    }
  }

  /** Texts that are stored, and those that are on the way there. */
  private Map<String, String> words(RoundId id, Map<String, String> beside) {
    Map<String, String> words = new HashMap<>(texts.of(id));
    words.putAll(beside);
    return words;
  }

  /**
   * The seal of a round with these proposals.
   *
   * @param beside texts by digest that may not be stored yet
   */
  RoundEntry.Sealed seal(
      RoundId id,
      RoundSpec spec,
      List<Proposal> proposals,
      Map<String, String> beside,
      SealCause cause,
      long nowMs) {
    Optional<String> differs =
        spec.agreement() == Agreement.CRITICAL
            ? Optional.of(CriticalDifference.text(among(proposals, words(id, beside))))
            : Optional.empty();
    return new RoundEntry.Sealed(id, cause, differs, nowMs);
  }

  /** Of the first proposal of each agent, where two give one verdict and have vectors. */
  private synchronized List<CriticalDifference> among(
      List<Proposal> proposals, Map<String, String> words) {
    Map<String, Proposal> first = new LinkedHashMap<>();
    for (Proposal proposal : proposals) {
      if (proposal.meaning() instanceof Meaning.Vector) {
        first.putIfAbsent(proposal.agent(), proposal);
      }
    }
    List<Proposal> all = List.copyOf(first.values());
    List<CriticalDifference> found = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        Proposal one = all.get(i);
        Proposal other = all.get(j);
        String kind = one.verdict().equals(other.verdict()) ? kind(one, other, words) : NONE;
        if (!kind.equals(NONE)) {
          found.add(CriticalDifference.between(one.agent(), other.agent(), kind));
        }
      }
    }
    return found;
  }

  private String kind(Proposal one, Proposal other, Map<String, String> words) {
    String a = one.textSha256();
    String b = other.textSha256();
    if (a.equals(b)) {
      return NONE;
    }
    String pair = a.compareTo(b) < 0 ? a + b : b + a;
    String known = kept.get(pair);
    if (known != null) {
      return known;
    }
    String here = words.get(a);
    String there = words.get(b);
    if (here == null || there == null) {
      return CriticalDifference.UNREAD;
    }
    String kind = comparer.between(here, there).map(TextComparer.Found::kind).orElse(NONE);
    kept.put(pair, kind);
    return kind;
  }
}
