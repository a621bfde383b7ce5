package dev.parlance.control.round;

import dev.parlance.control.round.PairReader.Reading;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.policy.commit.ListComparer;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.TextComparer;
import dev.parlance.policy.commit.TextComparison;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is critical between the texts of a round, and what they list, for its seal: what the
 * comparison of words finds, and where there is a reader of pairs, its word on what that leaves
 * open.
 *
 * <pre>
 * comparison, reader:   same       contradicted   open            late, broken, another one
 * no difference         (none)     contradicted   (none)          reader_late, ...
 * other_wording         entailed   contradicted   other_wording   reader_late, ...
 * a difference          it is not asked: no word of it lifts one
 * </pre>
 *
 * What was found between two texts is kept for a while: the proposal that completes a round has to
 * be compared with the others alone.
 */
final class TextDifferences {
  private static final int MAX_KEPT = 8_192;

  /** Most characters that a seal says of lists: with more, an entry would be too large. */
  private static final int MAX_LISTED = 32_000;

  /** Some 5 MB that are read once, for all control planes of a process. */
  private static final Vocabulary WORDS = new Vocabulary(0x5EED);

  private static final String CONTRADICTED = "contradicted";
  private static final String READER_LATE = "reader_late";
  private static final String READER_BROKEN = "reader_broken";
  private static final String READER_ABSENT = "reader_absent";

  private final ListComparer comparer = new ListComparer(WORDS);
  private final RoundTexts texts;
  private final Optional<PairReader> reader;

  /** Digests of two texts, the first before the second in order. */
  private record Pair(String first, String second) {
    static Pair of(Proposal one, Proposal other) {
      String a = one.textSha256();
      String b = other.textSha256();
      return a.compareTo(b) <= 0 ? new Pair(a, b) : new Pair(b, a);
    }
  }

  private final Map<Pair, ListComparer.Found> kept = latest();

  /** What the reader said, where it has. */
  private final Map<Pair, Reading> readings = Collections.synchronizedMap(latest());

  TextDifferences(RoundTexts texts, Optional<PairReader> reader) {
    this.texts = texts;
    this.reader = reader;
    // What it reads at its first use is read before a member waits for it.
    var _ =
        comparer.between(
            "The seller may cancel within 14 days. The fee is paid.",
            "The seller must cancel within 30 days. The fee is paid.");
  }

  /** As many as are kept, those that were asked for last. */
  private static <V> Map<Pair, V> latest() {
    return new LinkedHashMap<>(256, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Pair, V> eldest) {
        return size() > MAX_KEPT;
      }
    };
  }

  /** The proposal of a round that goes on has come: what it differs in from those before it. */
  void prepare(RoundEntry.Opened opened, List<Proposal> proposals, Map<String, String> beside) {
    if (opened.spec().agreement() == Agreement.CRITICAL) {
      var _ = among(opened, proposals, words(opened.id(), beside));
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
      RoundEntry.Opened opened,
      List<Proposal> proposals,
      Map<String, String> beside,
      SealCause cause,
      long nowMs) {
    if (opened.spec().agreement() != Agreement.CRITICAL) {
      return new RoundEntry.Sealed(opened.id(), cause, nowMs);
    }
    TextComparison found = among(opened, proposals, words(opened.id(), beside));
    return new RoundEntry.Sealed(
        opened.id(),
        cause,
        Optional.of(CriticalDifference.text(found.differences())),
        Optional.of(found.listed().text())
            .filter(text -> !text.isEmpty() && text.length() <= MAX_LISTED),
        nowMs);
  }

  /** Of the first proposal of each agent, where two give one verdict and have vectors. */
  private TextComparison among(
      RoundEntry.Opened opened, List<Proposal> proposals, Map<String, String> words) {
    long nowNs = System.nanoTime();
    long untilNs = reader.map(it -> it.patienceFrom(nowNs)).orElse(nowNs);
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
          ListComparer.Found found = compared(one, other, words);
          pairs.add(
              one.agent(),
              other.agent(),
              opened
                  .readerSha256()
                  .map(sha256 -> read(sha256, one, other, words, found, untilNs))
                  .orElse(found));
        }
      }
    }
    return pairs.all();
  }

  /** The comparison, which is for one thread at a time. */
  private synchronized ListComparer.Found compared(
      Proposal one, Proposal other, Map<String, String> words) {
    String a = one.textSha256();
    String b = other.textSha256();
    boolean isInOrder = a.compareTo(b) <= 0;
    Pair pair = Pair.of(one, other);
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

  /** What was found, and what the reader says of it that the round was opened with. */
  private ListComparer.Found read(
      String readerSha256,
      Proposal one,
      Proposal other,
      Map<String, String> words,
      ListComparer.Found found,
      long untilNs) {
    boolean isOpen =
        found.kind().isEmpty() || found.kind().get().equals(TextComparer.OTHER_WORDING);
    Pair pair = Pair.of(one, other);
    if (!isOpen || pair.first.equals(pair.second)) {
      return found;
    }
    String here = words.get(pair.first);
    String there = words.get(pair.second);
    if (reader.isEmpty()
        || !reader.get().manifestSha256().equals(readerSha256)
        || here == null
        || there == null) {
      return parted(found, READER_ABSENT);
    }
    Reading known = readings.get(pair);
    Reading reading = known == null ? reader.get().read(here, there, untilNs) : known;
    return switch (reading) {
      case SAME -> {
        readings.put(pair, reading);
        yield found.kind().isEmpty() ? found : parted(found, CriticalDifference.ENTAILED);
      }
      case CONTRADICTED -> {
        readings.put(pair, reading);
        yield parted(found, CONTRADICTED);
      }
      case OPEN -> {
        readings.put(pair, reading);
        yield found;
      }
      case LATE -> parted(found, READER_LATE);
      case BROKEN -> parted(found, READER_BROKEN);
    };
  }

  /** Of the whole texts, so that nothing that they list counts. */
  private static ListComparer.Found parted(ListComparer.Found found, String kind) {
    return new ListComparer.Found(Optional.of(kind), found.first(), found.second(), List.of());
  }
}
