package dev.parlance.wire.openai;

import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.TokenUsage;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The tokens that an answer or an event says it took, and the sites where those of earlier drafts
 * are added: whoever pays for an answer pays for the drafts that it cost.
 */
final class OpenAiUsage {
  private static final int MOST_DIGITS = 15;

  private final JsonDocument json;
  private final int object;
  private final List<String> names;

  /** Of a body, or of an event that holds one. */
  OpenAiUsage(JsonDocument json, OpenAiCall call) {
    this.json = json;
    int own = json.member(json.root(), "usage");
    int inner = json.member(json.member(json.root(), "response"), "usage");
    this.object = json.isObject(own) ? own : json.isObject(inner) ? inner : JsonDocument.NONE;
    this.names = names(call);
  }

  /** The names of tokens in, tokens out and of both. */
  private static List<String> names(OpenAiCall call) {
    return call.isResponse()
        ? List.of("input_tokens", "output_tokens", "total_tokens")
        : List.of("prompt_tokens", "completion_tokens", "total_tokens");
  }

  /** What it says. */
  TokenUsage stated() {
    return new TokenUsage(number(0), number(1), number(2));
  }

  private long number(int index) {
    int node = json.member(object, names.get(index));
    String raw = json.isNumber(node) ? json.raw(node) : "";
    boolean counts =
        !raw.isEmpty()
            && raw.length() <= MOST_DIGITS
            && raw.chars().allMatch(c -> c >= '0' && c <= '9');
    return counts ? Long.parseLong(raw) : 0;
  }

  /** The sites of the same body, which state these tokens too. */
  Annotatable with(TokenUsage earlier, Annotatable sites) {
    return earlier.equals(TokenUsage.NONE) || object == JsonDocument.NONE
        ? sites
        : new Summed(sites, sums(earlier));
  }

  private List<Edit> sums(TokenUsage earlier) {
    TokenUsage sum = stated().plus(earlier);
    long[] numbers = {sum.input(), sum.output(), sum.total()};
    JsonEdits edits = new JsonEdits(json);
    for (int i = 0; i < numbers.length; i++) {
      int node = json.member(object, names.get(i));
      if (json.isNumber(node)) {
        edits.replace(node, Long.toString(numbers[i]));
      }
    }
    return edits.sorted();
  }

  /** Writes the tokens of a refusal; nothing if none are known. */
  static void write(JsonWriter json, OpenAiCall call, TokenUsage usage) {
    if (!usage.equals(TokenUsage.NONE)) {
      List<String> names = names(call);
      json.name("usage").object();
      json.member(names.get(0), usage.input()).member(names.get(1), usage.output());
      json.member(names.get(2), usage.total()).endObject();
    }
  }

  /** Sites with edits of numbers beside theirs. */
  private record Summed(Annotatable sites, List<Edit> sums) implements Annotatable {
    @Override
    public JsonDocument document() {
      return sites.document();
    }

    @Override
    public int forgedVerdicts() {
      return sites.forgedVerdicts();
    }

    @Override
    public int cutRounds() {
      return sites.cutRounds();
    }

    @Override
    public List<Edit> annotate(VerdictHeader verdict) {
      return beside(sites.annotate(verdict));
    }

    @Override
    public List<Edit> strip() {
      return beside(sites.strip());
    }

    private List<Edit> beside(List<Edit> edits) {
      List<Edit> all = new ArrayList<>(edits);
      all.addAll(sums);
      all.sort(Comparator.comparingInt(Edit::offset));
      return all;
    }
  }
}
