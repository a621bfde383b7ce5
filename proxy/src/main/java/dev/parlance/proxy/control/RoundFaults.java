package dev.parlance.proxy.control;

import dev.parlance.proxy.gate.Rounds;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Locale;
import java.util.Optional;

/** What a failed call to the control plane means. */
public final class RoundFaults {
  /** Whether it cannot be reached, breaks off or is too slow is chance: its caller is told one. */
  public static final Rounds.Fault UNREACHED =
      new Rounds.Unavailable("the control plane could not be reached");

  private static final Metadata.Key<String> REASON =
      Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER);
  private static final int MAX_CODE = 40;
  private static final int MAX_DETAIL = 200;

  private RoundFaults() {}

  /**
   * True if the same call may well succeed in a moment: the control plane says so, or the
   * connection was cut, which gRPC tells as {@code UNKNOWN} or {@code INTERNAL} if it happens under
   * a write.
   */
  public static boolean isPassing(Status status, Optional<Metadata> trailers) {
    return status.getCode() == Status.Code.UNAVAILABLE || isCut(status, trailers);
  }

  private static boolean isCut(Status status, Optional<Metadata> trailers) {
    return reason(trailers).isEmpty()
        && (status.getCode() == Status.Code.UNKNOWN || status.getCode() == Status.Code.INTERNAL);
  }

  /** True if it was not the control plane that said this, but nobody. */
  public static boolean isUnreached(Status status, Optional<Metadata> trailers) {
    return isCut(status, trailers)
        || (reason(trailers).isEmpty()
            && (status.getCode() == Status.Code.UNAVAILABLE
                || status.getCode() == Status.Code.DEADLINE_EXCEEDED));
  }

  /**
   * The fault as the message path takes it. Only what the control plane says with a reason, and of
   * the request, is a refusal; all else is a lack of an answer.
   */
  public static Rounds.Fault of(Status status, Optional<Metadata> trailers) {
    if (isUnreached(status, trailers)) {
      return UNREACHED;
    }
    Optional<String> reason = reason(trailers);
    String detail = detail(status, reason);
    return switch (status.getCode()) {
      case FAILED_PRECONDITION,
          PERMISSION_DENIED,
          NOT_FOUND,
          INVALID_ARGUMENT,
          ALREADY_EXISTS,
          OUT_OF_RANGE,
          ABORTED ->
          reason.isPresent()
              ? new Rounds.Refused(reason.get(), detail)
              : new Rounds.Unavailable(code(status) + ": " + detail);
      case OK,
          CANCELLED,
          UNKNOWN,
          DEADLINE_EXCEEDED,
          RESOURCE_EXHAUSTED,
          UNIMPLEMENTED,
          INTERNAL,
          UNAVAILABLE,
          DATA_LOSS,
          UNAUTHENTICATED ->
          new Rounds.Unavailable(reason.orElse(code(status)) + ": " + detail);
    };
  }

  private static Optional<String> reason(Optional<Metadata> trailers) {
    return trailers
        .flatMap(fields -> Optional.ofNullable(fields.get(REASON)))
        .filter(RoundFaults::isCode);
  }

  private static boolean isCode(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_CODE
        && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  }

  private static String code(Status status) {
    return status.getCode().name().toLowerCase(Locale.ROOT);
  }

  /** The description without the reason that it begins with, as printable ASCII. */
  private static String detail(Status status, Optional<String> reason) {
    String given = Optional.ofNullable(status.getDescription()).orElse("");
    String head = reason.map(code -> code + ": ").orElse("");
    String text = given.startsWith(head) ? given.substring(head.length()) : given;
    String cut = text.length() > MAX_DETAIL ? text.substring(0, MAX_DETAIL) + "..." : text;
    return cut.replaceAll("[^ -~]", "?");
  }
}
