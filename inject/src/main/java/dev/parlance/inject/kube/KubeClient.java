package dev.parlance.inject.kube;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks a Kubernetes API server. Calls block, so they belong on a thread of their own; each ends
 * within {@link #TIMEOUT}. Token and authorities are read again when they change.
 */
public final class KubeClient implements AutoCloseable {
  /** Longest time of one call. */
  public static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Largest answer that is read, in bytes. */
  static final int MAX_ANSWER_BYTES = 4 << 20;

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final KubeAccess access;
  private final Clock clock;
  private final Object lock = new Object();
  private byte[] knownCa = {};
  private Optional<HttpClient> http = Optional.empty();

  /** A client; nothing is asked yet. */
  public KubeClient(KubeAccess access, Clock clock) {
    this.access = access;
    this.clock = clock;
  }

  /** Reads the object at a path such as {@code /api/v1/namespaces/a/secrets/b}. */
  public KubeAnswer get(String path) {
    return call("GET", path, "application/json", NODES.nullNode());
  }

  /** Creates an object; {@code Conflict} if there is one of that name. */
  public KubeAnswer create(String path, ObjectNode object) {
    return call("POST", path, "application/json", object);
  }

  /**
   * Puts an object in the place of another; {@code Conflict} if it is no longer the one whose
   * {@code metadata.resourceVersion} the new one carries.
   */
  public KubeAnswer replace(String path, ObjectNode object) {
    return call("PUT", path, "application/json", object);
  }

  /** Applies a JSON patch (RFC 6902); one whose {@code test} fails is {@code Refused}. */
  public KubeAnswer patch(String path, ArrayNode operations) {
    return call("PATCH", path, "application/json-patch+json", operations);
  }

  /** Tells whoever looks at an object. */
  public KubeAnswer createEvent(KubeEvent event) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    ObjectNode body = NODES.objectNode();
    body.put("apiVersion", "v1").put("kind", "Event");
    body.putObject("metadata").put("generateName", "parlance-").put("namespace", event.namespace());
    ObjectNode about =
        body.putObject("involvedObject")
            .put("apiVersion", event.about().apiVersion())
            .put("kind", event.about().kind())
            .put("name", event.about().name())
            .put("namespace", event.namespace());
    if (!event.about().uid().isEmpty()) {
      about.put("uid", event.about().uid());
    }
    body.put("type", event.type().name())
        .put("reason", event.reason())
        .put("message", event.message())
        .put("firstTimestamp", now)
        .put("lastTimestamp", now)
        .put("count", 1);
    body.putObject("source").put("component", event.component());
    body.put("reportingComponent", event.component()).put("reportingInstance", "");
    return create("/api/v1/namespaces/" + event.namespace() + "/events", body);
  }

  private KubeAnswer call(String method, String path, String type, JsonNode body) {
    try {
      HttpRequest.BodyPublisher publisher =
          body.isNull()
              ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(access.server() + path))
              .timeout(TIMEOUT)
              .header("Authorization", "Bearer " + token())
              .header("Accept", "application/json")
              .header("Content-Type", type)
              .method(method, publisher)
              .build();
      // The request's own timeout ends with the head of the answer; this one covers the body too.
      HttpResponse<byte[]> response =
          client()
              .sendAsync(
                  request,
                  HttpResponse.BodyHandlers.limiting(
                      HttpResponse.BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES))
              .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return answer(response.statusCode(), response.body());
    } catch (ExecutionException e) {
      return new KubeAnswer.Unreachable(words(e.getCause()));
    } catch (TimeoutException e) {
      return new KubeAnswer.Unreachable("no answer within " + TIMEOUT.toSeconds() + " s");
    } catch (IOException | GeneralSecurityException e) {
      return new KubeAnswer.Unreachable(words(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new KubeAnswer.Unreachable("interrupted");
    }
  }

  /** What a failure says of itself; the JDK says nothing where a connection is refused. */
  private static String words(@Nullable Throwable failure) {
    String said = failure == null ? null : failure.getMessage();
    return said == null ? "no connection" : said;
  }

  private static KubeAnswer answer(int status, byte[] bytes) {
    if (status == 404) {
      return new KubeAnswer.NotFound();
    }
    if (status == 409) {
      return new KubeAnswer.Conflict();
    }
    if (status / 100 != 2) {
      return new KubeAnswer.Refused(status, message(bytes));
    }
    try {
      return new KubeAnswer.Done(JSON.readTree(bytes));
    } catch (JacksonException _) {
      return new KubeAnswer.Unreachable("the answer is no JSON");
    }
  }

  /** The message of a {@code Status} object, else the beginning of whatever came. */
  private static String message(byte[] bytes) {
    String text = new String(bytes, 0, Math.min(bytes.length, 512), StandardCharsets.UTF_8);
    try {
      return JSON.readTree(bytes).path("message").asString(text);
    } catch (JacksonException e) {
      return text;
    }
  }

  private String token() throws IOException {
    return Files.readString(access.token(), StandardCharsets.US_ASCII).strip();
  }

  private HttpClient client() throws IOException, GeneralSecurityException {
    byte[] ca = Files.readAllBytes(access.ca());
    synchronized (lock) {
      if (!Arrays.equals(ca, knownCa)) {
        HttpClient made =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .sslContext(Trust.of(ca))
                .build();
        // Calls under way on the old one still end; then it is gone.
        http.ifPresent(HttpClient::shutdown);
        http = Optional.of(made);
        knownCa = ca;
      }
      return http.orElseThrow();
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      http.ifPresent(HttpClient::shutdownNow);
      http = Optional.empty();
      knownCa = new byte[0];
    }
  }

  /** TLS that believes the given authorities and nobody else. */
  static final class Trust {
    private Trust() {}

    static SSLContext of(byte[] pem) throws IOException, GeneralSecurityException {
      Collection<? extends Certificate> authorities =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem));
      if (authorities.isEmpty()) {
        throw new CertificateException("no certificate in the authorities' file");
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      int number = 0;
      for (Certificate authority : authorities) {
        store.setCertificateEntry("ca" + number++, authority);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    }
  }

  /** What the API server said. */
  public sealed interface KubeAnswer {
    /**
     * It did as asked.
     *
     * @param object the object as it is now
     */
    record Done(JsonNode object) implements KubeAnswer {}

    /** There is no such object (404). */
    record NotFound() implements KubeAnswer {}

    /** Somebody else was faster: the object changed meanwhile, or exists already (409). */
    record Conflict() implements KubeAnswer {}

    /**
     * It refused.
     *
     * @param status HTTP status, never 404, 409 or a good one
     * @param message what it said
     */
    record Refused(int status, String message) implements KubeAnswer {}

    /**
     * Nobody answered, or nothing that could be read.
     *
     * @param message what went wrong
     */
    record Unreachable(String message) implements KubeAnswer {}
  }

  /**
   * Something to be told to whoever looks at an object.
   *
   * @param namespace the object's namespace
   * @param about the object
   * @param type {@code Normal} or {@code Warning}
   * @param reason why, in CamelCase, at most 128 characters
   * @param message one sentence; cut at 1,024 characters
   * @param component who says so
   */
  public record KubeEvent(
      String namespace, About about, Type type, String reason, String message, String component) {
    /** What Kubernetes takes as a message. */
    public static final int MAX_MESSAGE = 1024;

    private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z0-9]{0,127}");

    /** Refuses a reason that dashboards could not group by. */
    public KubeEvent {
      if (!REASON.matcher(reason).matches()) {
        throw new IllegalArgumentException("expected a reason in CamelCase, got " + reason);
      }
      if (namespace.isEmpty() || component.isEmpty()) {
        throw new IllegalArgumentException("expected a namespace and a component");
      }
      message =
          message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE - 1) + "…" : message;
    }

    /** How loud it is; written as the names are. */
    public enum Type {
      /** Good to know. */
      Normal,
      /** Somebody should look. */
      Warning
    }

    /**
     * An object.
     *
     * @param apiVersion such as {@code v1}
     * @param kind such as {@code Pod}
     * @param name its name
     * @param uid its uid; empty if unknown, then {@code kubectl describe} may not show the event
     */
    public record About(String apiVersion, String kind, String name, String uid) {
      /** Refuses an object without a name. */
      public About {
        if (apiVersion.isEmpty() || kind.isEmpty() || name.isEmpty()) {
          throw new IllegalArgumentException("expected apiVersion, kind and name");
        }
      }
    }
  }
}
