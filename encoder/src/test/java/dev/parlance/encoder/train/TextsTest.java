package dev.parlance.encoder.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.encoder.train.Claim.Mood;
import dev.parlance.encoder.train.ClaimWords.Domain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextsTest {
  @ParameterizedTest
  @CsvSource({
    "repair, repairs, repaired, repairing",
    "pay:paid for, pays for, paid for, paying for",
    "give:gave:given back, gives back, given back, giving back",
    "put!:put together, puts together, put together, putting together",
    "stop!, stops, stopped, stopping",
    "copy, copies, copied, copying",
    "wash, washes, washed, washing",
    "oversee:oversaw:overseen, oversees, overseen, overseeing"
  })
  void verbsAreInflected(String text, String third, String participle, String gerund) {
    Verb verb = Verb.parse(text);

    assertThat(verb.third()).isEqualTo(third);
    assertThat(verb.participle()).isEqualTo(participle);
    assertThat(verb.gerund()).isEqualTo(gerund);
  }

  @Test
  void thePartsShareNoNounTemplateNameOrNumber() throws Exception {
    ClaimWords vocabulary = ClaimWords.read();
    SplittableRandom random = new SplittableRandom(2);
    List<Set<String>> parts = new ArrayList<>();
    for (Split split : Split.values()) {
      Set<String> owned = new HashSet<>();
      for (Domain domain : vocabulary.domainsOf(split)) {
        domain.people().forEach(noun -> owned.addAll(noun.words()));
        domain.things().forEach(noun -> owned.addAll(noun.words()));
      }
      for (Mood mood : Mood.values()) {
        owned.addAll(vocabulary.templates().under(mood.label() + " " + split.label()));
      }
      for (int i = 0; i < 500; i++) {
        owned.addAll(ClaimSource.ClaimNames.draw(split, random).words());
        owned.add(Integer.toString(Numbers.draw(split, random)));
      }
      parts.add(owned);
    }
    for (int i = 0; i < parts.size(); i++) {
      for (int j = 0; j < i; j++) {
        Set<String> shared = new HashSet<>(parts.get(i));
        shared.retainAll(parts.get(j));
        assertThat(shared).isEmpty();
      }
    }
  }

  @Test
  void noPlaceholderIsLeftInAnyText() throws Exception {
    TrainingCorpus corpus = TrainingCorpus.read(Path.of("../LICENSE"));
    for (Split split : Split.values()) {
      HeldOut.of(corpus, split)
          .pairs()
          .values()
          .forEach(pairs ->
              assertThat(pairs)
                  .allSatisfy(pair -> {
                    assertThat(pair.first()).doesNotContain("{", "}", "*", "  ");
                    assertThat(pair.second()).doesNotContain("{", "}", "*", "  ");
                  }));
    }
  }

  @Test
  void theSameSeedGivesTheSameTexts() throws Exception {
    TrainingCorpus corpus = TrainingCorpus.read(Path.of("../LICENSE"));
    TrainingCorpus.Training first = corpus.training(5);
    TrainingCorpus.Training second = corpus.training(5);
    for (int i = 0; i < 200; i++) {
      assertThat(first.next()).isEqualTo(second.next());
    }
  }

  @Test
  void theLicenceGivesSentencesToEveryPart() throws Exception {
    LicenceSentences sentences = TrainingCorpus.read(Path.of("../LICENSE")).sentences();

    assertThat(sentences.of(Split.TRAIN)).hasSizeGreaterThan(15);
    assertThat(sentences.of(Split.TEST))
        .anySatisfy(sentence -> assertThat(sentence).contains("In no event"));
  }
}
