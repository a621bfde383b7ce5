package dev.parlance.ledger.pact;

import dev.parlance.ledger.pact.PactMembers.BadMember;
import dev.parlance.ledger.tree.StrictBase64;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Body;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.policy.text.Coded;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages of a negotiation as JSON (machine {@code pact-1}): {@code {"t","from","type",...}}. A
 * history binds the whole message, so members that nobody here knows are kept in its canonical
 * form. Whatever the bytes, reading does not throw.
 *
 * <table>
 * <caption>Limits of what another sidecar sends; over one of them it is refused</caption>
 * <tr><td>a batch of messages</td><td>256 KiB, 16 messages</td></tr>
 * <tr><td>a message, canonical</td><td>64 KiB</td></tr>
 * <tr><td>predicates or responses in a message</td><td>200</td></tr>
 * <tr><td>depth</td><td>8</td></tr>
 * <tr><td>numbers</td><td>whole, up to 2^53-1</td></tr>
 * </table>
 */
public final class PactMessages {
  /** Largest message, in bytes of its canonical form. */
  public static final int MAX_BYTES = 64 << 10;

  /** Largest batch, in bytes. */
  public static final int MAX_BATCH_BYTES = 256 << 10;

  /** Most messages in a batch. */
  public static final int MAX_MESSAGES = 16;

  /** Most predicates, or responses to predicates, in a message. */
  public static final int MAX_PREDICATES = 200;

  private PactMessages() {}

  /** Why bytes are no message. */
  public enum Fault implements Coded {
    /** More bytes or messages than are taken. */
    TOO_LARGE,
    /** Nested too deep, or a number of too many digits. */
    TOO_DEEP,
    /** No JSON in UTF-8. */
    NOT_JSON,
    /** A name twice in one object. */
    DUPLICATE_NAME,
    /** A member that is missing, of another type, or out of its range. */
    BAD_MEMBER
  }

  /** What came of reading. */
  public sealed interface Reading<T> {
    /** It was read. */
    record Good<T>(T get) implements Reading<T> {}

    /**
     * It was not.
     *
     * @param detail for people: the member and what was expected
     */
    record Refused<T>(Fault fault, String detail) implements Reading<T> {}
  }

  /**
   * A message of another sidecar.
   *
   * @param message what the machine takes; no signature in it holds yet
   * @param offer of an invocation, if it makes one
   * @param signatures of a ratification by signer, as they stand
   * @param note of a dissolution: base64 of its signed statement
   */
  public record Incoming(
      PactEvent.Message message,
      Optional<Offer> offer,
      SortedMap<String, String> signatures,
      Optional<String> note) {
    /** Copies the map. */
    public Incoming {
      signatures = Collections.unmodifiableSortedMap(new TreeMap<>(signatures));
    }

    /** The signed statement of a dissolution, if it has one. */
    public Optional<byte[]> noteBytes() {
      return note.flatMap(StrictBase64::decode);
    }

    /** The same ratification, where the signatures of these parties have been found to hold. */
    public PactEvent.Message checked(Set<String> holding) {
      if (!(message.body() instanceof PactEvent.Ratification said)) {
        return message;
      }
      return new PactEvent.Message(
          message.atMs(),
          message.from(),
          message.canonical(),
          signedBy(
              said,
              signatures.keySet().stream()
                  .collect(Collectors.toMap(Function.identity(), holding::contains))));
    }
  }

  /**
   * What a sidecar adds to its invocation.
   *
   * @param pact id that the pact shall have
   * @param validityMs how long it shall hold
   * @param templates hex SHA-256 of each offered template by its reference
   * @param replaces id of the pact in whose place it shall be made
   * @param salts of predicates that shall be private, by their ids
   */
  public record Offer(
      String pact,
      long validityMs,
      SortedMap<String, String> templates,
      Optional<String> replaces,
      SortedMap<String, String> salts) {
    /** Copies the maps. */
    public Offer {
      templates = Collections.unmodifiableSortedMap(new TreeMap<>(templates));
      salts = Collections.unmodifiableSortedMap(new TreeMap<>(salts));
    }
  }

