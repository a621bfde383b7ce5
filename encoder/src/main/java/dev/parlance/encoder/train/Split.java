package dev.parlance.encoder.train;

import java.util.Locale;

/** Parts of the texts. They share neither templates nor nouns nor names nor numbers. */
enum Split {
  /** Trained on. */
  TRAIN,
  /** The threshold is chosen on it. */
  DEV,
  /** Reported, and used for nothing else. */
  TEST;

  /** The part's name in the files of texts. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
