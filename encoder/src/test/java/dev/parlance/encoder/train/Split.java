package dev.parlance.encoder.train;

import java.util.Locale;

/** Parts of the texts. They share neither templates nor nouns nor names nor numbers. */
enum Split {
  /** Trained on. */
  TRAIN(0),
  /** The threshold is chosen on it. */
  DEV(1),
  /** Reported, and used for nothing else. */
  TEST(2);

  private final int number;

  Split(int number) {
    this.number = number;
  }

  /** Its place among them, from 0. */
  int number() {
    return number;
  }

  /** The part's name in the files of texts. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
