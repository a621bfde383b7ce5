package dev.parlance.loadtest;

import java.util.OptionalDouble;

/**
 * Memory of a sidecar at one moment, in MiB.
 *
 * @param heap of the virtual machine, in use
 * @param direct held by network buffers outside the heap
 * @param resident of the process, all together
 */
record MemoryUse(double heap, double direct, double resident) {
  static final double MIB = 1024.0 * 1024.0;

  /** The largest of each. */
  MemoryUse max(MemoryUse other) {
    return new MemoryUse(
        Math.max(heap, other.heap),
        Math.max(direct, other.direct),
        Math.max(resident, other.resident));
  }

  /** The value of a sample without labels in the text of {@code /metrics}. */
  static OptionalDouble metric(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1).strip()))
        .findFirst();
  }
}
