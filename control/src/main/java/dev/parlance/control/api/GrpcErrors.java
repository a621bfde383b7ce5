package dev.parlance.control.api;

import dev.parlance.control.store.Store.StoreException;
import dev.parlance.service.Result;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one form of error on the wire: a status whose message is {@code reason: words for people},
 * with the stable reason in the metadata {@code parlance-reason} too.
 */
public final class GrpcErrors {
  /** The stable reason of an error. */
  public static final Metadata.Key<String> REASON =
      Metadata.Key.of("parlance-reason", Metadata.ASCII_STRING_MARSHALLER);

  /** Half of the header list that clients of gRPC take, as the message is escaped in it. */
  private static final int MAX_MESSAGE_BYTES = 4_096;

  private static final int ASCII_END = 0x7F;

  /** Bytes of a character that is escaped: each of its four in UTF-8 as three. */
  private static final int MOST_ESCAPED = 12;

  private static final Logger log = LoggerFactory.getLogger(GrpcErrors.class);

  private GrpcErrors() {}

  /** An error with a reason. */
  static StatusRuntimeException of(Status.Code code, String reason, String message) {
    return Status.fromCode(code)
        .withDescription(reason + ": " + bounded(message))
        .asRuntimeException(reason(reason));
  }

  /** So much of a message as a client takes, which a caller may have made long. */
  private static String bounded(String message) {
    int room = MAX_MESSAGE_BYTES;
    for (int at = 0; at < message.length(); at += Character.charCount(message.codePointAt(at))) {
      int character = message.codePointAt(at);
      boolean isPlain = character >= ' ' && character < ASCII_END && character != '%';
      room -= isPlain ? 1 : MOST_ESCAPED;
      if (room < 0) {
        return message.substring(0, at) + "...";
      }
    }
    return message;
  }

  static Metadata reason(String reason) {
    Metadata trailers = new Metadata();
    trailers.put(REASON, reason);
    return trailers;
  }

  /** A refusal as an error. */
  static StatusRuntimeException of(Result.Refused<?> refused) {
    return of(code(refused.kind()), refused.reason(), refused.message());
  }

  private static Status.Code code(Result.Kind kind) {
    return switch (kind) {
      case INVALID -> Status.Code.INVALID_ARGUMENT;
      case NOT_FOUND -> Status.Code.NOT_FOUND;
      case CONFLICT -> Status.Code.ABORTED;
      case PRECONDITION -> Status.Code.FAILED_PRECONDITION;
      case EXISTS -> Status.Code.ALREADY_EXISTS;
      case DENIED -> Status.Code.PERMISSION_DENIED;
      case EXHAUSTED -> Status.Code.RESOURCE_EXHAUSTED;
      case OUT_OF_RANGE -> Status.Code.OUT_OF_RANGE;
      case UNAVAILABLE -> Status.Code.UNAVAILABLE;
    };
  }

  /** What went wrong inside, as an error that says no more than the caller needs. */
  static StatusRuntimeException of(Throwable cause) {
    return switch (cause) {
      case StatusRuntimeException known -> known;
      case StoreException e -> {
        log.atWarn().setCause(e).log("the store could not be used");
        yield of(Status.Code.UNAVAILABLE, "store_unavailable", "the store cannot be used now");
      }
      case IOException e -> unreadable(e);
      case UncheckedIOException e -> unreadable(e);
      default -> {
        log.atError().setCause(cause).log("a call failed");
        yield of(Status.Code.INTERNAL, "internal", "see the log of this replica");
      }
    };
  }

  private static StatusRuntimeException unreadable(Exception e) {
    log.atWarn().setCause(e).log("the ledger could not be read");
    return of(Status.Code.UNAVAILABLE, "ledger_unavailable", "the ledger cannot be read now");
  }
}
