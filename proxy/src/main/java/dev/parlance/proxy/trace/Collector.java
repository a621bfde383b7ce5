package dev.parlance.proxy.trace;

import dev.parlance.proxy.config.TraceSettings;
import dev.parlance.service.IoWords;
import dev.parlance.service.identity.Pem;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The collector that spans are posted to, by OTLP over HTTP in JSON. A client of its own: it takes
 * neither connections nor event loops from messages, goes through no proxy and follows no redirect.
 */
final class Collector implements AutoCloseable {
  /** Most bytes of an answer that are read. */
  private static final int MAX_ANSWER_BYTES = 64 * 1024;

  private static final int MAX_HEADERS_BYTES = 64 * 1024;
  private static final int CONNECT_MS = 2_000;
  private static final int OK = 200;
  private static final int FIRST_NOT_OK = 300;
  private static final int TOO_MANY = 429;
  private static final int BAD_GATEWAY = 502;
  private static final int UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;

  /** What came of one request. */
  sealed interface Reply {
    /**
     * It was taken.
     *
     * @param rejected so many of its spans were not
     */
    record Taken(int rejected) implements Reply {}

    /**
     * It may be sent again.
     *
     * @param after not before this time has passed, if the collector says so
     * @param why for the log
     */
    record Later(Optional<Duration> after, String why) implements Reply {}

    /**
     * It would be refused again.
     *
     * @param why for the log
     */
    record Refused(String why) implements Reply {}
  }

  private final TraceSettings settings;
  private final List<String> fields;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client;

  private Collector(TraceSettings settings, List<String> fields, Optional<SSLContext> trust) {
    this.settings = settings;
    this.fields = fields;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(Duration.ofMillis(CONNECT_MS))
            .executor(threads);
    trust.ifPresent(builder::sslContext);
    this.client = builder.build();
  }

  /**
   * The collector of a configuration, which is not asked yet.
   *
   * @throws IOException if a file cannot be used
   */
  static Collector of(TraceSettings settings) throws IOException {
    List<String> fields =
        settings.headersFile().isPresent() ? fields(settings.headersFile().get()) : List.of();
    Optional<SSLContext> trust =
        settings.ca().isPresent() ? Optional.of(trust(settings.ca().get())) : Optional.empty();
    return new Collector(settings, fields, trust);
  }

  /** Names and values in turn; blank lines and lines with a # in front are left out. */
  private static List<String> fields(Path file) throws IOException {
    if (Files.size(file) > MAX_HEADERS_BYTES) {
      throw new IOException("/traces/headersFile: more than " + MAX_HEADERS_BYTES + " bytes");
    }
    List<String> fields = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      int colon = line.indexOf(':');
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String name = line.substring(0, Math.max(0, colon)).strip();
      String value = line.substring(colon + 1).strip();
      if (!isField(name, value)) {
        // the line itself may be a secret
        throw new IOException(
            "/traces/headersFile: line " + number + " is no field 'Name: value' that can be sent");
      }
      fields.add(name);
      fields.add(value);
    }
    return List.copyOf(fields);
  }

  private static boolean isField(String name, String value) {
    try {
      HttpRequest.Builder _ = HttpRequest.newBuilder().header(name, value);
      return true;
    } catch (IllegalArgumentException _) { // its message has the value
      return false;
    }
  }

  private static SSLContext trust(Path file) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (X509Certificate authority : Pem.certificates(Files.readAllBytes(file))) {
        store.setCertificateEntry("ca" + store.size(), authority);
      }
      TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("/traces/ca: " + e.getMessage(), e);
    }
  }

  private HttpRequest request(byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(settings.endpoint())
            .timeout(Duration.ofMillis(settings.timeoutMs()))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    for (int i = 0; i < fields.size(); i += 2) {
      request.header(fields.get(i), fields.get(i + 1));
    }
    return request.setHeader("Content-Type", "application/json").build();
  }

  /**
   * Posts spans; blocks, for as long as one request may take.
   *
   * @throws InterruptedException if the thread is interrupted; nothing is known of the request then
   */
  Reply post(byte[] body) throws InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> asked =
        client.sendAsync(
            request(body),
            HttpResponse.BodyHandlers.limiting(
                HttpResponse.BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
    try {
      return reply(asked.get(settings.timeoutMs(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return new Reply.Later(Optional.empty(), "no answer in " + settings.timeoutMs() + " ms");
    } catch (ExecutionException e) {
      Throwable cause = Optional.ofNullable(e.getCause()).orElse(e);
      return new Reply.Later(Optional.empty(), IoWords.why(cause));
    } finally {
      boolean _ = asked.cancel(true);
    }
  }

  private static Reply reply(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status >= OK && status < FIRST_NOT_OK) {
      return new Reply.Taken(rejected(response.body()));
    }
    return switch (status) {
      case TOO_MANY, BAD_GATEWAY, UNAVAILABLE, GATEWAY_TIMEOUT ->
          new Reply.Later(
              response.headers().firstValue("Retry-After").flatMap(Collector::after),
              "status " + status);
      default -> new Reply.Refused("status " + status);
    };
  }

  /** Seconds, or a date of HTTP. */
  private static Optional<Duration> after(String value) {
    String text = value.strip();
    try {
      return Optional.of(
          text.chars().allMatch(Character::isDigit)
              ? Duration.ofSeconds(Long.parseLong(text))
              : Duration.between(
                  Instant.now(), ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)));
    } catch (DateTimeException | NumberFormatException | ArithmeticException e) {
      return Optional.empty(); // the usual pause
    }
  }

  /** What {@code partialSuccess} says; an answer that says nothing took all. */
  private static int rejected(byte[] body) {
    try {
      long rejected =
          JsonMapper.shared().readTree(body).path("partialSuccess").path("rejectedSpans").asLong(0);
      return Math.clamp(rejected, 0, Integer.MAX_VALUE);
    } catch (JacksonException e) {
      return 0;
    }
  }

  /** Whatever is under way is given up. */
  @Override
  public void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }
}
