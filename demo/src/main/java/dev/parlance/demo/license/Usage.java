package dev.parlance.demo.license;

import dev.parlance.demo.license.LicenseTerms.TermReading.Answer;
import dev.parlance.demo.license.LicenseTerms.Word;
import dev.parlance.policy.text.Sha256;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How one agent uses the vocabulary now. It answers from the text of an event alone, and like
 * everybody it errs now and then: on about one question in 2,000 it says the opposite of what it
 * means, always on the same ones.
 */
public final class Usage {
  private static final int ONE_ERROR_IN = 2_000;

  /** Share of the examples that an adopted reading must fit. */
  private static final double FITS = 0.9;

  private final String agent;
  private final Map<String, LicenseTerms.TermReading> readings = new ConcurrentHashMap<>();

  /**
   * A verdict of another agent, shown as an example of its use.
   *
   * @param text the event
   * @param answer assent or dissent
   */
  public record Example(String text, Answer answer) {}

  /**
   * An agent with the usual reading of every term.
   *
   * @param agent its id
   */
  public Usage(String agent) {
    this.agent = agent;
    LicenseTerms.words().forEach(word -> readings.put(word.text(), word.readings().getFirst()));
  }

  /** What the agent says of a term on an event; neutral of a term that it does not know. */
  public Answer answer(String term, String text) {
    LicenseTerms.TermReading reading = readings.get(term);
    if (reading == null) {
      return Answer.NEUTRAL;
    }
    Answer meant = reading.of(text);
    return errs(term, text) ? meant.opposite() : meant;
  }

  /** From now on the agent reads the term in the other way; empty if it knows no other. */
  public Optional<LicenseTerms.TermReading> drift(String term) {
    LicenseTerms.TermReading present = readings.get(term);
    return LicenseTerms.word(term)
        .flatMap(word ->
            word.readings().stream().filter(reading -> !reading.equals(present)).findFirst())
        .map(reading -> {
          readings.put(term, reading);
          return reading;
        });
  }

  /**
   * Takes over another agent's use if one of the readings that this agent knows fits it.
   *
   * @return the reading adopted; empty if none fits nine examples in ten
   */
  public Optional<LicenseTerms.TermReading> adopt(String term, List<Example> examples) {
    List<LicenseTerms.TermReading> known =
        LicenseTerms.word(term).map(Word::readings).orElse(List.of());
    Optional<LicenseTerms.TermReading> best = Optional.empty();
    long most = (long) Math.ceil(FITS * examples.size());
    for (LicenseTerms.TermReading reading : known) {
      long fitting =
          examples.stream()
              .filter(example -> reading.of(example.text()) == example.answer())
              .count();
      if (!examples.isEmpty() && fitting >= most && (fitting > most || best.isEmpty())) {
        best = Optional.of(reading);
        most = fitting;
      }
    }
    best.ifPresent(reading -> readings.put(term, reading));
    return best;
  }

  private boolean errs(String term, String text) {
    byte[] digest = Sha256.of(agent + "\n" + term + "\n" + text);
    return Integer.remainderUnsigned(ByteBuffer.wrap(digest).getInt(), ONE_ERROR_IN) == 0;
  }
}
