package dev.parlance.policy.claim.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.text.Utf8Span;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
  private static final ValueLexicon LEXICON = ValueLexicon.load(3);
  private static final Units UNITS = new Units(3);
  private static final int HOSTILE_BYTES = 1 << 18;

  private final Values values = new Values(LEXICON);
  private final Values others = new Values(LEXICON);
  private final ValueComparison comparison = new ValueComparison(LEXICON);

  private static Values read(Values values, String text) {
    return read(values, Utf8Span.of(text));
  }

  private static Values read(Values values, Utf8Span text) {
    UNITS.read(text);
    values.read(text, UNITS);
    return values;
  }

  private ValueMatch match(String claim, String evidence) {
    read(values, claim);
    read(others, evidence);
    assertThat(values.count()).as(claim).isEqualTo(1);
    assertThat(others.count()).as(evidence).isEqualTo(1);
    return comparison.match(values, 0, others, 0);
  }

  @Test
  void rangesOfBytesAreThoseOfTheOriginalText() {
    String text =
        "Kühl bei −20 °C lagern, höchstens 1.200,50 € zahlen, bis 1. September 2026 an"
            + " a@b.example.";
    Utf8Span span = Utf8Span.of(text);
    read(values, span);
    List<String> found = new ArrayList<>();
    for (int i = 0; i < values.count(); i++) {
      found.add(span.slice(values.start(i), values.end(i) - values.start(i)).toString());
    }
    assertThat(found).containsExactly("−20 °C", "1.200,50 €", "1. September 2026", "a@b.example");
  }

  /** The lexicon is one for all event loops: looking a unit up has no scratch in it. */
  @Test
  void readersOfTwoThreadsShareALexicon() {
    int percent = read(values, "5 %").unit(0);
    long apart =
        IntStream.range(0, 2)
            .parallel()
            .mapToLong(_ -> {
              Units units = new Units(3);
              Utf8Span text = Utf8Span.of("百分之5");
              units.read(text);
              Values mine = new Values(LEXICON);
              long others = 0;
              for (int i = 0; i < 200_000; i++) {
                mine.read(text, units);
                others += mine.unit(0) == percent ? 0 : 1;
              }
              return others;
            })
            .sum();
    assertThat(apart).isZero();
  }

  @Test
  void eachTextCountsFromItsOwnStart() {
    values.clear();
    for (String text : List.of("It has 12 seals.", "It has 4 screws.")) {
      UNITS.read(Utf8Span.of(text));
      values.add(Utf8Span.of(text), UNITS);
    }
    assertThat(values.count()).isEqualTo(2);
    assertThat(values.start(1)).isEqualTo(7);
  }

  @Test
  void matchesNameWhatDiffers() {
    assertThat(match("5 km", "5000 m")).isEqualTo(ValueMatch.CONVERTED);
    assertThat(match("5 km", "5 m")).isEqualTo(ValueMatch.UNIT);
    assertThat(match("5 km", "6 km")).isEqualTo(ValueMatch.NUMBER);
    assertThat(match("5", "5 km")).isEqualTo(ValueMatch.NUMBER_ONLY);
    assertThat(match("$5", "€5")).isEqualTo(ValueMatch.CURRENCY);
    assertThat(match("-5", "+5")).isEqualTo(ValueMatch.SIGN);
    assertThat(match("< 5", "> 5")).isEqualTo(ValueMatch.BOUND);
    assertThat(match("5", "at least 5")).isEqualTo(ValueMatch.BOUND_LOST);
    assertThat(match("2026-09-01", "2026-01-09")).isEqualTo(ValueMatch.DATE);
    assertThat(match("18:10", "10:18")).isEqualTo(ValueMatch.TIME);
    assertThat(match("AB-12-34", "AB-34-12")).isEqualTo(ValueMatch.IDENTIFIER);
    assertThat(match("about 1,200", "1,234")).isEqualTo(ValueMatch.ROUNDED);
    assertThat(match("2026", "1 September 2026")).isEqualTo(ValueMatch.SAME);
    assertThat(match("1 September 2026", "1 September")).isEqualTo(ValueMatch.NUMBER_ONLY);
  }

  @Test
  void theTextsOwnUseDecidesWhatAPointIs() {
    assertThat(match("12.500", "12500")).isEqualTo(ValueMatch.SAME);
    assertThat(match("12.500", "12.5")).isEqualTo(ValueMatch.SAME);
    assertThat(match("12.500 is the price of the car", "12500")).isEqualTo(ValueMatch.NUMBER);
    assertThat(match("12.500 ist der Preis für das Auto", "12.5 is the price"))
        .isEqualTo(ValueMatch.NUMBER);
  }

  @Test
  void otherNotationsOfANumberAreTheSame() {
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      long number = 1000 + random.nextLong(1_000_000_000L);
      List<String> forms =
          List.of(
              Long.toString(number),
              String.format(Locale.ROOT, "%,d", number),
              String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f'),
              String.format(Locale.ROOT, "%,d", number).replace(',', '\''),
              number + ".0",
              number + ",00",
              String.format(Locale.ROOT, "%,d.00", number),
              number + "e0");
      String form = forms.get(random.nextInt(forms.size()));
      String other = forms.get(random.nextInt(forms.size()));
      assertThat(match(form, other)).as("%s %s", form, other).isEqualTo(ValueMatch.SAME);
      String changed = Long.toString(number + 1 + random.nextInt(9));
      assertThat(match(form, changed)).as("%s %s", form, changed).isEqualTo(ValueMatch.NUMBER);
    }
  }

  @Test
  void otherNotationsOfADateAreTheSame() {
    Random random = new Random(2);
    String[] months = {
      "January",
      "February",
      "March",
      "April",
      "May",
      "June",
      "July",
      "August",
      "September",
      "October",
      "November",
      "December"
    };
    String[] german = {
      "Januar",
      "Februar",
      "März",
      "April",
      "Mai",
      "Juni",
      "Juli",
      "August",
      "September",
      "Oktober",
      "November",
      "Dezember"
    };
    for (int i = 0; i < 2000; i++) {
      int year = 1900 + random.nextInt(200);
      int month = 1 + random.nextInt(12);
      int day = 1 + random.nextInt(28);
      List<String> forms =
          List.of(
              String.format(Locale.ROOT, "%d-%02d-%02d", year, month, day),
              String.format(Locale.ROOT, "%d %s %d", day, months[month - 1], year),
              String.format(Locale.ROOT, "%s %d, %d", months[month - 1], day, year),
              String.format(Locale.ROOT, "%d. %s %d", day, german[month - 1], year),
              String.format(Locale.ROOT, "%02d.%02d.%d", day, month, year),
              String.format(Locale.ROOT, "%d年%d月%d日", year, month, day));
      String form = forms.get(random.nextInt(forms.size()));
      String other = forms.get(random.nextInt(forms.size()));
      assertThat(match(form, other)).as("%s %s", form, other).isEqualTo(ValueMatch.SAME);
      String changed = String.format(Locale.ROOT, "%d-%02d-%02d", year, month % 12 + 1, day);
      assertThat(match(form, changed)).as("%s %s", form, changed).isEqualTo(ValueMatch.DATE);
    }
  }

  /** The index finds whatever the comparison of each pair finds. */
  @Test
  void theIndexMissesNothing() {
    String[] texts = {
      "12 kg",
      "12000 g",
      "5 km",
      "5000 m",
      "-20 °C",
      "20 °C",
      "68 °F",
      "18:30",
      "6:30 pm",
      "18.30",
      "2026",
      "1 September 2026",
      "2026-09",
      "Q3 2026",
      "September 2026",
      "50 %",
      "0.5",
      "1/2",
      "1.200",
      "1200",
      "1.2",
      "$5m",
      "$5,000,000",
      "4111 1111 1111 1111",
      "4111111111111111",
      "AB-12",
      "AB12",
      "v2.10",
      "2.10",
      "1990s",
      "1994",
      "two",
      "2",
      "90 minutes",
      "1.5 hours",
      "36 km/h",
      "10 m/s",
      "500 GB",
      "0.5 TB",
      "2 ha",
      "20000 m²",
      "3rd",
      "3 May",
      "about 1,200",
      "1,234"
    };
    StringBuilder all = new StringBuilder();
    for (String text : texts) {
      all.append(text).append(".\n");
    }
    read(others, all.toString());
    ValueIndex index = new ValueIndex(LEXICON);
    index.build(others);
    for (String text : texts) {
      read(values, text);
      ValueMatch best = ValueMatch.OTHER;
      for (int j = 0; j < others.count(); j++) {
        best = best.better(comparison.match(values, 0, others, j));
      }
      assertThat(index.best(values, 0)).as(text).isEqualTo(best);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "1,",
        "1.",
        "1-",
        "1:",
        "1/",
        "1 ",
        "12 ",
        "123,",
        "1-2 ",
        "2026-09-01 ",
        "2026-09-01",
        "one ",
        "one hundred and ",
        "/a",
        "a1",
        "a-",
        "a1-",
        "@a.",
        "AB12 ",
        "a1/",
        "/a1/a",
        "五",
        "百",
        "五百",
        "1e",
        "1e9",
        "°",
        "½",
        "1/2",
        "&#49;",
        "&",
        "<a ",
        "<",
        "*",
        "+1",
        "-1",
        "$",
        "$1",
        "$1m",
        "at least ",
        "May ",
        "1 May ",
        "10 to ",
        "between 1 and ",
        "1 kg/m·",
        "1m2",
        "³",
        "#",
        "(1)",
        "١",
        "ชั่วโมง",
        "시간",
        "\\u0031",
        "-",
        "12 34 "
      })
  void hostileTextIsReadInLinearTime(String piece) {
    byte[] unit = piece.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[HOSTILE_BYTES / unit.length * unit.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = unit[i % unit.length];
    }
    nanos(Utf8Span.of(bytes));
    long small = nanos(Utf8Span.of(bytes, 0, bytes.length / 8 / unit.length * unit.length));
    long whole = nanos(Utf8Span.of(bytes));
    // Eight times the text: quadratic time would be 64 times.
    assertThat(whole).isLessThan(32 * Math.max(small, 5_000_000L));
    values.release();
  }

  /** Time of this thread, however busy the machine is. */
  private long nanos(Utf8Span text) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    read(values, text);
    return threads.getCurrentThreadCpuTime() - start;
  }

  @Test
  void anyBytesAreRead() {
    Random random = new Random(4);
    String alphabet =
        "0123456789.,:/-+−–%°½²⁶⁻$€ \n"
            + "\u00a0\u202f'eExXkmMgGtT@_()[]{}<>#*&;\\u0031一二两千万年月日时分小下午之百٣é\u0301";
    int[] points = alphabet.codePoints().toArray();
    String[] words = {
      "one",
      "two",
      "hundred",
      "and",
      "at",
      "least",
      "September",
      "Sept",
      "May",
      "km",
      "kg",
      "pm",
      "a.m.",
      "Uhr",
      "version",
      "v2",
      "Step",
      "million",
      "zweihundert",
      "vingt",
      "between",
      "to",
      "per",
      "square",
      "EUR",
      "Q3",
      "第"
    };
    ValueIndex index = new ValueIndex(LEXICON);
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(30); n >= 0; n--) {
        if (random.nextInt(4) == 0) {
          text.append(words[random.nextInt(words.length)]);
          text.append(random.nextBoolean() ? " " : "");
        } else {
          text.appendCodePoint(points[random.nextInt(points.length)]);
        }
      }
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      if (round % 4 == 0) {
        for (int n = 0; n < 3; n++) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
      }
      // In the middle of a larger array: nothing outside may be looked at.
      byte[] array = new byte[bytes.length + 16];
      random.nextBytes(array);
      System.arraycopy(bytes, 0, array, 8, bytes.length);
      Utf8Span span = Utf8Span.of(array, 8, bytes.length);
      read(values, span);
      others.read(Utf8Span.of(bytes), new Units(0));
      assertThat(values.count()).isEqualTo(others.count());
      index.build(others);
      int before = 0;
      for (int i = 0; i < values.count(); i++) {
        assertThat(values.start(i)).as("%s", text).isBetween(before, values.end(i) - 1);
        assertThat(values.end(i)).isLessThanOrEqualTo(bytes.length);
        before = values.start(i);
        assertThat(comparison.match(values, i, others, i))
            .as("%s", text)
            .isEqualTo(ValueMatch.SAME);
        if (!values.isLabel(i)) {
          assertThat(index.best(values, i)).as("%s", text).isEqualTo(ValueMatch.SAME);
        }
      }
    }
  }
}
