package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactCheck.Observation;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Measures a message for the terms of its pact: what is found here was seen in its bytes, never
 * taken from its sender's word. Whatever cannot be seen (data in another form than JSON, a schema,
 * terms, the finality of a round) stays unmeasured.
 */
public final class PactMeasure {
  /** What stands in a body. */
  private static final Set<PactTerms.Key> IN_BODY =
      Collections.unmodifiableSet(
          EnumSet.of(
              PactTerms.Key.FIELDS,
              PactTerms.Key.DENY_FIELDS,
              PactTerms.Key.TOOLS,
              PactTerms.Key.HOSTS,
              PactTerms.Key.APPROVE,
              PactTerms.Key.FILL_RATE));

  private static final Set<PactTerms.Key> TOOLS =
      Collections.unmodifiableSet(EnumSet.of(PactTerms.Key.TOOLS, PactTerms.Key.APPROVE));

  private PactMeasure() {}

  /**
   * A message and what its exchange knows of it.
   *
   * @param protocol of the codec that read it
   * @param media type of the body, in lower case and without parameters
   * @param counted under its pact, this message included
   * @param tookMs since its request; empty for a request
   * @param judgment of its words, if it was judged
   * @param released whether a person has released it
   */
  public record Message(
      PactTerms.Leg leg,
      PlainBody body,
      String protocol,
      String media,
      Pacts.Counted counted,
      OptionalDouble tookMs,
      Optional<Judgment> judgment,
      boolean released) {}

  /**
   * What is seen of a message between the two parties, as far as its pact asks for it: a body is
   * read for what stands in it only.
   */
  public static Observation of(PactCheck check, Message message, JsonScanner.Limits limits) {
    boolean empty = message.body().isEmpty();
    Optional<JsonDocument> json =
        !empty && check.asks(message.leg(), IN_BODY) ? json(message, limits) : Optional.empty();
    Found found =
        empty
            ? Found.EMPTY
            : json.map(document -> found(document, message.protocol())).orElse(Found.NOTHING);
    return new Observation(
        message.leg(),
        OptionalDouble.of(message.body().length()),
        found.fields,
        found.tools,
        empty || json.isPresent() ? Optional.of(List.of()) : Optional.empty(),
        OptionalDouble.of(message.counted().inLastMinute()),
        Optional.of(message.media()).filter(type -> !type.isEmpty()),
        Optional.empty(),
        message.tookMs(),
        message
            .judgment()
            .map(one -> OptionalDouble.of(one.message().evidence().citations().size()))
            .orElse(OptionalDouble.empty()),
        Optional.empty(),
        message.judgment().map(one -> one.annotation().grounding()).orElse(OptionalDouble.empty()),
        message
            .judgment()
            .map(one -> one.annotation().driftSqrtJsd())
            .orElse(OptionalDouble.empty()),
        Optional.empty(),
        found.filled,
        OptionalDouble.of((double) message.counted().messages()),
        OptionalDouble.of((double) message.counted().bytes()),
        message.released());
  }

  /**
   * What is seen of a call that the agent makes while it works under a pact: the tool it calls, if
   * that can be read, and where it goes.
   */
  public static Observation action(
      PactCheck check,
      PlainBody body,
      String protocol,
      String host,
      boolean released,
      JsonScanner.Limits limits) {
    Optional<JsonDocument> json =
        check.asks(PactTerms.Leg.REQUEST, TOOLS)
                && JsonScanner.scan(body, limits)
                    instanceof JsonScanner.Scanned(JsonDocument document)
            ? Optional.of(document)
            : Optional.empty();
    return new Observation(
        PactTerms.Leg.REQUEST,
        OptionalDouble.empty(),
        Optional.empty(),
        json.flatMap(document -> found(document, protocol).tools),
        Optional.of(List.of(host)),
        OptionalDouble.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        released);
  }

  private static Optional<JsonDocument> json(Message message, JsonScanner.Limits limits) {
    return message.media().endsWith("json")
            && JsonScanner.scan(message.body(), limits)
                instanceof JsonScanner.Scanned(JsonDocument document)
        ? Optional.of(document)
        : Optional.empty();
  }

