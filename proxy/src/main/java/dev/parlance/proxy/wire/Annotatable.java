package dev.parlance.proxy.wire;

import java.util.List;

/** Something that was read and has a place for a verdict, or hides a forged one. */
public interface Annotatable {
  /** How many verdicts about itself the sender wrote into it; they are never believed. */
  int forgedVerdicts();

  /**
   * Edits that put the verdict in, replacing any the sender wrote; empty if this protocol has no
   * place.
   */
  List<Edit> annotate(Annotation verdict);

  /** Edits that only remove verdicts the sender wrote; usually empty. */
  List<Edit> strip();
}
