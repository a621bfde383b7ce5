package dev.parlance.cli.cluster.check;

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

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int PAGE = 500;
  private static final Pattern REASON = Pattern.compile("^Error from server \\((\\w+)\\)");

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

  /** Runs the program with arguments of its own. */
  Kubectl.Reply kubectl(String... arguments) throws IOException {
    return kubectl.run("", List.of(arguments));
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
    Optional<String> answer;
    if (reply.status() == 0) {
      answer = Optional.of(reply.out());
    } else if (reason(reply).equals("NotFound")) {
      answer = Optional.empty();
    } else {
      throw new IOException(said(reply));
    }
    seen.put(path, answer);
    return answer;
  }

  /** An object at a path of the API; empty if there is none. */
  Optional<JsonNode> get(String path) throws IOException {
    Optional<String> text = text(path);
    return text.isEmpty() ? Optional.empty() : Optional.of(parse(text.get()));
  }

  /** Members of an object in the namespace of Parlance; a missing node if there is none. */
  JsonNode own(String group, String resource, String name) throws IOException {
    return get(group + "/namespaces/" + namespace() + "/" + resource + "/" + name)
        .orElse(JsonNodeFactory.instance.missingNode());
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
      Optional<JsonNode> answer = get(page);
      answer.ifPresent(found -> found.path("items").valueStream().forEach(items::add));
      String token =
          answer.map(found -> found.path("metadata").path("continue").asString("")).orElse("");
      page = token.isEmpty() ? "" : first + "&continue=" + encoded(token);
    }
    lists.put(path, List.copyOf(items));
    return List.copyOf(items);
  }

  /** True if the API server has this resource in a group and version such as {@code apps/v1}. */
  boolean serves(String groupVersion, String resource) throws IOException {
    return get("/apis/" + groupVersion).stream()
        .flatMap(found -> found.path("resources").valueStream())
        .anyMatch(one -> one.path("name").asString("").equals(resource));
  }

  /** True if the caller may do that. */
  boolean may(String verb, String group, String resource, Optional<String> in) throws IOException {
    Map<String, Object> attributes = new HashMap<>();
    attributes.put("verb", verb);
    attributes.put("group", group);
    attributes.put("resource", resource);
    in.ifPresent(name -> attributes.put("namespace", name));
    String review =
        JSON.writeValueAsString(
            Map.of(
                "apiVersion",
                "authorization.k8s.io/v1",
                "kind",
                "SelfSubjectAccessReview",
                "spec",
                Map.of("resourceAttributes", attributes)));
    Kubectl.Reply reply =
        kubectl.run(
            review,
            List.of(
                "create",
                "--raw",
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "-f",
                "-"));
    if (reply.status() != 0) {
      throw new IOException(said(reply));
    }
    return parse(reply.out()).path("status").path("allowed").asBoolean(false);
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

  /** Metrics of a pod, {@code NAMESPACE/NAME}; empty if they cannot be had. */
  Optional<MetricText> metrics(String pod, int port) {
    int slash = pod.indexOf('/');
    String path =
        "/api/v1/namespaces/%s/pods/%s:%d/proxy/metrics"
            .formatted(pod.substring(0, slash), pod.substring(slash + 1), port);
    try {
      return text(path).map(MetricText::new);
    } catch (IOException e) {
      seen.put(path, Optional.empty());
      return Optional.empty();
    }
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  static JsonNode parse(String text) throws IOException {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw new IOException("what was answered is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** The tree of a file in a ConfigMap; a missing node if there is no text. */
  static JsonNode yaml(String text) throws IOException {
    try {
      return text.isBlank()
          ? JsonNodeFactory.instance.missingNode()
          : YAMLMapper.shared().readTree(text);
    } catch (JacksonException e) {
      throw new IOException("a file in a ConfigMap is no YAML: " + e.getOriginalMessage(), e);
    }
  }

  private static String reason(Kubectl.Reply reply) {
    Matcher found = REASON.matcher(reply.err());
    return found.find() ? found.group(1) : "";
  }

  /** The last line that the program wrote, which is the one that says why. */
  static String said(Kubectl.Reply reply) {
    List<String> lines = reply.err().lines().filter(line -> !line.isBlank()).toList();
    return lines.isEmpty() ? "kubectl ended with status " + reply.status() : lines.getLast();
  }

  /** Numbers out of Prometheus text. */
  record MetricText(String text) {
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
              .flatMapToDouble(MetricText::value)
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
}