  /**
   * Messages that travel together.
   *
   * @param refused which message of the other side was refused, in an answer
   * @param challenge what is asked for before anything is sent under a pact
   * @param proof of an invitation, or the answer to a challenge or a case
   * @param handedOver base64 of the report that hands a negotiation to an arbiter
   */
  public record Batch(
      List<Incoming> messages,
      Optional<Refusal> refused,
      Optional<PartyProof.Challenge> challenge,
      Optional<String> proof,
      Optional<String> handedOver) {
    /** Copies the list. */
    public Batch {
      messages = List.copyOf(messages);
    }

    /** The report that hands a negotiation to an arbiter, if there is one. */
    public Optional<byte[]> report() {
      return handedOver.flatMap(StrictBase64::decode);
    }
  }

  /**
   * Why the other side has refused a message.
   *
   * @param index its place in the batch, from 0
   * @param code stable
   * @param detail for people
   */
  public record Refusal(int index, String code, String detail) {
    /** Refuses an impossible place. */
    public Refusal {
      if (index < 0) {
        throw new IllegalArgumentException("expected a place from 0, got " + index);
      }
    }
  }

  // ---- reading ----

  /** An event of a trace: a message, or time that passes. Signatures that say ok hold. */
  public static Reading<PactEvent> trace(JsonNode event) {
    return read(event, node -> new PactMessageReader(node).event());
  }

  /** A template of a trace. */
  public static Reading<PactTemplate> template(JsonNode template) {
    return read(template, node -> new PactMessageReader(node).template());
  }

  /** One message of another sidecar. */
  public static Reading<Incoming> message(byte[] utf8) {
    return parsed(utf8, MAX_BYTES, node -> new PactMessageReader(node).incoming());
  }

  /** The messages of a request or an answer: {@code {"messages":[...]}}. */
  public static Reading<Batch> batch(byte[] utf8) {
    return parsed(utf8, MAX_BATCH_BYTES, PactMessages::readBatch);
  }

  private static Batch readBatch(JsonNode node) throws BadMember {
    PactMembers in = PactMembers.of(node);
    JsonNode list = node.path("messages");
    if (!list.isArray() || list.size() > MAX_MESSAGES) {
      throw new BadMember("messages: expected a list of at most " + MAX_MESSAGES);
    }
    List<Incoming> messages = new ArrayList<>();
    for (JsonNode one : list) {
      try {
        Incoming message = new PactMessageReader(one).incoming();
        if (message.message().canonical().length() > MAX_BYTES) {
          throw new BadMember("it: expected at most " + MAX_BYTES + " bytes");
        }
        messages.add(message);
      } catch (BadMember bad) {
        throw new BadMember("messages[" + messages.size() + "]." + bad.what());
      }
    }
    Optional<Refusal> refused = Optional.empty();
    Optional<PactMembers> said = in.object("refused");
    if (said.isPresent()) {
      long index = said.get().number("index");
      if (index < 0 || index >= MAX_MESSAGES) {
        throw new BadMember("refused.index: expected 0 to " + (MAX_MESSAGES - 1));
      }
      refused =
          Optional.of(
              new Refusal(
                  (int) index,
                  said.get().text("code"),
                  said.get().optionalText("detail").orElse("")));
    }
    Optional<PactMembers> challenge = in.object("challenge");
    return new Batch(
        messages,
        refused,
        challenge.isPresent()
            ? Optional.of(PartyProof.Challenge.of(challenge.get()))
            : Optional.empty(),
        in.optionalText("proof"),
        in.optionalText("case"));
  }

  @FunctionalInterface
  private interface Reader<T> {
    T read(JsonNode node) throws BadMember;
  }

