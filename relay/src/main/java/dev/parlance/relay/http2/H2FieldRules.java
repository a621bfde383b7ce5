package dev.parlance.relay.http2;

import dev.parlance.relay.http1.FieldRules;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http1.Syntax;
import java.util.Optional;
import java.util.Set;

/** Checks single fields against RFC 9113 section 8.2, in requests, responses and trailers. */
public final class H2FieldRules {
  private static final Set<String> OF_THE_CONNECTION =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

  private static final int MAX_LENGTH_DIGITS = 18;

  private H2FieldRules() {}

  /** Looks at the names and values of a block; pseudo-fields are for others to look at. */
  static Optional<HeadFault> fault(H2Fields fields) {
    if (fields.latePseudoField()) {
      return HeadFault.fault("pseudo_late", "a pseudo-field behind a regular field");
    }
    for (int i = 0; i < fields.size(); i++) {
      CharSequence name = fields.nameAt(i);
      CharSequence value = fields.valueAt(i);
      Optional<HeadFault> fault = H2Fields.isPseudo(name) ? Optional.empty() : nameFault(name);
      if (fault.isEmpty()) {
        fault = valueFault(value);
      }
      if (fault.isEmpty() && name.length() == 2 && name.charAt(0) == 't') {
        fault = teFault(name, value);
      }
      if (fault.isPresent()) {
        return fault;
      }
    }
    return Optional.empty();
  }

  /** Looks at the fields behind the body of a request. */
  public static Optional<HeadFault> trailerFault(H2Fields fields) {
    for (CharSequence name : fields.names()) {
      if (H2Fields.isPseudo(name)) {
        return HeadFault.fault("pseudo_in_trailers", "a pseudo-field behind the body");
      }
    }
    Optional<HeadFault> fault = fault(fields);
    if (fault.isPresent()) {
      return fault;
    }
    for (CharSequence name : fields.names()) {
      if (FieldRules.isForbiddenTrailer(name.toString())) {
        return HeadFault.fault("trailer_forbidden", "a trailer that would act as a header");
      }
    }
    return Optional.empty();
  }

  /** A length of at most eighteen digits; -1 if it is none. */
  static long length(CharSequence text) {
    boolean ok = !text.isEmpty() && text.length() <= MAX_LENGTH_DIGITS;
    for (int i = 0; i < text.length() && ok; i++) {
      ok = Syntax.isDigit(text.charAt(i));
    }
    return ok ? Long.parseLong(text.toString()) : -1;
  }

  private static Optional<HeadFault> nameFault(CharSequence name) {
    if (name.isEmpty()) {
      return HeadFault.fault("header_name_empty", "a field without a name");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        return HeadFault.fault("header_name_uppercase", "a field name with capital letters");
      }
      if (!Syntax.isTokenChar(c)) {
        return HeadFault.fault("header_name_malformed", "expected a token for a field name");
      }
    }
    if (OF_THE_CONNECTION.contains(name.toString())) {
      return HeadFault.fault("connection_field", "a field of HTTP/1.1 connections");
    }
    return Optional.empty();
  }

  private static Optional<HeadFault> valueFault(CharSequence value) {
    int length = value.length();
    if (length == 0) {
      return Optional.empty();
    }
    if (isBlank(value.charAt(0)) || isBlank(value.charAt(length - 1))) {
      return HeadFault.fault("value_blank", "a field value that begins or ends with a blank");
    }
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c == 0) {
        return HeadFault.fault("nul", "NUL in a field value");
      }
      if (c == '\r' || c == '\n') {
        return HeadFault.fault("line_break", "a line break in a field value");
      }
      if ((c < ' ' && c != '\t') || c == 0x7f) {
        return HeadFault.fault("control_character", "a control character in a field value");
      }
    }
    return Optional.empty();
  }

  private static Optional<HeadFault> teFault(CharSequence name, CharSequence value) {
    return name.charAt(1) == 'e' && !"trailers".contentEquals(value)
        ? HeadFault.fault("te_value", "expected trailers and nothing else for te")
        : Optional.empty();
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
