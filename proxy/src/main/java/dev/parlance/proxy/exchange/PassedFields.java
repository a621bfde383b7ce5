package dev.parlance.proxy.exchange;

import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.wire.api.Plumbing;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Bounds the header fields and trailers that go on beside a message. */
final class PassedFields {
  /** Most characters of all names and values behind a body. */
  static final int CHARACTERS = 512;

  private static final String FOR_BROWSERS = "access-control-";

  /** Samples as protobuf, which nobody here can read. */
  private static final String PROTOBUF_SAMPLES = "application/vnd.google.protobuf";

  private static final List<String> STATUS =
      List.of("grpc-status", "grpc-message", "grpc-status-details-bin");

  /** Fields of an error without which its client cannot go on, in the order in which they stay. */
  private static final List<String> OF_ERROR =
      List.of(
          "location",
          "www-authenticate",
          "proxy-authenticate",
          "allow",
          "set-cookie",
          "mcp-session-id",
          "mcp-protocol-version",
          "a2a-version",
          "a2a-extensions",
          "x-request-id",
          "request-id",
          "date",
          "vary");

  private static final List<String> LONG =
      List.of("location", "www-authenticate", "set-cookie", "content-security-policy");

  /** What names of fields contain that tell clients, or browsers, what to do about an error. */
  private static final List<String> ADVICE = List.of("retry", "ratelimit", FOR_BROWSERS);

  /** Blanks of a value that is more than a date or a few tokens. */
  private static final int WORDS = 6;

  /** Bytes beyond ASCII of such a value in a script without blanks. */
  private static final int WIDE_BYTES = 18;

  private static final Set<String> ACTED_ON =
      Set.of(
          "alt-svc",
          "cache-control",
          "feature-policy",
          "link",
          "nel",
          "permissions-policy",
          "report-to",
          "reporting-endpoints",
          "server-timing",
          "set-cookie",
          "strict-transport-security",
          "vary",
          "www-authenticate");

  private static final List<String> ACTED_ON_PREFIXES =
      List.of("accept-", "access-control-", "content-security-policy");

  private PassedFields() {}

  /**
   * Characters of the fields beside an error, where words can hide as well as in it. The few that
   * are long by nature count where they are longer than an error may be.
   */
  static int besideError(HttpHeaders headers, int most) {
    int characters = 0;
    for (Map.Entry<String, String> field : headers) {
      int length = field.getValue().length();
      if (length > most || !LONG.contains(field.getKey().toLowerCase(Locale.ROOT))) {
        characters += length;
      }
    }
    return characters;
  }

  private static boolean isOfError(String name) {
    return OF_ERROR.contains(name) || ADVICE.stream().anyMatch(name::contains);
  }

  /**
   * Puts the fields of an agent's error beside what stands in its place.
   *
   * @param most characters of all of them together
   */
  static void keepOfError(HttpHeaders agents, HttpHeaders into, int most) {
    List<Map.Entry<String, String>> kept = new ArrayList<>();
    agents.forEach(field -> {
      if (isOfError(field.getKey().toLowerCase(Locale.ROOT))) {
        kept.add(field);
      }
    });
    kept.sort(
        Comparator.comparingInt(field -> {
          int place = OF_ERROR.indexOf(field.getKey().toLowerCase(Locale.ROOT));
          return place < 0 ? 1 : place; // advice is next to where to go
        }));
    int characters = 0;
    for (Map.Entry<String, String> field : kept) {
      characters += field.getKey().length() + field.getValue().length();
      if (characters <= most) {
        into.add(field.getKey(), field.getValue());
      }
    }
  }

  /** Puts what an agent says to browsers of other origins beside what stands in its place. */
  static void keepForBrowsers(HttpHeaders agents, HttpHeaders into) {
    int characters = 0;
    for (Map.Entry<String, String> field : agents) {
      if (field.getKey().toLowerCase(Locale.ROOT).startsWith(FOR_BROWSERS)) {
        characters += field.getKey().length() + field.getValue().length();
        if (characters <= CHARACTERS) {
          into.add(field.getKey(), field.getValue());
        }
      }
    }
  }

  /**
   * The fields with which an agent is asked: the caller's, but that, where anything is changed,
   * {@code Accept-Encoding} goes on with those codings alone that the sidecar can read. A stream is
   * read event by event, so it must come without one.
   */
  static HttpHeaders toAgent(ExchangeContext exchange) {
    HttpHeaders headers = exchange.request.headers().copy();
    if (exchange.rule.isTap()) {
      exchange.review.ifPresent(id -> headers.set(VerdictFields.REVIEW, id));
      return headers;
    }
    if (exchange.asked.isPresent() && AnswerHead.mayStream(exchange.asked.get())) {
      headers.set(HttpHeaderNames.ACCEPT_ENCODING, "identity");
    } else {
      narrowCodings(headers);
    }
    if (!exchange.observing()
        && exchange.plumbing.filter(call -> call.name() == Plumbing.METRICS).isPresent()) {
      askForText(headers);
    }
    return headers;
  }

