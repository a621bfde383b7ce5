package dev.parlance.sim;

/**
 * The course of figure 3.
 *
 * @param epochs how many epochs
 * @param driftEpoch from this epoch on one term of one agent is turned by 30 degrees
 * @param renegotiateEpoch from this epoch on terms outside the core are renegotiated
 * @param firstEvents events per term in the audit of epoch 1
 * @param repeatedEvents events per term in each audit after the drift
 * @param watchedEvents events per term and epoch in {@link Panel#WATCHED}
 * @param heldOutEvents events per epoch on which disagreement is measured
 */
public record Figure3Settings(
    int epochs,
    int driftEpoch,
    int renegotiateEpoch,
    int firstEvents,
    int repeatedEvents,
    int watchedEvents,
    int heldOutEvents) {
  /** Drift at epoch 10 of 50 as in the paper; what it leaves open as in docs/certification.md. */
  public static final Figure3Settings DEFAULT = new Figure3Settings(50, 10, 20, 240, 200, 60, 600);

  /** Refuses a course that cannot be run. */
  public Figure3Settings {
    if (epochs < 1 || driftEpoch < 2 || renegotiateEpoch <= driftEpoch) {
      throw new IllegalArgumentException(
          "expected an epoch before the drift and renegotiation after it, got "
              + epochs
              + ", "
              + driftEpoch
              + ", "
              + renegotiateEpoch);
    }
    if (Math.min(Math.min(firstEvents, repeatedEvents), Math.min(watchedEvents, heldOutEvents))
        < 1) {
      throw new IllegalArgumentException("expected one event or more in every audit");
    }
  }
}
