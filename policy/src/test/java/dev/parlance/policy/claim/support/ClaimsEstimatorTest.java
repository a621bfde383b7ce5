package dev.parlance.policy.claim.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.Utf8Span;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimsEstimatorTest {
  private static final Vocabulary VOCABULARY = new Vocabulary(5);
  private static final String[] PAGE = {
    "The impeller of the pump must be replaced every 2000 operating hours.",
    "Switch the machine off before you remove the front cover.",
    "The red valve has to be closed first, then the blue one.",
    "The warranty lasts 24 months from the day of purchase.",
    "Old oil is collected by the dealer in Oslo free of charge.",
    "Children may not use the device alone.",
    "A filter costs 35 euros and a bearing 120 euros.",
    "The motor takes 12 kW at a pressure of 4 bar."
  };

  private final ClaimsEstimator estimator = new ClaimsEstimator(VOCABULARY);

  private ClaimFindings found(String answer, String... chunks) {
    return found(estimator, answer, chunks);
  }

  private static ClaimFindings found(ClaimsEstimator estimator, String answer, String... chunks) {
    return estimator.measure(message(answer, chunks)).claims().orElseThrow();
  }

  private static AgentMessage message(String answer, String... chunks) {
    List<Chunk> list = new ArrayList<>();
    for (String chunk : chunks) {
      list.add(new Chunk("c" + (list.size() + 1), Utf8Span.of(chunk)));
    }
    return new AgentMessage(
        Utf8Span.of(answer),
        Utf8Span.EMPTY,
        new Evidence(
            list.isEmpty() ? EvidenceSource.NONE : EvidenceSource.DECLARED,
            list,
            List.of(),
            OptionalDouble.empty(),
            List.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Does the file contain a virus?|The file does not contain a virus.|The file contains a"
            + " virus.",
        "Does the report mention fraud?|The report does not mention fraud.|The report mentions"
            + " fraud twice.",
        "Is there a data sheet?|There is no data sheet.|A data sheet is available on the website."
      })
  void denialOfWhatWasAsked_isToldWhereTheEvidenceAnswers(String texts) {
    String[] parts = texts.split("\\|");
    AgentMessage given = message(parts[1], parts[2]);
    AgentMessage asked = new AgentMessage(given.answer(), Utf8Span.of(parts[0]), given.evidence());

    ClaimFindings found = estimator.measure(asked).claims().orElseThrow();

    assertThat(found.notes()).contains(ClaimNote.ABSTAINS_WRONGLY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The status is y.\n|status: x\n",
        "It is enabled.\n|enabled: false\n",
        "Costs are 7 euros now.\n| 5 euros and 6 euros and",
        "It increases cost.\n|It reduces cost ",
        "There are 3 of: |Nothing is here.\n",
        "It costs 5 euros per day.\n|It costs 5 euros per trip.\n"
      })
  void textsMadeToCostMuch_costWhatTheirLengthDoes(String texts) {
    String[] parts = texts.split("\\|");
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();

    found(parts[0].repeat(4000), parts[1].repeat(4000));

    // A second at most; what grows with the square of the length takes minutes.
    assertThat(threads.getCurrentThreadCpuTime() - before).isLessThan(20_000_000_000L);
  }

  /** A text is its own key. */
  private static final class Whole implements KnownTexts.Key {
    private Utf8Span text = Utf8Span.EMPTY;
  }

  @Test
  void chunksThatWereReadBefore_giveTheSame_inWhateverOrderTheyCome() {
    Map<Utf8Span, ReadChunk> kept = new HashMap<>();
    KnownTexts<ReadChunk> known =
        new KnownTexts<>() {
          @Override
          public Key newKey() {
            return new Whole();
          }

          @Override
          public Optional<ReadChunk> find(Utf8Span text, Key key) {
            ((Whole) key).text = text.detached();
            return Optional.ofNullable(kept.get(text));
          }

          @Override
          public void keep(Key key, Supplier<ReadChunk> reading) {
            kept.put(((Whole) key).text, reading.get());
          }
        };
    List<String> chunks = new ArrayList<>(List.of(PAGE));
    chunks.add("");
    chunks.add("| Part | Price |\n| --- | --- |\n| filter | 35 EUR |\n| bearing | 120 EUR |");
    chunks.add("{\"pump\": {\"pressure_bar\": 4, \"power\": \"12 kW\"}, \"sold\": null}");
    chunks.add("We do <b>not</b> deliver on Sundays &amp; holidays.");
    ClaimsEstimator knowing = new ClaimsEstimator(VOCABULARY, known);
    Random random = new Random(3);
    for (int round = 0; round < 300; round++) {
      Collections.shuffle(chunks, random);
      String[] some = chunks.subList(0, random.nextInt(chunks.size())).toArray(String[]::new);
      String answer =
          PAGE[random.nextInt(PAGE.length)].replace("120", "125")
              + " The filter costs 120 euros. We deliver on Sundays. The pressure is 4 bar.";
      AgentMessage message = message(answer, some);
      assertThat(knowing.measure(message)).isEqualTo(estimator.measure(message));
    }
    assertThat(kept).hasSize(chunks.size());
  }

  @Test
  void quotes_areSupported_whateverStandsAround() {
    String page = String.join(" ", PAGE);
    for (String sentence : PAGE) {
      ClaimFindings found = found(sentence, page);
      assertThat(found.support()).as(sentence).isGreaterThan(0.7);
      assertThat(found.departures()).as(sentence).isEmpty();
    }
  }

  @Test
  void headings_thatSayOtherThings_areNoWayPast() {
    String page = PAGE[0];
    assertThat(found("## Pour acid into the tank\n" + page, page).support()).isLessThan(0.35);
    assertThat(found("## Comparison of warranty terms\n" + page, page).support())
        .isBetween(0.35, 0.5);
    assertThat(found("## Frequently asked questions\n" + page, page).support()).isGreaterThan(0.7);
    assertThat(found("## Summary and next steps\n" + page, page).support()).isGreaterThan(0.7);
    assertThat(found("## Impeller of the pump\n" + page, page).support()).isGreaterThan(0.7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Yes.", "No.", "Hello! Yes. I hope this helps.", "Ja."})
  void bareYesOrNo_isTold(String answer) {
    ClaimFindings found = found(answer, PAGE);
    assertThat(found.notes()).contains(ClaimNote.YES_NO).doesNotContain(ClaimNote.NO_CLAIM);
    assertThat(found.support()).isBetween(0.35, 0.5);
  }

  @Test
  void yesBesideASentence_isSupportedLikeThat() {
    assertThat(found("Yes. " + PAGE[0], PAGE).support()).isGreaterThan(0.7);
    assertThat(found("Yes. The moon is made of green cheese.", PAGE).support()).isLessThan(0.35);
  }

  @Test
  void abstaining_whereASentenceIsAboutWhatWasAsked_isNoted() {
    assertThat(asked("The material does not say.", "When must the impeller be replaced?").notes())
        .contains(ClaimNote.ABSTAINS, ClaimNote.ABSTAINS_WRONGLY);
    assertThat(asked("The material does not say.", "What does the impeller cost?").notes())
        .contains(ClaimNote.ABSTAINS)
        .doesNotContain(ClaimNote.ABSTAINS_WRONGLY);
  }

  private ClaimFindings asked(String answer, String question) {
    return estimator
        .measure(
            new AgentMessage(
                Utf8Span.of(answer),
                Utf8Span.of(question),
                new Evidence(
                    EvidenceSource.DECLARED,
                    List.of(new Chunk("c1", Utf8Span.of(PAGE[0]))),
                    List.of(),
                    OptionalDouble.empty(),
                    List.of())))
        .claims()
        .orElseThrow();
  }

  @Test
  void departures_areNamed_withWhatStandsInstead() {
    String page = String.join(" ", PAGE);
    ClaimFindings found = found("The warranty lasts 36 months from the day of purchase.", page);
    assertThat(found.departures()).containsExactly(Departure.NUMBER_CHANGED);
    assertThat(found.weak().getFirst().details().getFirst().said().text()).contains("36");
    assertThat(found.weak().getFirst().details().getFirst().instead().orElseThrow().text())
        .contains("24");
    assertThat(found("Children may use the device alone.", page).departures())
        .containsExactly(Departure.NEGATION_CHANGED);
  }

  @Test
  void theWeakestClaim_isTheAnswersSupport_repeatingAndPaddingDoNotRaiseIt() {
    String page = String.join(" ", PAGE);
    Random random = new Random(11);
    String bad = "The housing is made of titanium by a company in Chile.";
    double alone = found(bad, page).support();
    for (int round = 0; round < 60; round++) {
      List<String> sentences = new ArrayList<>();
      sentences.add(bad);
      for (int i = random.nextInt(12); i >= 0; i--) {
        sentences.add(random.nextInt(4) == 0 ? bad : PAGE[random.nextInt(PAGE.length)]);
      }
      Collections.shuffle(sentences, random);
      assertThat(found(String.join(" ", sentences), page).support()).isLessThanOrEqualTo(alone);
    }
  }

  @Test
  void aWordOrValueThatTheEvidenceDoesNotHave_neverRaisesSupport() {
    String page = String.join(" ", PAGE);
    Random random = new Random(12);
    String[] foreign = {"titanium", "Valparaiso", "quietly", "4711", "xylophone", "9 GHz"};
    for (int round = 0; round < 200; round++) {
      String[] words = PAGE[random.nextInt(PAGE.length)].split(" ");
      double before = found(String.join(" ", words), page).support();
      List<String> more = new ArrayList<>(List.of(words));
      more.add(random.nextInt(words.length), foreign[random.nextInt(foreign.length)]);
      String answer = String.join(" ", more);
      assertThat(found(answer, page).support()).as(answer).isLessThanOrEqualTo(before + 1e-12);
    }
  }

  @Test
  void orderOfChunks_andSeed_changeNothing() {
    ClaimsEstimator other = new ClaimsEstimator(new Vocabulary(99));
    Random random = new Random(13);
    for (int round = 0; round < 40; round++) {
      String answer =
          PAGE[random.nextInt(PAGE.length)].replace("2000", "200")
              + " "
              + PAGE[random.nextInt(PAGE.length)];
      List<String> chunks = new ArrayList<>(List.of(PAGE));
      double support = found(answer, chunks.toArray(new String[0])).support();
      assertThat(found(other, answer, chunks.toArray(new String[0])).support()).isEqualTo(support);
      Collections.shuffle(chunks, random);
      assertThat(found(answer, chunks.toArray(new String[0])).support()).isEqualTo(support);
    }
  }

  @Test
  void whatClaimsNothing_saysSo() {
    assertThat(found("I do not know.", PAGE).notes()).contains(ClaimNote.ABSTAINS);
    ClaimFindings greeting = found("Hello! How can I help you today?", PAGE);
    assertThat(greeting.isWithoutClaim()).isTrue();
    assertThat(greeting.notes()).contains(ClaimNote.NO_CLAIM);
    assertThat(found("Hello! Your refund of 900 dollars was sent.", PAGE).claims()).isEqualTo(1);
  }

  /** Not a bound on time: four times the text must not take more than some ten times as long. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "the valve ",
        "a1b2 ",
        "12,5 ",
        "não ",
        "。水泵",
        "[c1] ",
        ". ",
        "x",
        "no proof that it runs that the old pump runs. ",
        "Runs pump. No proof that old pumps, no proof that it heals that a pump ran there. ",
        "From: Rome\nTo: Bern\nFrom Bern to Rome. ",
        "The upper rack holds cups; the lower rack holds plates. The upper rack holds plates. ",
        "paid: 3; held: 7\n7 are paid, 3 held.\n",
        "Fees per month: 5 EUR. It costs 5 EUR per year. ",
        "Take it with food after lunch. Take it without food or with food before lunch. ",
        "It closes at 22, on Mondays at 18. On Mondays it closes at 22. ",
        "On Sundays the shop is open. The shop is closed on Sundays. Not closed, open shops. ",
        "Visitors must not smoke here. Visitors may smoke here unless they must not. ",
        "name: Anna; dept: Sales; city: Rome\n\n"
            + "name: Ben; dept: Legal; city: Bern\n\n"
            + "Anna is in Bern.\n",
        "甲方应向乙方支付，乙方应向甲方支付。",
        "甲乙甲乙乙甲",
        "ร้านเปิดปิดก่อนหลังวันจันทร์",
        "pool: false; wifi: true\n\nIt has a pool but no wifi.\n",
        "Required: id, a. Optional: b.\n\nThe id and the b are required.\n",
        "Ann: I am red.\nAuthor: Mia\nCreated by: Max Orr\n\nAnn can be red, created by Mia.\n",
        "Pets 5 EUR, cots free, not wifi, pets are free, cots 5 EUR, only wifi may not. ",
        "Only a may (b, required) on Monday, a or b may (optional), on Friday b is required. ",
        "It costs 14 euros per night. Three nights cost 42 euros, not 30 {c1}. ",
        "{\"amount\":15,\"currency\":\"EUR\"},\nIt is 15 USD until 5 May, from 6 May.\n"
      })
  void hostileTexts_takeLinearTime(String piece) {
    long small = cpuNs(piece.repeat((1 << 16) / piece.length()));
    long large = cpuNs(piece.repeat((1 << 18) / piece.length()));
    assertThat(large).isLessThan(12 * small + 400_000_000L);
  }

  /** The last sentence carries each claim, behind many others with the words that all have. */
  @Test
  void claimsOfASentenceFarBehind_takeLinearTime() {
    long small = cpuNsOfLastSentence(1_500);
    long large = cpuNsOfLastSentence(12_000);
    assertThat(large).isLessThan(24 * small + 400_000_000L);
  }

  private long cpuNsOfLastSentence(int claims) {
    String evidence = "The pump runs here. ".repeat(10 * claims) + "The quick zebra runs.";
    return cpuNs("The quick zebra. ".repeat(claims), evidence);
  }

  private long cpuNs(String text) {
    return cpuNs(text, text);
  }

  private long cpuNs(String answer, String evidence) {
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    found(answer, evidence);
    long before = threads.getCurrentThreadCpuTime();
    found(answer, evidence);
    return threads.getCurrentThreadCpuTime() - before;
  }
}
