package dev.parlance.proxy.exchange.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Fields that only sidecars may assert are found however they are spelt. */
class VerdictFieldsTest {
  private static final List<String> NAMES =
      List.of(
          "ASP-Signal",
          "asp-",
          "Asp-x",
          "asp",
          "aspect",
          "AS",
          "a",
          "wasp-x",
          "Parlance-Route",
          "PARLANCE-",
          "parlance",
          "x-parlance-a",
          "Accept",
          "Content-Type",
          "p",
          "Parlance_Route");

  @Test
  void strip_takesEveryFieldWithOurPrefix_inAnyCase_andNoOther() {
    Random random = new Random(3);
    for (int run = 0; run < 500; run++) {
      HttpHeaders headers = new DefaultHttpHeaders();
      HttpHeaders kept = new DefaultHttpHeaders();
      int ours = 0;
      for (int i = random.nextInt(8); i > 0; i--) {
        String name = respelt(NAMES.get(random.nextInt(NAMES.size())), random);
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
        headers.add(name, "v" + i);
        if (lower.startsWith("asp-") || lower.startsWith("parlance-")) {
          ours++;
        } else {
          kept.add(name, "v" + i);
        }
      }
      assertThat(VerdictFields.strip(headers)).isEqualTo(ours);
      assertThat(fields(headers)).isEqualTo(fields(kept));
    }
  }

  private static List<String> fields(HttpHeaders headers) {
    return headers.entries().stream()
        .map(field -> field.getKey() + ": " + field.getValue())
        .toList();
  }

  private static String respelt(String name, Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> name.toLowerCase(Locale.ROOT);
      case 1 -> name.toUpperCase(Locale.ROOT);
      default -> name;
    };
  }

  @Test
  void aBodyOfTwoTypes_isSaidToBe_onlyIfTheyDiffer() {
    HttpHeaders headers = new DefaultHttpHeaders();
    assertThat(BodyHolder.saysTwoTypes(headers)).isFalse();
    headers.add("Content-Type", "application/json");
    assertThat(BodyHolder.saysTwoTypes(headers)).isFalse();
    headers.add("content-type", "application/json");
    assertThat(BodyHolder.saysTwoTypes(headers)).isFalse();
    headers.add("Content-Type", "text/plain");
    assertThat(BodyHolder.saysTwoTypes(headers)).isTrue();
  }
}
