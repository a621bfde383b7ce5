package dev.parlance.service.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Found by JUnit before the first test class runs; what is awaited may take a minute where a
 * machine has much else to do, and is looked at first after nothing, then after 5 ms, then less
 * often, where Awaitility alone waits a tenth of a second for everything and gives up after ten.
 */
public final class PatientAwaits implements BeforeAllCallback {
  private static final Duration FIRST = Duration.ofMillis(5);
  private static final Duration LONGEST = Duration.ofMillis(100);

  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(
        new IterativePollInterval(
            last -> last.compareTo(LONGEST) < 0 ? last.plus(last) : LONGEST, FIRST));
  }

  /** For JUnit. */
  public PatientAwaits() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    // The static initialiser has done the work.
  }
}
