package dev.parlance.control.round;

import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.ListComparer;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.TextComparison;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is critical between the texts of a round, for its seal. What was found between two texts is
 * kept for a while: the proposal that completes a round has to be compared with the others alone.
 */
final class TextDifferences {
  private static final int MAX_KEPT = 8_192;

  /** Most characters that a seal says of lists: with more, an entry would be too large. */
  private static final int MAX_LISTED = 32_000;

  private static final long SEED = 0x5EED;

  private final ListComparer comparer = new ListComparer(SEED);
  private final RoundTexts texts;

  /** Digests of two texts, the first before the second in order. */
  private record Pair(String first, String second) {}

  private final Map<Pair, ListComparer.Found> kept =
      new LinkedHashMap<>(256, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Pair, ListComparer.Found> eldest) {
          return size() > MAX_KEPT;
        }
      };

  TextDifferences(RoundTexts texts) {
    this.texts = texts;
    // What it reads at its first use is read before a member waits for it.
    var _ =
        comparer.between(
            "The seller may cancel within 14 days. The fee is paid.",
            "The seller must cancel within 30 days. The fee is paid.");
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
    if (spec.agreement() != Agreement.CRITICAL) {
      return new RoundEntry.Sealed(id, cause, nowMs);
    }
    TextComparison found = among(proposals, words(id, beside));
    return new RoundEntry.Sealed(
        id,
        cause,
        Optional.of(CriticalDifference.text(found.differences())),
        Optional.of(found.listed().text())
            .filter(text -> !text.isEmpty() && text.length() <= MAX_LISTED),
        nowMs);
  }

  /** Of the first proposal of each agent, where two give one verdict and have vectors. */
  private synchronized TextComparison among(List<Proposal> proposals, Map<String, String> words) {
    Map<String, Proposal> first = new TreeMap<>();
    for (Proposal proposal : proposals) {
      if (proposal.meaning() instanceof Meaning.Vector) {
        first.putIfAbsent(proposal.agent(), proposal);
      }
    }
    List<Proposal> all = List.copyOf(first.values());
    TextComparison.Pairs pairs = new TextComparison.Pairs();
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        Proposal one = all.get(i);
        Proposal other = all.get(j);
        if (one.verdict().equals(other.verdict())) {
          pairs.add(one.agent(), other.agent(), found(one, other, words));
        }
      }
    }
    return pairs.all();
  }

  private ListComparer.Found found(Proposal one, Proposal other, Map<String, String> words) {
    String a = one.textSha256();
    String b = other.textSha256();
    boolean isInOrder = a.compareTo(b) <= 0;
    Pair pair = isInOrder ? new Pair(a, b) : new Pair(b, a);
    ListComparer.Found known = kept.get(pair);
    if (known == null) {
      String here = words.get(pair.first);
      String there = words.get(pair.second);
      if (here == null || there == null) {
        Optional<String> kind =
            a.equals(b) ? Optional.empty() : Optional.of(CriticalDifference.UNREAD);
        return new ListComparer.Found(kind, List.of(), List.of(), List.of());
      }
      known = comparer.between(here, there);
      kept.put(pair, known);
    }
    return isInOrder ? known : known.turned();
  }
}
