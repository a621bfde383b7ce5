package dev.parlance.inject.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.inject.patch.JsonPatch;
import dev.parlance.inject.patch.Patched;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class YamlTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Texts that YAML could take for something else, or that need quotation marks. */
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "yes",
          "no",
          "true",
          "null",
          "~",
          "1",
          "0x1f",
          "1e3",
          ".inf",
          "-",
          "- a",
          "a: b",
          "# no",
          "a #b",
          "@x",
          "%y",
          "*z",
          "&q",
          "!t",
          "|",
          ">",
          "'",
          "\"",
          "\\",
          "a\nb",
          "a\nb\n",
          "\n",
          " a\nb",
          "a \nb\n",
          "ä€\uD83D\uDE00",
          "\u0007",
          "\u2028",
          "\ufeff",
          "2026-01-01",
          "[",
          "{}",
          "a,b",
          "?",
          ":",
          "\t",
          "x\ty\nz\n",
          "---",
          "...",
          "--- a\n");

  private static JsonNode random(Random random, int depth) {
    int kind = random.nextInt(depth > 3 ? 5 : 8);
    return switch (kind) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(random.nextBoolean());
      case 2 -> NODES.numberNode(random.nextInt());
      case 3, 4 -> NODES.stringNode(TEXTS.get(random.nextInt(TEXTS.size())));
      case 5 -> {
        ArrayNode array = NODES.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(random(random, depth + 1));
        }
        yield array;
      }
      default -> object(random, depth);
    };
  }

  private static ObjectNode object(Random random, int depth) {
    ObjectNode object = NODES.objectNode();
    for (int i = random.nextInt(5); i > 0; i--) {
      String name =
          random.nextInt(3) == 0
              ? "name"
              : "k" + random.nextInt(4) + TEXTS.get(random.nextInt(TEXTS.size()));
      object.set(name, random(random, depth + 1));
    }
    return object;
  }

  @Test
  void whatIsWrittenIsReadAsTheSame() {
    Random random = new Random(20261122);
    for (int i = 0; i < 1_000; i++) {
      JsonNode tree = random(random, 0);
      assertThat(Yaml.read(Yaml.write(tree)))
          .as(tree.toString())
          .isEqualTo(new Yaml.Result.Read(tree));
    }
  }

  /** Whatever is changed in whatever document, the text says it afterwards, and the rest stays. */
  @Test
  void editedTextsSayWhatWasWanted() {
    Random random = new Random(7);
    for (int i = 0; i < 400; i++) {
      List<JsonNode> before = new ArrayList<>();
      List<JsonNode> wanted = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      for (int documents = 1 + random.nextInt(3); documents > 0; documents--) {
        ObjectNode one = object(random, 0);
        before.add(one);
        wanted.add(random.nextInt(3) == 0 ? one : changed(one, random));
        text.append("--- # ").append(documents).append('\n').append(Yaml.write(one));
      }
      YamlDocuments read =
          ((YamlDocuments.Result.Read) YamlDocuments.read(text.toString())).documents();
      assertThat(read.trees()).isEqualTo(before);
      String edited = read.edited(wanted);
      assertThat(((YamlDocuments.Result.Read) YamlDocuments.read(edited)).documents().trees())
          .as(text + "\n=>\n" + edited)
          .isEqualTo(wanted);
      assertThat(read.edited(before)).isEqualTo(text.toString());
    }
  }

  private static JsonNode changed(JsonNode node, Random random) {
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode next = NODES.objectNode();
        object
            .properties()
            .forEach(member -> {
              switch (random.nextInt(6)) {
                case 0 -> {} // gone
                case 1 -> next.set(member.getKey(), random(random, 2));
                case 2 -> next.set(member.getKey(), changed(member.getValue(), random));
                default -> next.set(member.getKey(), member.getValue());
              }
            });
        if (random.nextInt(3) == 0) {
          next.set("added" + random.nextInt(9), random(random, 2));
        }
        yield next;
      }
      case ArrayNode array -> {
        ArrayNode next = NODES.arrayNode();
        for (JsonNode item : array) {
          switch (random.nextInt(6)) {
            case 0 -> {} // gone
            case 1 -> next.add(random(random, 2)).add(item);
            case 2 -> next.add(changed(item, random));
            default -> next.add(item);
          }
        }
        yield next;
      }
      default -> random(random, 3);
    };
  }

  @Test
  void thePatchOfAnyTwoTreesMakesOneOfTheOther() {
    Random random = new Random(11);
    for (int i = 0; i < 1_000; i++) {
      JsonNode from = random(random, 0);
      JsonNode to = random.nextBoolean() ? changed(from, random) : random(random, 0);
      assertThat(Patched.apply(from, JsonPatch.between(from, to)))
          .as(from + " => " + to)
          .isEqualTo(to);
    }
  }
}
