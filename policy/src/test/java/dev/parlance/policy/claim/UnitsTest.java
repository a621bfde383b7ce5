package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  private final Units units = new Units(7);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Straße | STRASSE",
        "gro\u1e9e | gross",
        "Kühler | Kuehler",
        "Öl | oel",
        "geöffnet | geoeffnet",
        "café | Cafe",
        "naïve | naive",
        "Łódź | Lodz",
        "Ærø | Aeroe",
        "ещё | еще",
        "за́мок | замок",
        "ΌΔΟΣ | όδος",
        "Μαΐου | μαιου",
        "المروحـــة | المروحة",
        "مُحَمَّد | محمد",
        "أحمد | احمد",
        "کتاب | كتاب",
        "می\u200cخواهم | میخواهم",
        "שָׁלוֹם | שלום",
        "ISTANBUL | istanbul",
        "İstanbul | istanbul",
        "ﬁlter | filter",
        "Ｐａｒｔ | part",
        "x² | x2",
        "CO₂ | co2",
        "m³ | m3",
        "don’t | DON'T",
        "company’s | company",
        "main\u00adtenance | maintenance",
        "im**peller** | impeller",
        "re*placed* | replaced",
        "K\\u00fchler | Kühler",
        "caf&eacute; | café",
        "M&uuml;ller | Mueller",
        "e\u0301te\u0301 | ete",
        "۲۰۲۶ | 2026",
        "٢٠٢٦ | 2026",
        "२०२६ | 2026",
        "２０２６ | 2026",
        "क\u093c | \u0958",
        "여행 | \u110b\u1167\u1112\u1162\u11bc",
        "葉 | 叶",
        "發 | 发",
        "国 | 國",
        "ｶﾞ | ガ",
      })
  void spellingsOfOneWord_haveOneKey(String one, String other) {
    assertThat(units.keyOf(one)).isEqualTo(units.keyOf(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "мой | мои",
        "word | words",
        "Straße | Strase",
        "it's | its",
        "c1 | c2",
        "がき | かき",
        "กา | กำ",
        "हिन्दी | हन्द",
        "cửa | cưa",
        "don't | dont",
        "ab | ba",
        "abcdefgh | abcdefghi",
      })
  void otherWords_haveOtherKeys(String one, String other) {
    assertThat(key(one)).isNotEqualTo(key(other));
  }

  private List<Long> key(String word) {
    read(word);
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < units.count(); i++) {
      keys.add(units.key(i));
    }
    return keys;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'10⁶ cells' | 10/⁶/cells",
        "'The price is 200¹ euros.' | The/price/is/200/¹/euros",
        "'a word¹ here' | a/word/¹/here",
        "'l’eau d''une pompe' | l’/eau/d'/une/pompe",
        "'chunk c1, x-ray_2' | chunk/c1/x/ray/2",
        "'20 °C, 5% >= $3' | 20/°/C/5/%/>=/$/3",
        "'20℃' | 20/℃/",
        "'毎2000個の部品 ok' | 毎/2000/個/の/部品/ok",
        "'API를 2000시간마다' | API/를/2000/시간마다",
        "'ทุก 2000 ชั่วโมง' | ทุก/2000/ชั่วโมง",
        "'the mainte-⏎ nance' | the/mainte-⏎ nance",
        "'mainte- nance' | mainte- nance",
        "'two- and three-way' | two/and/three/way",
        "'<b>bold</b> a < b' | bold/a/</b",
        "'it''s the dogs'' bone' | it's/the/dogs/bone",
        "'{\"orderId\": \"X\", \"k\": \"a\\nb\"}' | order/Id/X/k/a/b",
        "'\uFFFD x \u0301' | x",
      })
  void aText_isCutAsAReaderWould(String text, String expected) {
    read(text.replace('⏎', '\n'));
    StringBuilder cut = new StringBuilder();
    for (int i = 0; i < units.count(); i++) {
      cut.append(i == 0 ? "" : "/").append(text(i));
    }
    assertThat(cut.toString()).isEqualTo(expected.replace('⏎', '\n'));
  }

  @Test
  void flags_sayWhatAUnitIs() {
    read("Pump p2 costs € 5 漢字 company's");
    assertThat(units.flags(0)).isEqualTo(Units.WORD | Units.UPPER);
    assertThat(units.flags(1)).isEqualTo(Units.WORD | Units.DIGITS);
    assertThat(units.flags(3)).isEqualTo(Units.SYMBOL);
    assertThat(units.flags(4)).isEqualTo(Units.WORD | Units.DIGITS);
    assertThat(units.flags(5)).isEqualTo(Units.GRAM);
    assertThat(units.flags(6)).isEqualTo(Units.WORD | Units.POSSESSIVE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The pump runs. ¦It stops! ¦Why? ¦Because.",
        "Dr. Smith met J. Doe at 5 p.m. on Monday. ¦He left.",
        "See e.g. Fig. 3 and No. 5, i.e. version 1.2.3. ¦Done.",
        "Das Lager wird z. B. am 3. März geprüft. ¦Danach nicht.",
        "He came in 2019. ¦The year after he left.",
        "Is the answer no? ¦The answer is no. ¦The pump is on.",
        "Wait ... then go. ¦And ... nothing",
        "Visit https://example.com/a.b?c=d for v2.0.1 now. ¦Thanks.",
        "このポンプは点検します。¦電源を切ります。¦終わり",
        "检查时请先切断电源。¦然后取下盖板！",
        "هل تعمل؟ ¦نعم.",
        "यह पंप है। ¦वह नहीं।",
        "Steps:\n¦1. Switch the machine off\n¦2. Wait\n- ¦a bullet\n* ¦another",
        "# Heading\n¦Text that follows",
        "Heading\n\n¦Text that follows",
        "| a | b |\n|---|---|\n| ¦1 | 2 |",
        "model;price_eur;weight_kg\n¦X100;290;10\n¦X200;340;12",
        "The mainte-\nnance interval of the com-\npressor depends on the\nweather. ¦Yes.",
        "The pump is made for the clean water of a\nFactory and no other one, and it is not\nmade"
            + " for oil.",
        "Switch the machine off\n¦Remove the cover\n¦Replace the filter",
        "[{\"a\": 1, \"b\": 2}, {\"¦a\": 3, \"b\": 4}]",
        "<p>One</p><ul><li>¦Two</li><li>¦Three</li></ul>",
        "<tr><td>One</td><td>1</td></tr><tr><td>¦Two</td><td>2</td></tr>",
        "He said \"Stop!\" and left. (¦Then he came.) ¦So it was.",
        "the pump is red. ¦the valve is blue.",
      })
  void sentences_endWhereAReaderEndsThem(String marked) {
    List<String> parts = List.of(marked.split("¦"));
    read(String.join("", parts));
    List<String> sentences = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < units.sentences(); i++) {
      int next = i + 1 < units.sentences() ? units.start(units.first(i + 1)) : bytes.length;
      sentences.add(new String(bytes, from, next - from, StandardCharsets.UTF_8));
      from = next;
    }
    assertThat(sentences).isEqualTo(parts);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "valve valves valve's valved",
        "replace replaces replaced replacing",
        "carry carries carried carrying",
        "stop stopped stopping stops",
        "box boxes",
        "note notes noted noting",
        "company companies company's",
        "quick quickly",
        "maintain maintains maintained",
        "Stunde Stunden",
        "Kühlern Kuehlern",
        "libro libri",
        "nuevo nueva nuevos nuevas",
        "насос насоса насосами насосов",
        "임펠러는 임펠러를 임펠러의 임펠러",
        "교체해야 교체하여야 교체한다 교체합니다",
        "المروحة مروحة والمروحة",
      })
  void formsOfAWord_haveOneStem(String forms) {
    read(forms);
    for (int i = 1; i < units.count(); i++) {
      assertThat(units.stem(i)).as(text(i)).isEqualTo(units.stem(0));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "part party",
        "note not",
        "rate rat",
        "form former",
        "cent center",
        "number numb",
        "use us",
        "need ne",
        "is i",
        "c1 c",
        "속도 속",
        "дом дама"
      })
  void otherWords_haveOtherStems(String words) {
    read(words);
    assertThat(units.stem(0)).isNotEqualTo(units.stem(1));
  }

  @Test
  void composedAndDecomposedText_haveTheSameKeys() {
    String text =
        "Der Kühler benötigt Öl. Le cœur été. ещё мой йод. Ελλάδα. 한국어 여행. ガギグ ポンプ. Ærø Ång. हिन्दी"
            + " क़";
    read(Normalizer.normalize(text, Normalizer.Form.NFC));
    List<Long> composed = keys();
    read(Normalizer.normalize(text, Normalizer.Form.NFD));
    assertThat(keys()).isEqualTo(composed);
  }

  private List<Long> keys() {
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < units.count(); i++) {
      keys.add(units.key(i));
    }
    return keys;
  }

  private byte[] bytes = {};

  private void read(String text) {
    Utf8Span span = Utf8Span.of(text);
    bytes = span.toByteArray();
    units.read(span);
  }

  private String text(int unit) {
    return new String(
        bytes, units.start(unit), units.end(unit) - units.start(unit), StandardCharsets.UTF_8);
  }
}
