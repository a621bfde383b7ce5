package dev.parlance.control.config;

/**
 * How audits are run.
 *
 * @param questionsInFlight most questions under way with one agent, 1 to 256
 * @param answerTimeoutMs how long an agent has for an answer, 100 to 600,000
 * @param retries how often a question without an answer is asked again, 0 to 10
 * @param leaseTtlMs after how long without a sign of life another replica takes an audit over, 500
 *     to 600,000
 */
public record AuditSettings(
    int questionsInFlight, int answerTimeoutMs, int retries, int leaseTtlMs) {
  /** What holds where the file says nothing. */
  public static final AuditSettings DEFAULT = new AuditSettings(4, 30_000, 1, 15_000);

  /** Refuses values outside their ranges. */
  public AuditSettings {
    checked("questionsInFlight", questionsInFlight, 1, 256);
    checked("answerTimeoutMs", answerTimeoutMs, 100, 600_000);
    checked("retries", retries, 0, 10);
    checked("leaseTtlMs", leaseTtlMs, 500, 600_000);
  }

  private static void checked(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must lie in " + least + " to " + most + ", got " + value);
    }
  }
}
