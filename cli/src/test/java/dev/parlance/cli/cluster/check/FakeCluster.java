package dev.parlance.cli.cluster.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * An API server that knows what {@code world.yaml} says, as changed by a test; and a {@code
 * kubectl} in front of it.
 */
public final class FakeCluster implements Kubectl {
  /** What the API server answers. */
  public record Answer(int status, String body) {}

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

  private final Map<String, JsonNode> world = new TreeMap<>();
  private final Map<String, Answer> instead = new ConcurrentHashMap<>();
  private final Set<String> forbiddenVerbs = new HashSet<>();
  private int clientMinor = 32;
  private boolean broken;

  /** A cluster in which all is well, where Parlance of this version is installed. */
  public FakeCluster(String version) throws IOException {
    String text =
        text("world.yaml")
            .replace("VERSION", version)
            .replace("LEAF", pem("leaf"))
            .replace("CA", pem("ca"));
    YAMLMapper.builder()
        .build()
        .readTree(text)
        .propertyStream()
        .forEach(one -> world.put(one.getKey(), one.getValue()));
  }

  private static String text(String name) throws IOException {
    try (InputStream in = FakeCluster.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    }
  }

  /** A certificate of the test's, as Kubernetes keeps it. */
  static String pem(String name) {
    try {
      return Base64.getEncoder().encodeToString(text(name + ".pem").getBytes(UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** There is no such thing. */
  public void remove(String path) {
    world.remove(path);
  }

  /** There is such a thing. */
  void put(String path, String json) {
    world.put(path, JSON.readTree(json));
  }

  /** Text instead of an object. */
  void say(String path, String text) {
    world.put(path, StringNode.valueOf(text));
  }

  /** Another value at a place that exists or is a new member of one that does. */
  void set(String path, String pointer, String json) {
    JsonPointer at = JsonPointer.compile(pointer);
    JsonNode parent = world.getOrDefault(path, JSON.createObjectNode()).at(at.head());
    JsonNode value = JSON.readTree(json);
    switch (parent) {
      case ObjectNode object -> object.set(at.last().getMatchingProperty(), value);
      case ArrayNode array -> array.set(at.last().getMatchingIndex(), value);
      default -> throw new IllegalArgumentException("nothing at " + path + pointer);
    }
  }

  /** Takes a member away. */
  void unset(String path, String pointer) {
    JsonPointer at = JsonPointer.compile(pointer);
    ((ObjectNode) Objects.requireNonNull(world.get(path)).at(at.head()))
        .remove(at.last().getMatchingProperty());
  }

  /** Every list, object and text, changed by a plain replacement. */
  void replace(String path, String what, String with) {
    world.put(
        path,
        JSON.readTree(Objects.requireNonNull(world.get(path)).toString().replace(what, with)));
  }

  /** Answers a path otherwise. */
  public void answer(String path, int status, String body) {
    instead.put(path, new Answer(status, body));
  }

  /** The caller may not create these. */
  void forbidCreating(String resource) {
    forbiddenVerbs.add(resource);
  }

  void clientMinor(int minor) {
    clientMinor = minor;
  }

  /** The program itself does not run. */
  void breakProgram() {
    broken = true;
  }

  /** What the API server says to a GET. */
  public Answer get(String pathAndQuery) {
    String path = pathAndQuery.replaceAll("[?&]limit=\\d+", "").replaceFirst("^([^?]*)&", "$1?");
    Answer other = instead.get(path);
    if (other != null) {
      return other;
    }
    if (path.startsWith("/api/v1/pods?labelSelector=")) {
      return new Answer(200, chosen(path.substring(path.indexOf('=') + 1)));
    }
    JsonNode found = world.get(path);
    if (found == null) {
      return new Answer(404, failure("NotFound", 404));
    }
    return new Answer(200, found.isString() ? found.asString() : found.toString());
  }

  private String chosen(String encodedSelector) {
    List<String> selector = List.of(URLDecoder.decode(encodedSelector, UTF_8).split("=", 2));
    ArrayNode items = JSON.createArrayNode();
    world.forEach((path, value) -> {
      if (path.matches("/api/v1/namespaces/[a-z-]+/pods")) {
        value
            .path("items")
            .valueStream()
            .filter(pod -> Kinds.label(pod, selector.getFirst()).equals(selector.getLast()))
            .forEach(items::add);
      }
    });
    return "{\"items\":" + items + "}";
  }

  /** What the API server says to a POST. */
  public Answer post(String path, String body) {
    if (!path.equals(REVIEWS)) {
      return new Answer(404, failure("NotFound", 404));
    }
    String resource = JSON.readTree(body).at("/spec/resourceAttributes/resource").asString("");
    return new Answer(201, "{\"status\":{\"allowed\":" + !forbiddenVerbs.contains(resource) + "}}");
  }

  /** As the API server words it. */
  static String failure(String reason, int code) {
    return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"no: %s\",\"reason\":\"%s\",\"code\":%d}"
        .formatted(reason, reason, code);
  }

  @Override
  public Reply run(String input, List<String> arguments) throws IOException {
    if (broken) {
      throw new IOException("Cannot run program \"kubectl\"");
    }
    if (arguments.getFirst().equals("version")) {
      return new Reply(
          0,
          "{\"clientVersion\":{\"minor\":\"%d\",\"gitVersion\":\"v1.%d.4\"}}"
              .formatted(clientMinor, clientMinor),
          "");
    }
    String path = arguments.get(2);
    Answer answer = arguments.getFirst().equals("get") ? get(path) : post(path, input);
    return answer.status() < 300
        ? new Reply(0, answer.body(), "")
        : new Reply(1, "", "Error from server (" + reason(answer) + "): no\n");
  }

  private static String reason(Answer answer) {
    return JSON.readTree(answer.body()).path("reason").asString("");
  }
}
