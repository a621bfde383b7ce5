package dev.parlance.proxy.gate;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Ids of decisions: {@code d-<random per process>-<count>}, short enough to type. */
final class DecisionIds {
  private static final int PREFIX_BITS = 40;

  private final String prefix;
  private final AtomicLong next = new AtomicLong(1);

  DecisionIds() {
    long random = new SecureRandom().nextLong() & ((1L << PREFIX_BITS) - 1);
    prefix = "d-" + Long.toString(random | (1L << PREFIX_BITS), Character.MAX_RADIX).substring(1);
  }

  String next() {
    return prefix + "-" + Long.toString(next.getAndIncrement(), Character.MAX_RADIX);
  }
}