  private record Found(
      Optional<List<String>> fields, Optional<List<String>> tools, OptionalDouble filled) {
    static final Found NOTHING =
        new Found(Optional.empty(), Optional.empty(), OptionalDouble.empty());

    /** A message without a body has neither. */
    static final Found EMPTY =
        new Found(Optional.of(List.of()), Optional.of(List.of()), OptionalDouble.empty());
  }

  private static Found found(JsonDocument json, String protocol) {
    if (protocol.startsWith("a2a")) {
      Fields fields = new Fields(json);
      fields.inParts(json.root());
      return new Found(Optional.of(fields.names), Optional.of(List.of()), fields.filled());
    }
    return switch (protocol) {
      case "json" -> {
        Fields fields = new Fields(json);
        fields.of(json.root());
        yield new Found(Optional.of(fields.names), Optional.of(List.of()), fields.filled());
      }
      case "mcp" -> new Found(Optional.empty(), mcp(json), OptionalDouble.empty());
      case "openai" -> new Found(Optional.empty(), openai(json), OptionalDouble.empty());
      default -> Found.NOTHING;
    };
  }

  /** The tool of a call; none if another method is called. */
  private static Optional<List<String>> mcp(JsonDocument json) {
    int root = json.root();
    if (!json.isObject(root)) {
      return Optional.empty();
    }
    int method = json.member(root, "method");
    if (method == JsonDocument.NONE || !json.isString(method)) {
      return Optional.of(List.of());
    }
    if (!json.textEquals(method, "tools/call")) {
      return Optional.of(List.of());
    }
    int params = json.member(root, "params");
    int name =
        params != JsonDocument.NONE && json.isObject(params)
            ? json.member(params, "name")
            : JsonDocument.NONE;
    return name != JsonDocument.NONE && json.isString(name)
        ? Optional.of(List.of(json.string(name)))
        : Optional.empty();
  }

  /** The tools that a model asks for, wherever in the document calls stand. */
  private static Optional<List<String>> openai(JsonDocument json) {
    List<String> names = new ArrayList<>();
    for (int node = 0; node < json.nodes(); node++) {
      if (json.isName(node)
          && json.nameEquals(node, "function")
          && json.isObject(node + 1)
          && json.member(node + 1, "arguments") != JsonDocument.NONE) {
        int name = json.member(node + 1, "name");
        if (name == JsonDocument.NONE || !json.isString(name)) {
          return Optional.empty();
        }
        names.add(json.string(name));
      }
    }
    return Optional.of(names);
  }

  /** Names of members, and how many of them hold something. */
  private static final class Fields {
    private final JsonDocument json;
    final List<String> names = new ArrayList<>(8);
    private int full;

    Fields(JsonDocument json) {
      this.json = json;
    }

    /** Of every {@code data} in a list {@code parts}, wherever one stands. */
    void inParts(int root) {
      for (int node = root; node < json.nodes(); node++) {
        if (json.isName(node) && json.isArray(node + 1) && json.nameEquals(node, "parts")) {
          int array = node + 1;
          for (int part = json.first(array);
              part != JsonDocument.NONE;
              part = json.nextElement(array, part)) {
            int data = json.isObject(part) ? json.member(part, "data") : JsonDocument.NONE;
            if (data != JsonDocument.NONE) {
              of(data);
            }
          }
        }
      }
    }

    /** Of an object, and of the objects in a list. */
    void of(int value) {
      if (json.isObject(value)) {
        for (int name = json.first(value);
            name != JsonDocument.NONE;
            name = json.nextName(value, name)) {
          names.add(json.string(name));
          full += isFilled(name + 1) ? 1 : 0;
        }
      } else if (json.isArray(value)) {
        for (int element = json.first(value);
            element != JsonDocument.NONE;
            element = json.nextElement(value, element)) {
          of(element);
        }
      }
    }

    private boolean isFilled(int value) {
      if (json.isNull(value)) {
        return false;
      }
      if (json.isString(value)) {
        return !json.textEquals(value, "");
      }
      return !(json.isObject(value) || json.isArray(value))
          || json.first(value) != JsonDocument.NONE;
    }

    OptionalDouble filled() {
      return names.isEmpty()
          ? OptionalDouble.empty()
          : OptionalDouble.of((double) full / names.size());
    }
  }
}
