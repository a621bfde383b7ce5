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

/**
 * Words for why a file or a connection failed, for people who need not know how the JDK says it.
 */
public final class IoWords {
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
      case ConnectException _ -> said == null ? "connection refused" : said;
      case EOFException _ -> said == null ? "it ended too early" : said;
      case ClosedChannelException _ -> "the connection has ended";
      case UncheckedIOException unchecked when unchecked.getCause() != null ->
          why(unchecked.getCause());
      default -> said == null ? "it failed, and no reason was given" : said;
    };
  }
}