  private static <T> Reading<T> read(JsonNode node, Reader<T> reader) {
    try {
      return new Reading.Good<>(reader.read(node));
    } catch (BadMember bad) {
      return new Reading.Refused<>(Fault.BAD_MEMBER, bad.what());
    }
  }

  private static <T> Reading<T> parsed(byte[] utf8, int maxBytes, Reader<T> reader) {
    if (utf8.length > maxBytes) {
      return new Reading.Refused<>(
          Fault.TOO_LARGE, "expected at most %d bytes, got %d".formatted(maxBytes, utf8.length));
    }
    JsonNode node;
    try {
      node =
          PactJson.read(
              StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString());
    } catch (CharacterCodingException notUtf8) {
      return new Reading.Refused<>(Fault.NOT_JSON, "not UTF-8");
    } catch (StreamConstraintsException tooMuch) {
      return new Reading.Refused<>(
          Fault.TOO_DEEP, "expected a depth of at most " + PactJson.MAX_DEPTH + ", short numbers");
    } catch (JacksonException notJson) {
      return notJson.getOriginalMessage().startsWith("Duplicate")
          ? new Reading.Refused<>(Fault.DUPLICATE_NAME, "a name stands twice in one object")
          : new Reading.Refused<>(Fault.NOT_JSON, "not JSON");
    }
    return read(node, reader);
  }

  // ---- writing ----

  /** A message of ours. Its canonical form is what is sent, and what the history binds. */
  public static PactEvent.Message write(long atMs, String from, Body body) {
    return written(atMs, from, body, node -> {});
  }

  /** An invocation with an offer. */
  public static PactEvent.Message write(
      long atMs, String from, PactEvent.Invocation body, Offer offer) {
    return written(
        atMs,
        from,
        body,
        node -> {
          node.put("pact", offer.pact()).put("validity_ms", offer.validityMs());
          ObjectNode digests = node.putObject("template_sha256");
          offer.templates().forEach(digests::put);
          offer.replaces().ifPresent(old -> node.put("replaces", old));
          if (!offer.salts().isEmpty()) {
            ObjectNode salts = node.putObject("private");
            offer.salts().forEach(salts::put);
          }
        });
  }

  /**
   * A ratification.
   *
   * @param signatures by signer, as they travel; they hold, for we have made or checked them
   */
  public static PactEvent.Message write(
      long atMs, String from, PactEvent.Ratification body, Map<String, String> signatures) {
    Map<String, Boolean> holding =
        signatures.keySet().stream().collect(Collectors.toMap(Function.identity(), _ -> true));
    return written(
        atMs,
        from,
        signedBy(body, holding),
        node -> {
          ObjectNode texts = node.putObject("signatures");
          signatures.forEach(texts::put);
        });
  }

  /**
   * A dissolution.
   *
   * @param note its signed statement
   */
  public static PactEvent.Message write(
      long atMs, String from, PactEvent.Dissolution body, byte[] note) {
    return written(atMs, from, body, node -> node.put("note", StrictBase64.encode(note)));
  }

  /** The bytes of a request or an answer. */
  public static byte[] write(List<PactEvent.Message> messages, Optional<Refusal> refused) {
    return write(messages, refused, Optional.empty(), Optional.empty());
  }

  static byte[] write(
      List<PactEvent.Message> messages,
      Optional<Refusal> refused,
      Optional<String> proof,
      Optional<String> handedOver) {
    StringBuilder out = new StringBuilder("{\"messages\":[");
    for (PactEvent.Message one : messages) {
      (out.charAt(out.length() - 1) == '[' ? out : out.append(',')).append(one.canonical());
    }
    out.append(']');
    refused.ifPresent(why ->
        out.append(",\"refused\":")
            .append(
                PactJson.ascii(
                    JsonNodeFactory.instance
                        .objectNode()
                        .put("index", why.index())
                        .put("code", why.code())
                        .put("detail", why.detail()))));
    proof.ifPresent(text -> out.append(",\"proof\":\"").append(text).append('"'));
    handedOver.ifPresent(text -> out.append(",\"case\":\"").append(text).append('"'));
    return out.append('}').toString().getBytes(StandardCharsets.US_ASCII);
  }

