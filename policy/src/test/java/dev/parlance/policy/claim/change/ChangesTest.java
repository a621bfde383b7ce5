package dev.parlance.policy.claim.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.ValueLexicon;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.text.Utf8Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangesTest {
  private static final Set<String> DENIES = Set.of("not", "never", "no", "不要");
  private static final Set<String> MARKS = Set.of(".", ",", ";");

  private static final int SEED = 11;
  private static final ValueLexicon LEXICON = ValueLexicon.load(SEED);
  private static final Thesaurus THESAURUS = Thesaurus.load(new Units(SEED)::keyOf);
  private static final CriticalWords CRITICAL = CriticalWords.load(new Units(SEED)::keyOf);
  private static final NormWords NORMS = new NormWords(new Units(SEED)::keyOf);
  private static final FrameWords FRAMES = new FrameWords(new Units(SEED)::keyOf);

  private final Units answer = new Units(SEED);
  private final Units chunk = new Units(SEED);
  private final Values answerValues = new Values(LEXICON);
  private final Values evidenceValues = new Values(LEXICON);
  private final Changes changes =
      new Changes(
          answer,
          answerValues,
          evidenceValues,
          new ValueComparison(LEXICON),
          THESAURUS,
          CRITICAL,
          NORMS,
          FRAMES);

  private void evidence(List<String> chunks) {
    changes.clear();
    evidenceValues.clear();
    for (String text : chunks) {
      Utf8Span span = Utf8Span.of(text);
      chunk.read(span);
      evidenceValues.add(span, chunk);
      changes.add(chunk, span);
    }
    changes.build();
  }

  /** The changes of all sentences of an answer: the kind, what is said, what evidence has. */
  private List<String> changes(String text, List<String> chunks) {
    Utf8Span span = Utf8Span.of(text);
    answer.read(span);
    evidence(chunks);
    answerValues.read(span, answer);
    List<String> found = new ArrayList<>();
    for (int sentence = 0; sentence < answer.sentences(); sentence++) {
      int count = changes.find(span, answer.first(sentence), answer.after(sentence), c -> true);
      for (int i = 0; i < count; i++) {
        Utf8Span from = Utf8Span.of(chunks.get(changes.chunk(i)));
        int at = changes.evidenceStart(i);
        found.add(
            changes.kind(i)
                + ": "
                + span.slice(changes.start(i), changes.end(i) - changes.start(i))
                + " / "
                + from.slice(at, changes.evidenceEnd(i) - at));
      }
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NEGATION|The valve must be closed at night.|The valve must not be closed at night.",
        "NEGATION|The guard was not fitted by the maker.|The guard was fitted by the maker.",
        "NEGATION|The pump couldn't be started in the cold.|The pump could be started in the cold.",
        "NEGATION|The shop in Oslo sells spare seals.|The shop in Oslo never sells spare seals.",
        "NEGATION|Das Ventil ist im Winter geschlossen.|Das Ventil ist im Winter nicht"
            + " geschlossen.",
        "NEGATION|ต้องเปลี่ยนใบพัดทุกสองพันชั่วโมง|ไม่ต้องเปลี่ยนใบพัดทุกสองพันชั่วโมง",
        "NEGATION|ควรเปิดฝาครอบก่อนทำความสะอาด|อย่าเปิดฝาครอบก่อนทำความสะอาด",
        "NEGATION|この製品は防水ではありません。|この製品は防水です。",
        "NEGATION|检查时请先切断电源，然后取下盖板。|检查时不要切断电源，然后取下盖板。",
        "NEGATION|The pass is not valid on Sundays.|The pass is valid on Sundays.",
        "NEGATION|No cubre daños causados por el agua.|Cubre daños causados por el agua.",
        "NEGATION|Opening hours. Nie wysyłamy za granicę.|Wysyłamy za granicę.",
        "NEGATION|Not available in the north region.|Yes: available in the north region.",
        "NEGATION|Not all cabins have a window.|All cabins have a window.",
        "NEGATION|No parking in the yard on Sundays.|Parking in the yard is allowed on Sundays.",
        "NEGATION|The clerk, not the baker, pays for the hall.|The baker pays for the hall.",
        "NEGATION|The sauna is open daily except Mondays.|The sauna is open on Mondays.",
        "NEGATION|All dogs except guide dogs pay 5 euros.|Guide dogs pay 5 euros.",
        "NEGATION|Pas de photos avec flash.|Photos avec flash.",
        "NEGATION|The hall was old and never sold to the town.|The hall was sold to the town.",
        "NEGATION|It opens with the red key, not with the blue key.|It opens with the blue key.",
        "NEGATION|请不要打开盖子。|打开盖子。",
        "NEGATION|Das Gerät läuft nachts nicht, sagt sie.|Das Gerät läuft nachts.",
        "NEGATION|Kahvaltı fiyata dahil değil.|Kahvaltı fiyata dahil.",
        "NEGATION|本保险不包括水损。|包括水损。",
        "QUANTIFIER|All members of the crew were trained.|Some members of the crew were trained.",
        "MODALITY|The filter must be cleaned every week.|The filter may be cleaned every week.",
        "DATE|The hall opens on Monday at noon.|The hall opens on Friday at noon.",
        "DATE|The fair was held in late March there.|The fair was held in late August there.",
        "UNIT|The tank holds about ten litres of oil.|The tank holds about ten gallons of oil.",
        "UNIT|Prices rose by some 3% in the spring.|Prices rose by some 3‰ in the spring.",
        "UNIT|The firm paid $15 for each of them.|The firm paid £15 for each of them.",
        "VALUE|The hall has 250 seats in the stalls.|The hall has 22 seats in the stalls.",
        "VALUE|The dose is 5.0 mg twice a day.|The dose is 0.5 mg twice a day.",
        "VALUE|Mix the resin and the hardener 1:4.|Mix the resin and the hardener 4:1.",
        "VALUE|Use the seal at less than 80 °C only.|Use the seal at more than 80 °C only.",
        "VALUE|The pump has 12 seals and 4 screws.|The pump has 4 seals and 12 screws.",
        "VALUE|Store the oil in the hall at -20 °C there.|Store the oil in the hall at 20 °C"
            + " there.",
        "DATE|The lease of the hall ends on 2026-01-09.|The lease of the hall ends on 2026-09-01.",
        "DATE|The hall was sold to the town in March 2012.|The hall was sold to the town in March"
            + " 15.",
        "NAME|The prize went to Vera Holm of Bergen.|The prize went to Vera Lund of Bergen.",
        "NAME|Tromso lies to the north of the circle.|Narvik lies to the north of the circle.",
        "NAME|The ferry sails at dawn to Stavanger.|The ferry sails at dawn to Kristiansand.",
        "ANTONYM|The price of copper increased last week.|The price of copper decreased last week.",
        "ANTONYM|Wait until after the lamp goes out.|Wait until before the lamp goes out.",
        "ANTONYM|The red valve must be closed first.|Yes, the blue valve must be closed first.",
        "ROLES|The Arctic Council met the Baltic League in May.|The Baltic League met the Arctic"
            + " Council in May.",
        "ROLES|Start the pump before you open the valve.|Open the valve before you start the pump.",
        "ROLES|The hall belongs to the Nordic Trade Union now.|The hall belongs to the Trade Nordic"
            + " Union now.",
        "ROLES|The clerk paid the baker on the same day.|The baker paid the clerk on the same day.",
      })
  void aChangeIsFound(ChangeKind kind, String evidence, String claim) {
    assertThat(changes(claim, List.of(evidence)))
        .isNotEmpty()
        .anyMatch(change -> change.startsWith(kind + ": "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "The pump was not started in the cold.|The pump wasn't started in the cold.",
        "They have not found any trace of oil.|They have found no trace of oil.",
        "The firm began to build large pumps here.|The firm started to build big pumps here.",
        "In 2015, the hall was sold to the town of Bergen.|The hall was sold to the town of Bergen"
            + " in 2015.",
        "The hall (built by monks) was sold to the town.|The hall was sold to the town.",
        "The clerk said the hall had been sold to the town.|The clerk stated the hall had been sold"
            + " to the town.",
        "She won the prize of the town twice.|Vera Holm won the prize of the town twice.",
        "The seals also were changed by the crew.|The seals were also changed by the crew.",
        "Vera Holm and Per Lund run the shop in Oslo.|Per Lund and Vera Holm run the shop in Oslo.",
        "The hall is in the east, and the museum is open.|the museum is open",
        "The pumps are made by a firm in Norway since then.|The pump is made by a Norwegian firm"
            + " since then.",
        "The hall was sold to the town for $1,200 then.|The hall was sold to the town for $1200"
            + " then.",
        "The crew of 12 was trained in the hall.|The crew of twelve was trained in the hall.",
        "The hall opens at 18:10 on the first day.|The hall opens at 6.10 pm on the first day.",
        "The engine gives 12kW at full load.|The engine gives 12 kW at full load.",
        "The firm moved to the United States in May.|The firm moved to the US in May.",
        "It was given the No. 1 spot of the season.|It was given the number one spot of the"
            + " season.",
        "Is the hall open? No, the museum is open.|The museum is open.",
        "If it is not, open the red valve.|Open the red valve.",
        "The valve is not open. The valve is open at night.|The valve is open at night.",
        "No. 5 is the red valve.|5 is the red valve.",
        "No parking in the yard on Sundays.|Parking in the yard on Sundays is forbidden.",
        "No parking in the yard on Sundays.|Parking in the yard on Sundays is not permitted.",
        "The sauna is open daily except Mondays.|The sauna is closed on Mondays.",
        "No minors are admitted to the bar.|Minors are excluded from the bar.",
        "The clerk, not the baker, pays for the hall.|The clerk pays for the hall.",
        "The key costs not 5 but 10 euros at the desk.|The key costs 10 euros at the desk.",
        "Si no llueve, el concierto es en el patio.|El concierto es en el patio si no llueve.",
        "O museu abre no domingo às 10h e fecha às 18h.|O museu abre às 10h e fecha às 18h.",
        "Das Freibad öffnet im Mai um 9 Uhr.|Das Freibad öffnet um 9 Uhr.",
        "Le prix par personne est de 60 euros.|Le prix est de 60 euros.",
        "Es gibt noch freie Plätze am Montag.|Es gibt freie Plätze am Montag.",
        "Open it at night or not at all; it is red.|It is red.",
        "The lamp goes out. The hall is not open.|According to the guide, the hall is not open.",
      })
  void whatSaysTheSamePasses(String evidence, String claim) {
    assertThat(changes(claim, List.of(evidence))).isEmpty();
  }

  @Test
  void aChangeSaysWhereItStands_inTheAnswerAndInItsChunk() {
    List<String> chunks =
        List.of("Grease the bearing.", "The hall – in Oslo – must be closed on a Monday in May.");

    assertThat(changes("The hall – in Oslo – must be closed on a Friday in May.", chunks))
        .containsExactly("DATE: Friday / Monday");
    assertThat(changes("The hall – in Oslo – must not be closed on a Monday in May.", chunks))
        .containsExactly("NEGATION: not / must be");
    assertThat(
            changes("Anything. The hall – in Oslo – must be closed on a Monday in June.", chunks))
        .containsExactly("DATE: June / May");
  }

  @Test
  void anotherSentenceThatSaysItWordForWordAcquits() {
    assertThat(
            changes(
                "The warranty of the pump lasts a year.",
                List.of(
                    "The warranty of the pump lasts a month.",
                    "The warranty of the pump lasts a year.",
                    "The warranty of the pump lasts a week.")))
        .isEmpty();
  }

  @Test
  void ofTheChunksThatAClaimMayFollowAnotherOneDoesNotAcquit() {
    String claim = "The warranty of the pump lasts 24 months.";
    List<String> chunks = List.of("The warranty of the pump lasts 12 months.", claim);

    assertThat(changes(claim, chunks)).isEmpty();
    assertThat(changes.find(Utf8Span.of(claim), 0, answer.count(), chunk -> chunk == 0)).isOne();
    assertThat(changes.kind(0)).isEqualTo(ChangeKind.VALUE);
  }

  @Test
  void aQuoteOfAnyPartHasNoChange_saveANegationCutOff_andTheOrderOfChunksDoesNotMatter() {
    SplittableRandom random = new SplittableRandom(5);
    String[] words =
        ("The a of not never all some must may Monday Oslo Vera pump valve open closed before after"
                + " year month $ 15 1,200 first last is was in and . , ; said no red 電源を切 不要 oil")
            .split(" ");
    for (int round = 0; round < 300; round++) {
      List<String> chunks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(1, 60); n > 0; n--) {
          text.append(words[random.nextInt(words.length)]).append(' ');
        }
        chunks.add(text.toString());
      }
      String[] source = chunks.get(random.nextInt(chunks.size())).split(" ");
      int from = random.nextInt(source.length);
      int to = random.nextInt(from, source.length) + 1;
      String quote = String.join(" ", List.of(source).subList(from, to));

      boolean cutOff =
          (from > 0 && DENIES.contains(source[from - 1]))
              || (to < source.length
                  && DENIES.contains(source[to])
                  && (to + 1 == source.length || MARKS.contains(source[to + 1])));
      assertThat(changes(quote, chunks))
          .as(quote)
          .allMatch(change -> cutOff && change.startsWith("NEGATION: "));

      source[random.nextInt(source.length)] = words[random.nextInt(words.length)];
      String changed = String.join(" ", source);
      boolean any = changes(changed, chunks).isEmpty();
      Collections.reverse(chunks);
      assertThat(changes(changed, chunks).isEmpty()).as(changed).isEqualTo(any);
    }
  }

  @Test
  void repetitionCostsNoMoreThanOtherText() {
    String hostile = "the the valve the ".repeat(100_000);
    String other = "not the valve must be the ".repeat(60_000);
    Assertions.assertTimeout(
        Duration.ofSeconds(60),
        () -> {
          changes(other, List.of(hostile));
          changes(hostile, List.of(other, hostile));
          changes("a ".repeat(500_000), List.of("a ".repeat(500_000)));
          changes("不不".repeat(200_000), List.of("不不".repeat(200_000)));
        });
  }
}
