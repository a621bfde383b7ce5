package dev.parlance.wire.json;

import java.math.BigDecimal;
import java.util.Optional;

/** Compares the ids of requests and answers of JSON-RPC. */
public final class RpcId {
  /** Longest number that is more than its own spelling. */
  private static final int MAX_NUMBER_BYTES = 32;

  private RpcId() {}

  /**
   * True if two ids are the same: strings of the same characters, or numbers of the same value,
   * whatever they are written like ({@code 1}, {@code 1.0}, {@code "1"}). Some libraries have one
   * kind of number only, or keep all ids as strings.
   */
  public static boolean same(JsonDocument json, int id, JsonDocument other, int otherId) {
    if (json.isString(id) && other.isString(otherId)) {
      return json.text(id).equals(other.text(otherId));
    }
    if (json.bytes(id).equals(other.bytes(otherId))) {
      return true;
    }
    Optional<BigDecimal> number = number(json, id);
    return number.isPresent()
        && number(other, otherId).filter(value -> value.compareTo(number.get()) == 0).isPresent();
  }

  private static Optional<BigDecimal> number(JsonDocument json, int id) {
    String text = json.isString(id) ? json.string(id) : json.isNumber(id) ? json.raw(id) : "";
    boolean plain =
        !text.isEmpty()
            && text.length() <= MAX_NUMBER_BYTES
            && text.chars().allMatch(c -> (c >= '0' && c <= '9') || "+-.eE".indexOf(c) >= 0);
    try {
      return plain ? Optional.of(new BigDecimal(text)) : Optional.empty();
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
