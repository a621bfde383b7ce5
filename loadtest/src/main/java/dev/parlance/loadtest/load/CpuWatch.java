package dev.parlance.loadtest.load;

import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Where processor time, user and system, is read during a measurement; each in microseconds so far,
 * empty if there is nothing to read.
 *
 * @param proxyUs of the proxy under test
 * @param loadUs of load generator and upstream together
 * @param machineUs of everything that runs on this machine
 */
public record CpuWatch(
    Supplier<OptionalLong> proxyUs,
    Supplier<OptionalLong> loadUs,
    Supplier<OptionalLong> machineUs) {
  /** Watches nothing. */
  public static CpuWatch none() {
    return new CpuWatch(OptionalLong::empty, OptionalLong::empty, OptionalLong::empty);
  }

  /** Reads everything at once. */
  Reading read() {
    return new Reading(proxyUs.get(), loadUs.get(), machineUs.get());
  }

  /** Processor times at one moment. */
  public record Reading(OptionalLong proxyUs, OptionalLong loadUs, OptionalLong machineUs) {
    public static final Reading EMPTY =
        new Reading(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /** What was used between an earlier reading and this one. */
    Reading since(Reading earlier) {
      return new Reading(
          difference(proxyUs, earlier.proxyUs),
          difference(loadUs, earlier.loadUs),
          difference(machineUs, earlier.machineUs));
    }

    private static OptionalLong difference(OptionalLong end, OptionalLong start) {
      return end.isPresent() && start.isPresent()
          ? OptionalLong.of(end.getAsLong() - start.getAsLong())
          : OptionalLong.empty();
    }
  }
}