  /** A scraper that takes samples as protobuf takes them as text as well. */
  private static void askForText(HttpHeaders headers) {
    List<String> kept = new ArrayList<>();
    for (String value : headers.getAll(HttpHeaderNames.ACCEPT)) {
      for (String item : value.split(",", -1)) {
        if (!item.strip().toLowerCase(Locale.ROOT).startsWith(PROTOBUF_SAMPLES)) {
          kept.add(item.strip());
        }
      }
    }
    if (!kept.isEmpty()) {
      headers.set(HttpHeaderNames.ACCEPT, String.join(", ", kept));
    }
  }

  /** Narrows the field, if it is there, to gzip, deflate and identity. */
  private static void narrowCodings(HttpHeaders headers) {
    if (!headers.contains(HttpHeaderNames.ACCEPT_ENCODING)) {
      return;
    }
    List<String> kept = new ArrayList<>();
    boolean foreign = false;
    for (String value : headers.getAll(HttpHeaderNames.ACCEPT_ENCODING)) {
      for (String item : value.split(",", -1)) {
        String trimmed = item.trim();
        int parameter = trimmed.indexOf(';');
        String coding =
            (parameter < 0 ? trimmed : trimmed.substring(0, parameter))
                .trim()
                .toLowerCase(Locale.ROOT);
        switch (coding) {
          case "gzip", "x-gzip", "deflate", "identity" -> kept.add(trimmed);
          default -> foreign = true;
        }
      }
    }
    if (foreign) {
      headers.set(
          HttpHeaderNames.ACCEPT_ENCODING, kept.isEmpty() ? "identity" : String.join(", ", kept));
    }
  }

  /**
   * Takes the fields behind a body off that are too long, unless nothing is held back. An agent
   * writes them after everything that was judged, so they are a place to hide words in. The status
   * of a gRPC call is not: codecs read its words.
   */
  static void boundTrailers(ExchangeContext exchange, HttpHeaders trailers) {
    if (exchange.observing()) {
      return;
    }
    if (isBounded(trailers, field -> !STATUS.contains(name(field)))) {
      exchange.record.streamRejected("trailers_too_large");
    }
  }

  /**
   * Takes the fields of an answer's head off that hold more than a few words, unless nothing is
   * held back: a head has room for an essay, and nobody reads it. Tokens are no words, and fields
   * that browsers and proxies act on are not looked at. The status of a gRPC call stands there
   * where nothing was answered, and codecs read its words.
   */
  static void boundHead(ExchangeContext exchange, HttpHeaders head) {
    boolean isGrpc =
        exchange.asked.isPresent() && ExchangeContext.mediaType(head).startsWith(AnswerHead.GRPC);
    if (!exchange.observing()
        && isBounded(
            head,
            field ->
                hasWords(field.getValue())
                    && !isActedOn(name(field))
                    && !(isGrpc && STATUS.contains(name(field))))) {
      exchange.record.streamRejected("head_words");
    }
  }

  private static String name(Map.Entry<String, String> field) {
    return field.getKey().toLowerCase(Locale.ROOT);
  }

  private static boolean isActedOn(String name) {
    return ACTED_ON.contains(name) || ACTED_ON_PREFIXES.stream().anyMatch(name::startsWith);
  }

  private static boolean hasWords(String value) {
    int blanks = 0;
    int wide = 0;
    for (int i = 0; i < value.length() && blanks < WORDS && wide < WIDE_BYTES; i++) {
      char c = value.charAt(i);
      boolean coded = c == '%' && i + 1 < value.length();
      blanks += c == ' ' || c == '\t' || (coded && value.startsWith("20", i + 1)) ? 1 : 0;
      wide += c >= 0x80 || (coded && value.charAt(i + 1) >= '8') ? 1 : 0;
    }
    return blanks >= WORDS || wide >= WIDE_BYTES;
  }

  /** Takes off what is too much of the fields that count, and is true if there was any. */
  private static boolean isBounded(
      HttpHeaders fields, Predicate<Map.Entry<String, String>> counts) {
    int characters = 0;
    for (Map.Entry<String, String> field : fields) {
      characters += counts.test(field) ? field.getKey().length() + field.getValue().length() : 0;
    }
    if (characters <= CHARACTERS) {
      return false;
    }
    // All at once: one by one would be the square of as many as an agent may send.
    List<Map.Entry<String, String>> all = fields.entries();
    fields.clear();
    int room = CHARACTERS;
    for (Map.Entry<String, String> field : all) {
      room -= counts.test(field) ? field.getKey().length() + field.getValue().length() : 0;
      if (room >= 0 || !counts.test(field)) {
        fields.add(field.getKey(), field.getValue());
      }
    }
    return true;
  }

  /** Takes the words of a status off that no codec reads, if they are many. */
  static void boundStatus(HttpHeaders fields) {
    if (length(fields, "grpc-message") + length(fields, "grpc-status-details-bin") > CHARACTERS) {
      fields.remove("grpc-message");
      fields.remove("grpc-status-details-bin");
    }
  }

  private static int length(HttpHeaders fields, String name) {
    return fields.getAll(name).stream().mapToInt(String::length).sum();
  }

  /**
   * A gRPC answer without any message may have its status in the head; in a stream that we write it
   * stands behind the body, where every client looks for it.
   */
  static HttpHeaders withStatusOf(HttpHeaders head, HttpHeaders trailers) {
    for (String name : STATUS) {
      String value = head.get(name);
      if (value != null) {
        head.remove(name);
        trailers.set(name, value);
      }
    }
    return trailers;
  }
}
