package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.it.ObserveTapIT.Row;
import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Exchanges of every kind, drawn by a seed, directly and through a sidecar that observes: what the
 * agent gets and what the caller gets are the same both times. {@code -Dsoak=1000} makes 10,000 of
 * them, the default some hundred.
 */
@ExtendWith(LeakCheck.class)
@Timeout(1800)
class MixedTapIT {
  private static final int EXCHANGES = Math.max(150, Integer.getInteger("soak", 0) * 10);
  private static final long SEED = 40;
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY");
  private static final List<String> PATHS =
      List.of(
          "/", "/a2a", "//x//y", "/a%00b", "/%2e%2e/c", "/v1/chat/completions", "/mcp", "/:x?q=1");
  private static final List<String> TYPES =
      List.of(
          "application/json",
          "text/plain",
          "text/event-stream",
          "application/octet-stream",
          "application/x-ndjson",
          "text/html; charset=iso-8859-1");
  private static final List<Integer> STATUSES =
      List.of(200, 200, 200, 201, 202, 204, 299, 304, 400, 404, 429, 499, 500, 503, 599);
  private static final String A2A =
      "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"When"
          + " is it replaced?\"}]}}}";
  private static final String ANSWER =
      "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"message\":{\"messageId\":\"a\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"Whenever"
          + " it feels right.\"}]}}}";

  @TempDir static Path folder;

  /** One exchange as bytes. */
  private static Row drawn(int number, Random random) {
    String method = METHODS.get(random.nextInt(METHODS.size()));
    List<String> fields = new ArrayList<>(List.of("Host: agent.test", "X-Number: " + number));
    fields(random, fields);
    boolean isHttp10 = random.nextInt(8) == 0;
    boolean hasBody = !method.equals("OPTIONS") && random.nextInt(4) > 0;
    String body = hasBody ? body(number, random, A2A) : "";
    String sent = "";
    if (!body.isEmpty()) {
      fields.add("Content-Type: " + TYPES.get(random.nextInt(TYPES.size())));
      boolean inChunks = !isHttp10 && random.nextInt(3) == 0;
      fields.add(
          random.nextInt(fields.size() + 1),
          inChunks ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length());
      sent = inChunks ? chunks(body, true, random) : body;
    }
    String request =
        method
            + " "
            + PATHS.get(random.nextInt(PATHS.size()))
            + (isHttp10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
            + String.join("\r\n", fields)
            + "\r\n\r\n"
            + sent;
    // Nobody who speaks HTTP/1.0 is given a head before the last one (RFC 9110, 15.2).
    String early = isHttp10 ? "" : early(random);
    String answer = early + answer(number, method.equals("HEAD"), isHttp10, random);
    return new Row(method + " " + number, request, answer.getBytes(ISO_8859_1));
  }

  /** Heads before the last one, most often none. */
  private static String early(Random random) {
    StringBuilder heads = new StringBuilder();
    while (random.nextInt(8) == 0) {
      int status = random.nextBoolean() ? 103 : 102;
      heads.append("HTTP/1.1 ").append(status).append(phrase(status, random)).append("\r\n");
      if (status == 103) {
        heads.append("LINK: </a.css>; rel=preload\r\nx-Twice: 1\r\nX-Twice: \r\n");
      }
      heads.append("\r\n");
    }
    return heads.toString();
  }

  private static String answer(int number, boolean toHead, boolean toHttp10, Random random) {
    int status = STATUSES.get(random.nextInt(STATUSES.size()));
    boolean isHttp10 = random.nextInt(8) == 0;
    List<String> fields =
        new ArrayList<>(List.of("Content-Type: " + TYPES.get(random.nextInt(TYPES.size()))));
    fields(random, fields);
    String body = body(number, random, ANSWER);
    int framing = random.nextInt(3);
    String sent = body;
    if (status == 204) {
      sent = "";
    } else if (framing == 0) {
      fields.add(random.nextInt(fields.size() + 1), "content-Length: " + body.length());
    } else if (framing == 1 && !isHttp10 && status != 304) {
      fields.add("Transfer-Encoding: chunked");
      sent = body.isEmpty() ? "0\r\n\r\n" : chunks(body, !toHttp10, random);
    }
    return (isHttp10 ? "HTTP/1.0 " : "HTTP/1.1 ")
        + status
        + phrase(status, random)
        + "\r\n"
        + String.join("\r\n", fields)
        + "\r\n\r\n"
        + (toHead || status == 304 ? "" : sent);
  }

  /** With a blank before it, if there is one. */
  private static String phrase(int status, Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> "";
      case 1 -> " ";
      case 2 -> " As you like it";
      case 3 -> " " + new String("Caf\u00e9".getBytes(UTF_8), ISO_8859_1);
      default -> " " + HttpResponseStatus.valueOf(status).reasonPhrase();
    };
  }

