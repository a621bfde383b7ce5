package dev.parlance.loadtest.bench;

import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LicenseText;
import dev.parlance.loadtest.load.SampleExchange;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreCheck;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.CoreState;
import dev.parlance.policy.core.CoreVersion;
import dev.parlance.policy.core.GovernedTerm;
import dev.parlance.policy.core.GovernedTerms;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Grounding;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Messages and a vocabulary for measuring the core guard, and what the gate does with them: the
 * same calls in the same order, on one thread.
 *
 * <p>The messages are those of {@link ExchangeCorpus}. The vocabulary is made of their own words,
 * so that nearly every token of a message is a word of a large vocabulary: phrases of one to four
 * words that stand in the text, and, where those are too few, random ones of two to four of its
 * words.
 */
public final class GuardWorkload {
  private static final long SEED = 0x5eed_2026_1121L;

  /** How much of a message is the text that an agent says, the rest being evidence. */
  enum Said {
    /** As in the load test: about a seventh of the body. */
    ANSWER,
    /** All of its evidence over again, so that the guard reads about as much as the judge. */
    ALL;

    String code() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Said ofCode(String code) {
      return valueOf(code.toUpperCase(Locale.ROOT));
    }
  }

  private final List<AgentMessage> messages;
  private final GovernedTerms terms;
  private final HeldCore held;
  private final Judge judge = new Judge(new TokenOverlapEstimator(SEED));
  private final NormalizedText text = new NormalizedText();
  private final TermHits hits = new TermHits();
  private int next;

  /**
   * A workload.
   *
   * @param plan the exchanges whose answers are the messages
   * @param said how much of each an agent says
   * @param vocabulary how many terms are governed
   */
  GuardWorkload(CorpusPlan plan, Said said, int vocabulary) {
    List<SampleExchange> exchanges = ExchangeCorpus.build(plan);
    messages = exchanges.stream().map(exchange -> message(exchange, said)).toList();
    CertifiedCore core =
        new CertifiedCore(
            List.of("alice", "bob"),
            "license",
            1,
            0,
            CertificationParams.DEFAULT,
            governed(vocabulary),
            0);
    terms = GovernedTerms.of(core, SEED);
    held =
        new HeldCore(
            core.domain(),
            Optional.of("bob"),
            CoreState.FRESH,
            List.of(new CoreVersion(core.id(), core.version())),
            0);
  }

  private static AgentMessage message(SampleExchange exchange, Said said) {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < exchange.context().size(); i++) {
      chunks.add(new Chunk("c" + (i + 1), Utf8Span.of(exchange.context().get(i))));
    }
    String answer =
        switch (said) {
          case ANSWER -> exchange.answer();
          case ALL -> exchange.answer() + " " + String.join(" ", exchange.context());
        };
    return new AgentMessage(
        Utf8Span.of(answer),
        Utf8Span.of(exchange.question()),
        new Evidence(
            EvidenceSource.DECLARED, chunks, List.of(), OptionalDouble.empty(), List.of()));
  }

  /** Nine of ten terms are certified. */
  private static List<GovernedTerm> governed(int count) {
    List<GovernedTerm> governed = new ArrayList<>();
    for (String key : LicenseText.termKeys(count)) {
      TermStatus status = governed.size() % 10 == 9 ? TermStatus.REFUSED : TermStatus.CERTIFIED;
      governed.add(new GovernedTerm(key, status, Optional.empty()));
    }
    return governed;
  }

  /** Judges the next message without a guard. */
  Verdict judge() {
    return judge(nextMessage(), Optional.empty());
  }

  /** Judges the next message, and holds it against the core as the gate does. */
  Verdict judgeAndGuard() {
    AgentMessage message = nextMessage();
    return judge(message, Optional.of(check(message)));
  }

  /** Only holds the next message against the core. */
  CoreCheck guard() {
    return check(nextMessage());
  }

  private Verdict judge(AgentMessage message, Optional<CoreCheck> check) {
    return judge.judge(message, Profiles.DEFAULT, 0, Grounding.REQUIRED, false, check);
  }

  private CoreCheck check(AgentMessage message) {
    hits.clear();
    text.set(message.answer());
    terms.matcher().scan(text, hits);
    text.release();
    return new CoreCheck(CoreGuard.check(held, terms, hits), GuardPolicy.CONSEQUENTIAL);
  }

  private AgentMessage nextMessage() {
    next = next + 1 == messages.size() ? 0 : next + 1;
    return messages.get(next);
  }

  /** Mean size of what the guard reads. */
  double bytesSaid() {
    return messages.stream().mapToInt(message -> message.answer().length()).average().orElse(0);
  }

  /** Memory that the compiled vocabulary takes for each of its terms, without their statuses. */
  double bytesPerTerm() {
    return (double) terms.matcher().memoryBytes() / terms.size();
  }
}
