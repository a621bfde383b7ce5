package dev.parlance.cli.review;

import java.util.Locale;

/** Which held messages to list. */
enum ReviewFilter {
  PENDING,
  RELEASED,
  REJECTED,
  DELIVERED,
  EXPIRED,
  ALL;

  /** The parameter of the admin API. */
  String query() {
    return this == ALL ? "" : "&state=" + name().toLowerCase(Locale.ROOT);
  }
}
