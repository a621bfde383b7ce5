package dev.parlance.service.testing;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Found by JUnit before the first test class runs; puts our leak detector in place. */
public final class LeakDetectorInstaller implements BeforeAllCallback {
  static {
    OpenBuffers.install();
  }

  /** For JUnit. */
  public LeakDetectorInstaller() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    // The static initialiser has done the work.
  }
}
