package dev.parlance.demo;

import dev.parlance.demo.debate.ProofStatus;
import java.util.List;
import java.util.Optional;

/**
 * The same claims, decided twice by the same minds.
 *
 * @param plain without the lexicon
 * @param coined with it
 * @param warmUp claims that were decided until the last term had been coined
 */
record DecidedTwice(Held plain, Held coined, int warmUp) {
  /**
   * How a conversation went.
   *
   * @param verdicts by claim; empty where there was none
   * @param tokens of what was said, by claim, and of the report at the end
   * @param messages how many there were
   * @param aboutTerms tokens in lines that coin, challenge or repair
   * @param shown tokens of blocks of known terms that agents were shown besides
   */
  record Held(
      List<Optional<ProofStatus>> verdicts,
      List<Integer> tokens,
      int messages,
      int aboutTerms,
      int shown) {
    /** Copies the lists. */
    Held {
      verdicts = List.copyOf(verdicts);
      tokens = List.copyOf(tokens);
    }

    /** Tokens of all that was said. */
    int said() {
      return saidAfter(0);
    }

    private int saidAfter(int claims) {
      return tokens.stream().skip(claims).mapToInt(Integer::intValue).sum();
    }
  }

  /** Tokens said without the lexicon from when the last term is there with it. */
  int plainAfterwards() {
    return plain.saidAfter(warmUp);
  }

  /** Tokens said with the lexicon from then on. */
  int coinedAfterwards() {
    return coined.saidAfter(warmUp);
  }
}
