package dev.parlance.cli.cluster.check;

import dev.parlance.service.IoWords;
import dev.parlance.service.SyntaxFault;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * What the API server says, each thing asked once. Only reads, and asks what the caller may do; for
 * use by one thread.
 */
public final class Cluster {
  /** Namespace, service and port of a Prometheus that can be asked through the API server. */
  public record PrometheusAt(String namespace, String service, int port) {
    private static final Pattern FORM =
        Pattern.compile("([a-z0-9-]{1,63})/([a-z0-9-]{1,63}):([1-9][0-9]{0,4})");

    /** Reads {@code NAMESPACE/SERVICE:PORT}; empty if it is none. */
    public static Optional<PrometheusAt> parse(String text) {
      Matcher form = FORM.matcher(text);
      return form.matches() && Integer.parseInt(form.group(3)) < 65_536
          ? Optional.of(
              new PrometheusAt(form.group(1), form.group(2), Integer.parseInt(form.group(3))))
          : Optional.empty();
    }
  }

  /**
   * Where to look, and from where.
   *
   * @param namespace where Parlance is, or will be
   * @param version of this command
   * @param prometheus which one should scrape, if it is known
   * @param pods how many sidecars are asked for their metrics, 0 or more
   * @param now the time that certificates are held against
   */
  public record Setting(
      String namespace, String version, Optional<PrometheusAt> prometheus, int pods, Instant now) {}

  static final YAMLMapper YAML = YAMLMapper.builder().build();
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int PAGE = 500;

  private final Kubectl kubectl;
  private final Setting setting;
  private final Map<String, Optional<String>> seen = new HashMap<>();
  private final Map<String, List<JsonNode>> lists = new HashMap<>();

  /** A cluster of which nothing is known yet. */
  public Cluster(Kubectl kubectl, Setting setting) {
    this.kubectl = kubectl;
    this.setting = setting;
  }

  Setting setting() {
    return setting;
  }

  String namespace() {
    return setting.namespace();
  }

  /** What the program says of its own version. */
  JsonNode client() throws IOException {
    return parse(answered("", "version", "--client", "-o", "json")).path("clientVersion");
  }

  private String answered(String input, String... arguments) throws IOException {
    Kubectl.Reply reply = kubectl.run(input, List.of(arguments));
    if (reply.status() != 0) {
      throw new IOException(reply.reason());
    }
    return reply.out();
  }

  /**
   * Text at a path of the API; empty if there is no such thing.
   *
   * @throws IOException if it was not answered
   */
  Optional<String> text(String path) throws IOException {
    Optional<String> before = seen.get(path);
    if (before != null) {
      return before;
    }
    Kubectl.Reply reply = kubectl.run("", List.of("get", "--raw", path));
    if (reply.status() != 0 && !reply.err().startsWith("Error from server (NotFound)")) {
      throw new IOException(reply.reason());
    }
    Optional<String> answer = reply.status() == 0 ? Optional.of(reply.out()) : Optional.empty();
    seen.put(path, answer);
    return answer;
  }

  /** An object at a path of the API; a missing node if there is none. */
  JsonNode get(String path) throws IOException {
    Optional<String> text = text(path);
    return text.isEmpty() ? JsonNodeFactory.instance.missingNode() : parse(text.get());
  }

  /** An object in the namespace of Parlance; a missing node if there is none. */
  JsonNode own(String group, String resource, String name) throws IOException {
    return get(ownPath(group, resource) + "/" + name);
  }

  /** Path of the objects of a kind in the namespace of Parlance. */
  String ownPath(String group, String resource) {
    return group + "/namespaces/" + namespace() + "/" + resource;
  }

  /** A file in a ConfigMap of the namespace of Parlance; a missing node if there is none. */
  JsonNode file(String configMap, String name) throws IOException {
    String text = own(Kinds.CORE, "configmaps", configMap).path("data").path(name).asString("");
    try {
      return text.isBlank() ? JsonNodeFactory.instance.missingNode() : YAML.readTree(text);
    } catch (JacksonException e) {
      throw new IOException(
          "%s of the ConfigMap %s: %s".formatted(name, configMap, SyntaxFault.words("YAML", e)), e);
    }
  }

  /** All items of a list, page by page; none if the kind is not served. */
  List<JsonNode> list(String path) throws IOException {
    List<JsonNode> before = lists.get(path);
    if (before != null) {
      return before;
    }
    List<JsonNode> items = new ArrayList<>();
    String first = path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE;
    String page = first;
    while (!page.isEmpty()) {
      JsonNode answer = get(page);
      answer.path("items").valueStream().forEach(items::add);
      String token = answer.at("/metadata/continue").asString("");
      page = token.isEmpty() ? "" : first + "&continue=" + encoded(token);
    }
    lists.put(path, List.copyOf(items));
    return List.copyOf(items);
  }

  /** True if the caller may create that. */
  boolean mayCreate(String group, String resource, Optional<String> in) throws IOException {
    ObjectNode review =
        JSON.createObjectNode()
            .put("apiVersion", "authorization.k8s.io/v1")
            .put("kind", "SelfSubjectAccessReview");
    ObjectNode wanted = review.putObject("spec").putObject("resourceAttributes");
    wanted.put("verb", "create").put("group", group).put("resource", resource);
    in.ifPresent(name -> wanted.put("namespace", name));
    String path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    return parse(answered(review.toString(), "create", "--raw", path, "-f", "-"))
        .at("/status/allowed")
        .asBoolean(false);
  }

  /** Namespaces of the cluster. */
  List<JsonNode> namespaces() throws IOException {
    return list("/api/v1/namespaces");
  }

  /** Pods of one namespace. */
  List<JsonNode> pods(String in) throws IOException {
    return list("/api/v1/namespaces/" + in + "/pods");
  }

  /** Pods that have a sidecar of the injector's, in all namespaces. */
  List<JsonNode> injected() throws IOException {
    return list("/api/v1/pods?labelSelector=" + encoded("parlance.dev/injected=true"));
  }

  /** Metrics of a pod; empty if they cannot be had. */
  Optional<Metrics> metrics(JsonNode pod, int port) {
    String path =
        "/api/v1/namespaces/%s/pods/%s:%d/proxy/metrics"
            .formatted(Kinds.namespace(pod), Kinds.name(pod), port);
    try {
      return text(path).map(Metrics::new);
    } catch (IOException e) {
      seen.put(path, Optional.empty());
      return Optional.empty();
    }
  }

  /** Numbers out of Prometheus text. */
  record Metrics(String text) {
    /** Sum of the series of a metric; empty if there is none. */
    OptionalDouble sum(String metric) {
      return sum(metric, "");
    }

    /**
     * Sum of the series of a metric whose labels contain a text such as {@code state="stale"};
     * empty if there is none.
     */
    OptionalDouble sum(String metric, String label) {
      double[] values =
          text.lines()
              .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
              .filter(line -> line.contains(label))
              .flatMapToDouble(Metrics::value)
              .toArray();
      return values.length == 0
          ? OptionalDouble.empty()
          : OptionalDouble.of(DoubleStream.of(values).sum());
    }

    private static DoubleStream value(String line) {
      try {
        return DoubleStream.of(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
      } catch (NumberFormatException e) {
        return DoubleStream.empty();
      }
    }
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** The words of a failure, for a finding. */
  static String words(IOException e) {
    return IoWords.why(e);
  }

  private static JsonNode parse(String text) throws IOException {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw new IOException("what was answered: " + SyntaxFault.json(e), e);
    }
  }
}
