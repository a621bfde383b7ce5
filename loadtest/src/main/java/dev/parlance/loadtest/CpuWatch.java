package dev.parlance.loadtest;

import java.util.OptionalLong;

/** Reads the processor time, user and system, of both sides of a measurement so far. */
interface CpuWatch {
  /** Of the proxy under test, in microseconds; empty if there is none, or it is gone. */
  OptionalLong proxyCpuUs();

  /** Of load generator and upstream together, in microseconds; empty if unknown. */
  OptionalLong loadCpuUs();

  /** Watches nothing. */
  static CpuWatch none() {
    return of(OptionalLong::empty, OptionalLong::empty);
  }

  /** Watches by two functions. */
  static CpuWatch of(
      java.util.function.Supplier<OptionalLong> proxy,
      java.util.function.Supplier<OptionalLong> load) {
    return new CpuWatch() {
      @Override
      public OptionalLong proxyCpuUs() {
        return proxy.get();
      }

      @Override
      public OptionalLong loadCpuUs() {
        return load.get();
      }
    };
  }
}