  private static void fields(Random random, List<String> fields) {
    if (random.nextInt(3) == 0) {
      fields.add("traceparent: 00-%032x-00000000000000aa-01".formatted(random.nextInt(1, 1 << 20)));
    }
    if (random.nextInt(4) == 0) {
      fields.add("X-Name: " + new String("Zo\u00eb \u6771\u4eac".getBytes(UTF_8), ISO_8859_1));
    }
    if (random.nextInt(4) == 0) {
      fields.add("X-Twice: a");
      fields.add("x-twice: b, c");
    }
    if (random.nextInt(5) == 0) {
      fields.add("A2A-Version: 1.0");
      fields.add("A2A-VERSION:");
    }
    if (random.nextInt(5) == 0) {
      fields.add("via: 1.0 fred, 1.1 p.example");
      fields.add("X-Forwarded-For: 192.0.2.43");
      fields.add("x-forwarded-Proto: https");
      fields.add("Forwarded: for=192.0.2.43");
    }
    if (random.nextInt(5) == 0) {
      fields.add("x-WIDE:none");
      fields.add("X-Wide: \t two  blanks, inside \t ");
    }
    if (random.nextInt(6) == 0) {
      fields.add("X_Odd: " + "w ".repeat(random.nextInt(200)) + "z");
    }
  }

  /** JSON that is a message, text, or bytes that are nothing. */
  private static String body(int number, Random random, String message) {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> message.formatted(number);
      case 2 -> "data: " + message.formatted(number) + "\n\n: bye\r\n\r\ndata: [DONE]\n\n";
      case 3 -> "x".repeat(random.nextInt(60_000)) + "{\"a\":";
      default -> {
        byte[] bytes = new byte[random.nextInt(1, 3000)];
        random.nextBytes(bytes);
        yield new String(bytes, ISO_8859_1);
      }
    };
  }

  private static String chunks(String body, boolean mayTrail, Random random) {
    StringBuilder chunks = new StringBuilder();
    for (int at = 0; at < body.length(); ) {
      int length = Math.min(body.length() - at, 1 + random.nextInt(8000));
      chunks.append(Integer.toHexString(length)).append("\r\n");
      chunks.append(body, at, at + length).append("\r\n");
      at += length;
    }
    chunks.append("0\r\n");
    if (mayTrail && random.nextInt(3) == 0) {
      chunks.append("X-Sum: 1\r\nx-none:\r\nX-Wide:\t two  blanks \r\n");
    }
    return chunks.append("\r\n").toString();
  }

  @Test
  void mixedExchanges_areTheSameOnBothSides() throws Exception {
    Random random = new Random(SEED);
    List<String> different = new ArrayList<>();
    try (ObserveTapIT.Agent agent = new ObserveTapIT.Agent();
        LocalSidecar observing =
            LocalSidecar.start(
                folder,
                "mixed",
                "mode: observe\n",
                LocalSidecar.inboundTo(agent.port()),
                LocalSidecar.outbound())) {
      for (int i = 0; i < EXCHANGES; i++) {
        Row row = drawn(i, random);
        List<String> direct = ObserveTapIT.exchange(agent, agent.port(), row);
        List<String> through = ObserveTapIT.exchange(agent, observing.inbound(), row);
        if (!direct.equals(through)) {
          int side = direct.getFirst().equals(through.getFirst()) ? 1 : 0;
          int at = ObserveTapIT.mismatch(direct.get(side), through.get(side));
          different.add(
              row
                  + (side == 0 ? " answer\n" : " request\n")
                  + ObserveTapIT.part(direct.get(side), at)
                  + "\nthrough:\n"
                  + ObserveTapIT.part(through.get(side), at));
        }
      }
    }
    assertThat(different).as("of " + EXCHANGES).isEmpty();
  }
}
