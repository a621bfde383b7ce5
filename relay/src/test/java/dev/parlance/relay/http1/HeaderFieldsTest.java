package dev.parlance.relay.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.http1.FieldName.FieldKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where a length is written, whatever was taken off and added before. */
class HeaderFieldsTest {
  private static final int SEED = 40;

  @Test
  void aLength_isWrittenBetweenTheSameFields_whateverIsTakenOffOrAdded() {
    Random random = new Random(SEED);
    for (int run = 0; run < 2_000; run++) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < random.nextInt(12); i++) {
        names.add(
            List.of("a", "b", "c", "Host", "Expect", "connection", "x").get(random.nextInt(7)));
      }
      int at = random.nextInt(names.size() + 1);
      names.add(at, "CONTENT-Length");
      HeaderFields fields = new HeaderFields();
      names.forEach(name -> fields.addChecked(FieldName.of(name), "1"));

      fields.keepEndToEnd(Set.of("x"));
      names.removeIf(name -> name.equals("x") || name.equals("connection"));
      if (random.nextBoolean()) {
        fields.remove(FieldKind.EXPECT);
        names.removeIf("Expect"::equals);
      }
      for (int i = 0; i < random.nextInt(3); i++) {
        String name = List.of("a", "b", "d").get(random.nextInt(3));
        if (random.nextBoolean()) {
          fields.remove(name);
        } else {
          fields.set(name, "2");
        }
        boolean isSet = fields.contains(name);
        names.removeIf(name::equals);
        if (isSet) {
          names.add(name);
        }
      }
      if (random.nextBoolean()) {
        boolean isNew = !names.contains("Host");
        fields.setHost("h");
        names.addAll(0, isNew ? List.of("host") : List.of());
      }
      HeaderFields copy = random.nextBoolean() ? HeaderFields.of(fields) : fields;

      List<String> placed = new ArrayList<>();
      for (int i = 0; i < copy.size(); i++) {
        placed.add(copy.nameAt(i).text());
      }
      placed.add(copy.lengthAt(), copy.lengthName());
      assertThat(placed).as("run " + run).isEqualTo(names);
    }
  }

  @Test
  void withoutALength_nothingIsRemembered() {
    HeaderFields fields = new HeaderFields();
    fields.addChecked(FieldName.of("a"), "1");
    fields.keepEndToEnd(Set.of());
    assertThat(fields.hadLength()).isFalse();
    assertThat(fields.lengthName()).isEqualTo("content-length");
    fields.clear();
    assertThat(fields.hadLength()).isFalse();
  }
}
