package dev.parlance.service.identity;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Whom nobody believes although his certificate is good: by id, or by the serial number of one
 * certificate.
 *
 * @param ids patterns
 * @param serials hex, lower case, without leading zeros
 */
public record DenyList(List<SpiffePattern> ids, Set<String> serials) {
  /** Nobody. */
  public static final DenyList NOBODY = new DenyList(List.of(), Set.of());

  private static final String SERIAL = "serial:";
  private static final int HEX = 16;

  /** Takes copies. */
  public DenyList {
    ids = List.copyOf(ids);
    serials = Set.copyOf(serials);
  }

  /**
   * The one spelling of an entry: a pattern of ids, or {@code serial:HEX}; empty if it is neither.
   */
  public static Optional<String> entry(String text) {
    if (text.startsWith(SERIAL)) {
      String hex = text.substring(SERIAL.length()).replace(":", "").toLowerCase(Locale.ROOT);
      return hex.matches("[0-9a-f]{1,40}")
          ? Optional.of(SERIAL + new BigInteger(hex, HEX).toString(HEX))
          : Optional.empty();
    }
    return SpiffePattern.parse(text).map(_ -> text);
  }

  /** The list of these entries; what is none is left out. */
  public static DenyList of(List<String> entries) {
    Set<String> serials = new HashSet<>();
    List<SpiffePattern> ids =
        entries.stream()
            .flatMap(text -> entry(text).stream())
            .filter(one -> !one.startsWith(SERIAL) || !serials.add(one.substring(SERIAL.length())))
            .flatMap(one -> SpiffePattern.parse(one).stream())
            .toList();
    return new DenyList(ids, serials);
  }

  /** True if the id is on it. */
  public boolean has(SpiffeId id) {
    return ids.stream().anyMatch(pattern -> pattern.matches(id));
  }

  /** True if the id or its certificate is on it. */
  public boolean has(SpiffeId id, X509Certificate leaf) {
    return has(id) || serials.contains(leaf.getSerialNumber().toString(HEX));
  }
}
