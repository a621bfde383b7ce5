package dev.parlance.relay.http2;

import dev.parlance.relay.http1.FieldName;
import dev.parlance.relay.http1.FieldRules;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http1.HeadScratch;
import dev.parlance.relay.http1.HeaderFields;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides whether the fields of an HTTP/2 response are one, and takes them apart. Pure. */
public final class H2ResponseGuard {
  /** What became of a block of fields. */
  public sealed interface Outcome {}

  /**
   * The head of a response.
   *
   * @param status 100 to 599; below 200 it is an interim one
   * @param headers end-to-end fields
   * @param contentLength declared length of the body; -1 if none was declared
   */
  public record Head(int status, HttpHeaders headers, long contentLength) implements Outcome {}

  /** Not a response. */
  public record Malformed(HeadFault fault) implements Outcome {}

  private static final int SWITCHING_PROTOCOLS = 101;

  private H2ResponseGuard() {}

  public static Outcome head(H2Fields fields, HttpMethod method, boolean endStream) {
    Optional<HeadFault> fault = H2FieldRules.fault(fields);
    if (fault.isPresent()) {
      return new Malformed(fault.get());
    }
    for (int i = 0; i < fields.size(); i++) {
      CharSequence name = fields.nameAt(i);
      if (H2Fields.isPseudo(name) && !":status".contentEquals(name)) {
        return malformed("pseudo_unknown", "a pseudo-field that a response does not have");
      }
    }
    List<CharSequence> statuses = fields.getAll(":status");
    if (statuses.size() != 1) {
      return malformed("status_missing", "expected one :status");
    }
    int status = number(statuses.getFirst(), 3);
    if (status < 100 || status > 599 || status == SWITCHING_PROTOCOLS) {
      return malformed("status_out_of_range", "expected a status from 100 to 599");
    }
    List<CharSequence> lengths = fields.contentLengths();
    if (lengths.size() > 1) {
      return malformed("content_length_repeated", "expected one content-length");
    }
    long length = lengths.isEmpty() ? -1 : H2FieldRules.length(lengths.getFirst());
    boolean bodyless = method.equals(HttpMethod.HEAD) || FieldRules.isBodyless(status);
    if (!lengths.isEmpty()
        && (length < 0 || (endStream && length > 0 && !bodyless && status >= 200))) {
      return malformed("content_length_malformed", "expected the length of the body");
    }
    HttpHeaders headers = endToEnd(fields);
    if (length >= 0 && (method.equals(HttpMethod.HEAD) || status == FieldRules.NOT_MODIFIED)) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, Long.toString(length));
    }
    return new Head(status, headers, bodyless ? 0 : length);
  }

  /** The fields behind a body, as far as they may go on; empty if they are none. */
  public static Optional<HttpHeaders> trailers(H2Fields fields) {
    if (H2FieldRules.fault(fields).isPresent()
        || fields.names().stream().anyMatch(H2Fields::isPseudo)) {
      return Optional.empty();
    }
    return Optional.of(FieldRules.trailersOfOrigin(endToEnd(fields), Set.of()));
  }

  /** The fields of a block that go on. */
  public static HeaderFields endToEnd(H2Fields fields) {
    HeaderFields headers = new HeaderFields();
    HeadScratch scratch = HeadScratch.get();
    for (int i = 0; i < fields.size(); i++) {
      if (H2Fields.isPseudo(fields.nameAt(i))) {
        continue;
      }
      FieldName name = scratch.checkedName(fields.nameAt(i).toString());
      if (name.kind().passesOn()) {
        headers.addChecked(name, HeaderFields.latin(fields.valueAt(i).toString()));
      }
    }
    return headers;
  }

  private static int number(CharSequence text, int digits) {
    return text.length() == digits ? (int) H2FieldRules.length(text) : -1;
  }

  private static Outcome malformed(String code, String detail) {
    return new Malformed(HeadFault.bad(code, detail));
  }
}
