package dev.parlance.wire.grpc;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.proto.ProtoStrings;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The status of a gRPC call, from its trailers, or from its head where there is nothing else.
 *
 * @param code 0 if it went well; {@value #UNKNOWN} for what is no number
 * @param message the text of {@code grpc-message}, decoded
 * @param details every text in {@code grpc-status-details-bin}
 * @param bytes size of message and details as they were sent
 */
public record GrpcStatus(int code, String message, List<String> details, int bytes) {
  static final int OK = 0;
  static final int UNKNOWN = 2;

  private static final String CODE = "grpc-status";
  private static final String MESSAGE = "grpc-message";
  private static final String DETAILS = "grpc-status-details-bin";

  /** A call that went well needs no words; up to this many bytes are let be ("OK"). */
  private static final int FREE_BYTES = 64;

  public GrpcStatus {
    details = List.copyOf(details);
  }

  /** Reads the fields; empty if there is no status in them. */
  public static Optional<GrpcStatus> of(HeaderLookup fields) {
    Optional<String> code = fields.first(CODE);
    Optional<String> message = fields.first(MESSAGE);
    Optional<String> details = fields.first(DETAILS);
    if (code.isEmpty() && message.isEmpty() && details.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new GrpcStatus(
            code.map(GrpcStatus::number).orElse(UNKNOWN),
            message.map(GrpcStatus::percentDecoded).orElse(""),
            details.map(GrpcStatus::textsOf).orElse(List.of()),
            message.map(String::length).orElse(0) + details.map(String::length).orElse(0)));
  }

  private static int number(String code) {
    String digits = code.strip();
    boolean decimal = !digits.isEmpty() && digits.length() <= 2;
    for (int i = 0; i < digits.length() && decimal; i++) {
      decimal = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    return decimal ? Integer.parseInt(digits) : UNKNOWN;
  }

  /** The error that it stands for; empty for a call that went well and says nothing more. */
  public Optional<AgentError> error() {
    List<Utf8Span> texts = texts();
    return isOk() && texts.isEmpty()
        ? Optional.empty()
        : Optional.of(new AgentError(bytes, Optional.of(Texts.join(texts)), code, "", ""));
  }

  boolean isOk() {
    return code == OK;
  }

  /** The texts that a receiver could show, each once; none for the few words of a success. */
  public List<Utf8Span> texts() {
    Set<String> texts = new LinkedHashSet<>();
    if (!message.isBlank()) {
      texts.add(message);
    }
    texts.addAll(details);
    List<Utf8Span> spans = new ArrayList<>();
    int bytes = 0;
    for (String text : texts) {
      Utf8Span span = Utf8Span.of(text);
      spans.add(span);
      bytes += span.length();
    }
    return isOk() && bytes <= FREE_BYTES ? List.of() : spans;
  }

  /** Decodes what can be decoded, and leaves the rest as it is. */
  static String percentDecoded(String value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(value.length());
    int at = 0;
    while (at < value.length()) {
      char c = value.charAt(at);
      int octet = c == '%' && at + 2 < value.length() ? hex2(value, at + 1) : -1;
      if (octet >= 0) {
        out.write(octet);
        at += 3;
      } else {
        out.writeBytes(Texts.utf8(String.valueOf(c)));
        at++;
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static int hex2(String value, int at) {
    int high = Character.digit(value.charAt(at), 16);
    int low = Character.digit(value.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  /** Encodes as gRPC does: all but printable ASCII, and the percent sign. */
  public static String percentEncoded(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (byte b : Texts.utf8(text)) {
      if (b >= 0x20 && b < 0x7f && b != '%') {
        out.append((char) b);
      } else {
        out.append('%')
            .append(Character.toUpperCase(Character.forDigit((b >> 4) & 0xf, 16)))
            .append(Character.toUpperCase(Character.forDigit(b & 0xf, 16)));
      }
    }
    return out.toString();
  }

  /** Texts of a value, or of several joined by commas; the value itself where it is no base64. */
  private static List<String> textsOf(String value) {
    List<String> texts = new ArrayList<>();
    try {
      for (String one : value.split(",", -1)) {
        String bare = one.strip().replace("=", "");
        new ProtoStrings(Base64.getDecoder().decode(bare)).collect(texts);
      }
      return texts;
    } catch (IllegalArgumentException notBase64) {
      return List.of(value);
    }
  }
}
