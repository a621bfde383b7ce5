package dev.parlance.wire.bytes;

import java.util.Optional;

/**
 * Header fields of a message, whatever transport brought them. Names are ASCII case-insensitive.
 */
@FunctionalInterface
public interface HeaderLookup {
  /** No fields. */
  HeaderLookup NONE = name -> Optional.empty();

  /** The first value of the field, if there is one. */
  Optional<String> first(String name);
}
