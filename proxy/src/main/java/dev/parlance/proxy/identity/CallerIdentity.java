package dev.parlance.proxy.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells the callers behind one address apart by what they say of themselves that outlives a renewed
 * token: their API key, the user whom a proxy before them has found, the user of Basic credentials,
 * issuer and subject of a JWT. An opaque token and cookies say nothing: a renewed one is another
 * text. Nothing is verified here; the address counts beside it.
 */
public final class CallerIdentity {
  private static final List<String> NAMING =
      List.of(
          "x-api-key",
          "api-key",
          "x-forwarded-user",
          "x-forwarded-email",
          "x-auth-request-user",
          "x-auth-request-email",
          "x-user-id");

  private static final List<String> CLAIMS =
      List.of("iss", "sub", "client_id", "azp", "oid", "email");

  private static final JsonScanner.Limits LIMITS = new JsonScanner.Limits(32, 512);
  private static final int MAX_TOKEN_CHARS = 16 * 1024;

  private CallerIdentity() {}

  /** Its parts, in an order of their own. */
  public static List<String> of(HeaderLookup fields) {
    List<String> parts = new ArrayList<>(NAMING.size() + CLAIMS.size());
    NAMING.forEach(name -> parts.add(fields.first(name).orElse("")));
    List<String> credentials = credentials(fields.first("authorization").orElse("").strip());
    parts.add(Integer.toString(credentials.size()));
    parts.addAll(credentials);
    return parts;
  }

  private static List<String> credentials(String field) {
    int blank = field.indexOf(' ');
    if (blank < 0 || field.length() > MAX_TOKEN_CHARS) {
      return List.of();
    }
    String token = field.substring(blank + 1).strip();
    return switch (field.substring(0, blank).toLowerCase(Locale.ROOT)) {
      case "basic" ->
          decoded(Base64.getDecoder(), token)
              .map(pair -> new String(pair, UTF_8).split(":", 2)[0])
              .map(List::of)
              .orElse(List.of());
      case "bearer" -> claims(token);
      default -> List.of();
    };
  }

  private static List<String> claims(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return List.of();
    }
    Optional<byte[]> payload = decoded(Base64.getUrlDecoder(), parts[1]);
    if (payload.isEmpty()
        || !(JsonScanner.scan(payload.get(), LIMITS)
            instanceof JsonScanner.Scanned(JsonDocument json))) {
      return List.of();
    }
    return CLAIMS.stream()
        .map(name -> json.optionalString(json.member(json.root(), name)).orElse(""))
        .toList();
  }

  private static Optional<byte[]> decoded(Base64.Decoder decoder, String text) {
    try {
      return Optional.of(decoder.decode(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
