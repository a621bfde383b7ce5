package dev.parlance.proxy.lexicon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnFieldTest {
  private static final String BOARD = "b-0123456789abcdef0123456789abcdef";

  private static TermRef term(String key) {
    return new TermRef(new Channel(Optional.of("east")), key);
  }

  @Test
  void whatIsWritten_isRead() {
    TurnField field =
        new TurnField(
            BOARD,
            OptionalLong.of(17),
            OptionalLong.of(4),
            Optional.of("org/ann"),
            Set.of(term("open gap"), term("übermaß; l=x")));
    HttpHeaders fields = new DefaultHttpHeaders();
    field.write(fields);
    assertThat(TurnField.of(fields)).hasValue(field);
    assertThat(fields.get(TurnField.NAME)).matches("[!-~]+");
  }

  @Test
  void aMessageWithoutTurnOrBoard_saysAllTheSameWhoCounts() {
    TurnField field = TurnField.parse("-;w=0;a=ann").orElseThrow();
    assertThat(field.number()).isEmpty();
    assertThat(field.agent()).hasValue("ann");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "b-0123",
        "B-0123456789abcdef0123456789abcdef",
        "b-0123456789abcdef0123456789abcdeX;n=1",
        "x;n=1"
      })
  void whatNamesNoBoard_isNoField(String value) {
    assertThat(TurnField.parse(value)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"n=-1", "n=", "n=99999999999999999999", "n=1e3", "a=no name", "l=east", "l=:x"})
  void aPartThatIsNone_saysNothing(String part) {
    TurnField field = TurnField.parse(BOARD + ";" + part).orElseThrow();
    assertThat(field)
        .isEqualTo(
            new TurnField(
                BOARD, OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), Set.of()));
  }

  @Test
  void manyLongTermsThatLeaked_doNotMakeTheFieldUnreadable() {
    Set<TermRef> leaked =
        IntStream.range(0, 8)
            .mapToObj(i -> term("\u6f22".repeat(47) + (char) ('a' + i)))
            .collect(Collectors.toSet());
    TurnField field =
        new TurnField(
            BOARD, OptionalLong.of(17), OptionalLong.of(4), Optional.of("org/ann"), leaked);
    TurnField read = TurnField.parse(field.toString()).orElseThrow();
    assertThat(read.agent()).hasValue("org/ann");
    assertThat(read.leaked()).isNotEmpty().isSubsetOf(leaked);
  }

  @Test
  void twoFields_areNone() {
    HttpHeaders fields = new DefaultHttpHeaders();
    fields.add(TurnField.NAME, BOARD);
    fields.add(TurnField.NAME, BOARD);
    assertThat(TurnField.of(fields)).isEmpty();
  }

  @Test
  void nothingThatAPeerSends_isRead_butWithinItsBounds() {
    Random random = new Random(1);
    String letters = "b-0;nwal=:%+x é\u0000";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? BOARD : "");
      for (int length = random.nextInt(60); length > 0; length--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      TurnField.parse(text.toString())
          .ifPresent(field -> {
            assertThat(field.leaked()).hasSizeLessThanOrEqualTo(8);
            assertThat(field.changes().orElse(0)).isBetween(0L, 1L << 48);
          });
    }
    assertThat(TurnField.parse(BOARD + ";l=e:x".repeat(1_000))).isEmpty();
  }
}
