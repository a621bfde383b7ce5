package dev.parlance.encoder.train;

import java.util.List;
import java.util.Locale;

/** What a claim says of its deed. */
enum Mood {
  MUST,
  MAY,
  MUSTNOT,
  NEEDNOT,
  FACT,
  FACTNOT;

  /** The mood's name in the file of templates. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Moods that deny this one. */
  List<Mood> denials() {
    return switch (this) {
      case MUST -> List.of(MUSTNOT, NEEDNOT);
      case MAY -> List.of(MUSTNOT);
      case MUSTNOT -> List.of(MUST, MAY);
      case NEEDNOT -> List.of(MUST);
      case FACT -> List.of(FACTNOT);
      case FACTNOT -> List.of(FACT);
    };
  }

  /** Moods that are neither this one nor its denial: another force with the same sign. */
  List<Mood> otherForces() {
    return switch (this) {
      case MUST -> List.of(MAY);
      case MAY -> List.of(MUST);
      case MUSTNOT -> List.of(NEEDNOT);
      case NEEDNOT -> List.of(MUSTNOT);
      case FACT, FACTNOT -> List.of();
    };
  }
}