  private interface More {
    void to(ObjectNode message);
  }

  private static PactEvent.Message written(long atMs, String from, Body body, More more) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("t", atMs).put("from", from);
    put(node, body);
    more.to(node);
    return new PactEvent.Message(atMs, from, PactJson.ascii(node), body);
  }

  private static PactEvent.Ratification signedBy(
      PactEvent.Ratification body, Map<String, Boolean> signatures) {
    return new PactEvent.Ratification(
        body.negotiation(),
        body.pact(),
        body.predicatesHash(),
        body.history(),
        body.startMs(),
        body.endMs(),
        signatures);
  }

  private static void put(ObjectNode node, Body body) {
    if (body instanceof PactEvent.Negotiating one) {
      node.put("negotiation", one.negotiation());
    }
    switch (body) {
      case PactEvent.Invocation one -> {
        node.put("type", "INVOCATION").put("source", one.source()).put("target", one.target());
        node.put("timeout_ms", one.timeoutMs()).put("max_duration_ms", one.maxDurationMs());
        ArrayNode templates = node.putArray("templates");
        one.templates().forEach(templates::add);
      }
      case PactEvent.Proposal one -> {
        ArrayNode list = node.put("type", "PROPOSAL").putArray("predicates");
        one.predicates().forEach(predicate -> put(list.addObject(), predicate));
        put(node, "deadline", one.deadlineMs());
      }
      case PactEvent.Position one -> {
        ArrayNode list = node.put("type", "COUNTER").putArray("responses");
        one.responses().forEach(response -> put(list.addObject(), response));
        put(node, "deadline", one.deadlineMs());
      }
      case PactEvent.TemplateChoice one -> {
        ObjectNode template = node.put("type", "COUNTER").putObject("template");
        template.put("decision", one.decision());
        put(template, "ref", one.reference());
        put(template, "rationale", one.rationale());
      }
      case PactEvent.Escalation _ -> node.put("type", "COUNTER").put("escalate", true);
      case PactEvent.AcceptAll _ -> node.put("type", "COUNTER").put("accept_all", true);
      case PactEvent.Ratification one -> {
        node.put("type", "RATIFICATION").put("pact", one.pact());
        node.put("predicates_hash", one.predicatesHash()).put("history", one.history());
        node.putArray("validity").add(one.startMs()).add(one.endMs());
        ObjectNode signatures = node.putObject("signatures");
        one.signatures().forEach((party, holds) -> signatures.put(party, holds ? "ok" : "bad"));
      }
      case PactEvent.Walkaway one -> node.put("type", "WALKAWAY").put("reason", one.reason());
      case PactEvent.Dissolution one -> {
        node.put("type", "DISSOLUTION").put("pact", one.pact()).put("reason", one.reason());
        put(node, "failure_predicate", one.failurePredicate().orElse(""));
        put(node, "effective", one.effectiveMs());
      }
      case PactEvent.Unknown one -> node.put("type", one.type());
    }
  }

  private static void put(ObjectNode node, Predicate one) {
    node.put("id", one.id()).put("category", one.category()).put("body", one.body());
  }

  private static void put(ObjectNode node, PactEvent.Response one) {
    node.put("id", one.id()).put("action", one.action());
    put(node, "category", one.category());
    put(node, "body", one.body());
    put(node, "rationale", one.rationale());
  }

  private static void put(ObjectNode node, String name, String text) {
    if (!text.isEmpty()) {
      node.put(name, text);
    }
  }

  private static void put(ObjectNode node, String name, OptionalLong number) {
    number.ifPresent(value -> node.put(name, value));
  }
}
