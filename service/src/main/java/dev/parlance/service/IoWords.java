package dev.parlance.service;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Words for why a file or a connection failed, for people who need not know how the JDK says it.
 */
public final class IoWords {
  private static final String NO_REASON = "it failed, and no reason was given";

  private IoWords() {}

  /** Why it failed; which file or address it was is for the caller to say. */
  public static String why(Throwable problem) {
    String said =
        problem instanceof FileSystemException file ? file.getReason() : problem.getMessage();
    return switch (problem) {
      case NoSuchFileException _ -> "not found";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "exists already";
      case FileSystemException _ -> said == null ? "cannot be used" : said;
      case CharacterCodingException _ -> "no UTF-8 text";
      case UnknownHostException _ -> "no such host" + (said == null ? "" : ": " + said);
      case HttpTimeoutException _ -> "no answer in time";
      case ConnectException _ ->
          said == null || said.contains("Connection refused") ? "connection refused" : said;
      case EOFException _ -> said == null ? "it ended too early" : said;
      case ClosedChannelException _ -> "the connection has ended";
      case UncheckedIOException unchecked when unchecked.getCause() != null ->
          why(unchecked.getCause());
      default -> said == null ? NO_REASON : said;
    };
  }

  /** The same behind the file that it is about, where the failure names one. */
  public static String withFile(Throwable problem) {
    return problem instanceof FileSystemException file && file.getFile() != null
        ? file.getFile() + ": " + why(file)
        : why(problem);
  }

  /**
   * Why a call over gRPC failed, whose transport itself says no more than "io exception".
   *
   * @param description of its status
   * @param cause of its status
   */
  public static String ofCall(@Nullable String description, @Nullable Throwable cause) {
    boolean saysNothing = description == null || description.equals("io exception");
    if (saysNothing && cause != null) {
      return why(cause);
    }
    return description == null ? NO_REASON : description;
  }
}
