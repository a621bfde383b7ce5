package dev.parlance.wire.grpc;

import dev.parlance.wire.bytes.Texts;
import java.util.Optional;

/**
 * The {@code grpc-timeout} field: at most eight digits and a unit ({@code H M S m u n}), the time
 * that the caller gives from the moment it asks (gRPC over HTTP/2, section Requests).
 */
public sealed interface GrpcTimeout {
  /** Most digits of a value. */
  int MAX_DIGITS = 8;

  /**
   * Time to spend.
   *
   * @param nanos more than 0; {@link Long#MAX_VALUE} for everything past it (292 years)
   */
  record Left(long nanos) implements GrpcTimeout {
    /** Refuses what is no time. */
    public Left {
      if (nanos <= 0) {
        throw new IllegalArgumentException("expected more than 0 ns, got " + nanos);
      }
    }
  }

  /** No time at all: the call has failed before it began (DEADLINE_EXCEEDED). */
  record Spent() implements GrpcTimeout {}

  /**
   * Not a timeout (INTERNAL).
   *
   * @param detail for the peer
   */
  record Malformed(String detail) implements GrpcTimeout {}

  /** Reads the field. */
  static GrpcTimeout parse(String value) {
    Optional<Long> unit =
        value.isEmpty() ? Optional.empty() : unitNanos(value.charAt(value.length() - 1));
    int digits = value.length() - 1;
    boolean numeric = digits >= 1 && digits <= MAX_DIGITS;
    long amount = 0;
    for (int i = 0; i < digits && numeric; i++) {
      char c = value.charAt(i);
      numeric = c >= '0' && c <= '9';
      amount = 10 * amount + (c - '0');
    }
    if (unit.isEmpty() || !numeric) {
      return new Malformed(
          "grpc-timeout "
              + Texts.printable(value, 40)
              + "; expected 1 to 8 digits and one of H M S m u n");
    }
    if (amount == 0) {
      return new Spent();
    }
    boolean overflows = amount > Long.MAX_VALUE / unit.get();
    return new Left(overflows ? Long.MAX_VALUE : amount * unit.get());
  }

  /**
   * Writes the field: the finest unit in which the time has eight digits, rounded down, so that
   * nobody is given more time than there is.
   *
   * @param nanos time that is left; what is not more than 0 becomes {@code 0n}
   */
  static String format(long nanos) {
    long left = Math.max(0, nanos);
    for (char unit : new char[] {'n', 'u', 'm', 'S', 'M', 'H'}) {
      long amount = left / unitNanos(unit).orElseThrow();
      if (amount < 100_000_000L) {
        return Long.toString(amount) + unit;
      }
    }
    throw new IllegalStateException("no long of nanoseconds has more hours than this");
  }

  private static Optional<Long> unitNanos(char unit) {
    return switch (unit) {
      case 'n' -> Optional.of(1L);
      case 'u' -> Optional.of(1_000L);
      case 'm' -> Optional.of(1_000_000L);
      case 'S' -> Optional.of(1_000_000_000L);
      case 'M' -> Optional.of(60_000_000_000L);
      case 'H' -> Optional.of(3_600_000_000_000L);
      default -> Optional.empty();
    };
  }
}
