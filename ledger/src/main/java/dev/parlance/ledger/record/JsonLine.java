package dev.parlance.ledger.record;

import dev.parlance.policy.pact.Predicate;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Writes one JSON object on one line: no blanks, members in the order of the calls, numbers in the
 * shortest form that reads back the same. Texts are escaped as RFC 8785 does it: only what must be,
 * in one way. Ids, term keys, hex and codes never need it, the words of agents may.
 */
final class JsonLine {
  private final StringBuilder out;
  private boolean first = true;

  JsonLine(StringBuilder out) {
    this.out = out;
    out.append('{');
  }

  JsonLine text(String name, String value) {
    name(name);
    string(value);
    return this;
  }

  JsonLine number(String name, long value) {
    name(name).append(value);
    return this;
  }

  JsonLine number(String name, double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " is not finite: " + value);
    }
    name(name).append(value);
    return this;
  }

  JsonLine texts(String name, List<String> values) {
    return list(name, values, (value, line) -> line.string(value));
  }

  JsonLine map(String name, Map<?, ?> values) {
    name(name);
    JsonLine inner = new JsonLine(out);
    values.forEach((key, value) -> inner.text((String) key, (String) value));
    inner.end();
    return this;
  }

  <T> JsonLine list(String name, List<? extends T> values, BiConsumer<T, JsonLine> each) {
    name(name).append('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      each.accept(values.get(i), this);
    }
    out.append(']');
    return this;
  }

  /** An object that stands in a list. */
  JsonLine inner() {
    return new JsonLine(out);
  }

  void end() {
    out.append('}');
  }

  private StringBuilder name(String name) {
    if (!first) {
      out.append(',');
    }
    first = false;
    string(name);
    return out.append(':');
  }

  JsonLine truth(String name, boolean value) {
    name(name).append(value);
    return this;
  }

  void string(String value) {
    if (value.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
      throw new IllegalArgumentException("half of a surrogate pair: \"" + value + "\"");
    }
    Predicate.quote(out, value);
  }
}
