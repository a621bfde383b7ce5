package dev.parlance.policy.commit;

import java.util.List;

/** Algorithm {@code hcsc-mda-1}. */
public final class Hcsc {
  private Hcsc() {}

  /** The outcome of a round with these proposals, whatever their order. */
  public static Outcome decide(RoundSpec spec, List<Proposal> proposals) {
    throw new UnsupportedOperationException(spec.round() + proposals.size());
  }
}
