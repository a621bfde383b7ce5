package dev.parlance.wire;

import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.metadata.Problems;
import dev.parlance.wire.plain.JsonCodec;
import dev.parlance.wire.plumbing.PlumbingCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the codec for a request and reads it. A protocol is a package and a line here.
 *
 * <p>{@code auto} asks the codecs in order and takes the first that claims the request, by its head
 * or by its JSON body; then any JSON body where pointers are configured. Everything else is
 * unjudged. A name asks the codecs of that name only, and one of them reads what none claims.
 */
public final class Codecs {
  /** Name in the configuration of whichever codec claims a request. */
  public static final String AUTO = "auto";

  /** Name of the codec of a route that has pointers into JSON. */
  public static final String JSON = "json";

  /** Code of a request that no codec claims, and that has no body. */
  private static final String BODILESS = "method";

  private static final String CONTENT_TYPE = "content_type";

  private final JsonScanner.Limits limits;

  /** In the order in which they are asked. */
  private final List<Codec> inOrder;

  /** By name, the codec that reads what no codec of that name claims. */
  private final Map<String, Codec> byName;

  /** Codecs that keep to these bounds. */
  public Codecs(JsonScanner.Limits limits) {
    this.limits = limits;
    List<Codec> codecs = new ArrayList<>();
    codecs.add(new dev.parlance.wire.openai.OpenAiCodec(limits));
    codecs.add(new dev.parlance.wire.mcp.McpCodec(limits));
    codecs.addAll(dev.parlance.wire.a2a.A2aCodec.bindings(limits));
    codecs.add(new dev.parlance.wire.plain.TextCodec(limits));
    // stable: else in the order of the lines above
    codecs.sort(Comparator.comparing(Codec::isAskedFirst).reversed());
    this.inOrder = List.copyOf(codecs);
    this.byName =
        inOrder.stream()
            .filter(Codec::readsUnclaimed)
            .collect(Collectors.toUnmodifiableMap(Codec::name, Function.identity()));
  }

  /** The names that a configuration may give. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(byName.keySet());
    names.addAll(Set.of(AUTO, JSON));
    return names;
  }

  /** The protocols that have members of their own, each in one of its versions. */
  public List<AgentProtocol> protocols() {
    return inOrder.stream()
        .map(Codec::protocol)
        .filter(one -> !one.equals(AgentProtocol.NONE))
        .distinct()
        .toList();
  }

  /** The names under which a request always has a place for the outcome of a round. */
  public List<String> namesWithOutcome() {
    return Stream.concat(
            Stream.of(AUTO),
            inOrder.stream().filter(Codec::hasPlaceForOutcome).map(Codec::name).distinct().sorted())
        .toList();
  }

  /** The names of those that read an answer without its request. */
  public List<String> namesOfAnswers() {
    RequestHead any = new RequestHead("POST", "/", HeaderLookup.NONE);
    return Stream.concat(
            Stream.of(JSON),
            inOrder.stream()
                .filter(codec -> codec.unreadRequest(any).isPresent())
                .map(Codec::name)
                .distinct())
        .sorted()
        .toList();
  }

  /**
   * The view of a request whose body nobody reads, by which its answer is read.
   *
   * @param codec one of {@link #namesOfAnswers}
   */
  public Reading<RequestView> unreadRequest(String codec, JsonPointers pointers, RequestHead head) {
    Codec known =
        codec.equals(JSON)
            ? new JsonCodec(limits, pointers)
            : inOrder.stream()
                .filter(one -> one.name().equals(codec) && one.claims(head))
                .findFirst()
                .orElseGet(() -> named(codec));
    return known
        .unreadRequest(head)
        .<Reading<RequestView>>map(Reading.Readable::new)
        .orElseGet(() -> new Reading.Unjudged<>("unread_request"));
  }

  /**
   * Reads a request.
   *
   * @param codec name in the configuration
   * @param pointers where codec {@code json} finds its texts
   * @param body whole, decoded from any content coding, and kept by the view, which lives no longer
   *     than the memory of it
   * @throws IllegalArgumentException if there is no such codec, or a pointer is not one
   */
  public Reading<RequestView> read(
      String codec, JsonPointers pointers, RequestHead head, PlainBody body) {
    CodecRequest asked = new CodecRequest(head, body, limits);
    if (codec.equals(JSON)) {
      return isPlumbing(head, body)
          ? new Reading.Unjudged<>(BODILESS)
          : new JsonCodec(limits, pointers).readRequest(head, body);
    }
    Optional<Reading<RequestView>> reading = readByClaimants(codec, asked);
    if (reading.isPresent()) {
      return reading.get();
    }
    if (asked.fault().isPresent()) {
      return asked.fault().get();
    }
    for (Codec known : inOrder) {
      Optional<String> unread = known.unread(head);
      if (unread.isPresent()) {
        return new Reading.Unjudged<>(unread.get());
      }
    }
    return codec.equals(AUTO)
        ? readAny(pointers, asked)
        : isPlumbing(head, body) ? new Reading.Unjudged<>(BODILESS) : asked.readBy(named(codec));
  }

  /** True if a request without a body asks by its name for what no agent says. */
  private static boolean isPlumbing(RequestHead head, PlainBody body) {
    return body.isEmpty()
        && PlumbingCall.of(head, /* isBodiless= */ true, /* isUnclaimed= */ false).isPresent();
  }

  /** As above, of bytes that nobody else has. */
  public Reading<RequestView> read(
      String codec, JsonPointers pointers, RequestHead head, byte[] body) {
    return read(codec, pointers, head, PlainBody.of(body));
  }

  /** What is not in the form of the first that claims it may be in that of another. */
  private Optional<Reading<RequestView>> readByClaimants(String codec, CodecRequest asked) {
    boolean any = codec.equals(AUTO);
    Optional<Reading<RequestView>> first = Optional.empty();
    for (Codec candidate : inOrder) {
      if ((any || candidate.name().equals(codec)) && asked.claimedBy(candidate)) {
        Reading<RequestView> reading = asked.readBy(candidate);
        if (!reading.equals(new Reading.Unjudged<RequestView>(CONTENT_TYPE))) {
          return Optional.of(reading);
        }
        first = first.or(() -> Optional.of(reading));
      }
    }
    return first;
  }

  private Optional<Codec> claimant(String codec, CodecRequest asked) {
    boolean any = codec.equals(AUTO);
    for (Codec candidate : inOrder) {
      if ((any || candidate.name().equals(codec)) && asked.claimedBy(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private Codec named(String codec) {
    Codec named = byName.get(codec);
    if (named == null) {
      throw new IllegalArgumentException(
          "expected codec " + String.join(", ", names()) + ", got " + codec);
    }
    return named;
  }

  /** A request that no codec claims. */
  private Reading<RequestView> readAny(JsonPointers pointers, CodecRequest asked) {
    if (asked.body().isEmpty()) {
      return new Reading.Unjudged<>(asked.head().method().equals("POST") ? "shape" : BODILESS);
    }
    if (asked.json().isEmpty()) {
      return new Reading.Unjudged<>(CONTENT_TYPE);
    }
    return pointers.equals(JsonPointers.NONE)
        ? new Reading.Unjudged<>("shape")
        : asked.readBy(new JsonCodec(limits, pointers));
  }

  /** The refusal of something that nobody could read at all. */
  public static Refusal plain(Notice notice) {
    return Problems.of(notice);
  }

  /**
   * The refusal of a request for which there is no request view, in the protocol that its head, its
   * body and its route let expect.
   *
   * @param codec name in the configuration
   * @param body as it was read; only looked at if the notice is about the message
   * @throws IllegalArgumentException if there is no such codec
   */
  public Refusal refuseUnread(String codec, RequestHead head, PlainBody body, Notice notice) {
    if (codec.equals(JSON)) {
      return Problems.of(notice);
    }
    boolean isLooked =
        notice.kind() == Notice.Kind.UNJUDGED || notice.kind() == Notice.Kind.MALFORMED;
    CodecRequest asked = new CodecRequest(head, isLooked ? body : PlainBody.none(), limits);
    Optional<Codec> expected =
        claimant(codec, asked)
            .or(() -> codec.equals(AUTO) ? Optional.empty() : Optional.of(named(codec)));
    return expected
        .flatMap(one -> one.refuseUnread(head, asked.json(), notice))
        .or(() -> codec.equals(AUTO) ? byHead(head, asked.body(), notice) : Optional.empty())
        .orElseGet(() -> Problems.of(notice));
  }

  /** What no codec claims may still show by its fields what the requester understands. */
  private Optional<Refusal> byHead(RequestHead head, PlainBody body, Notice notice) {
    for (Codec codec : inOrder) {
      if (codec.isUnderstoodBy(head, body)) {
        return codec.refuseUnread(head, Optional.empty(), notice);
      }
    }
    return Optional.empty();
  }

  /** A request while its codec is looked for; its body is scanned at most once. */
  private static final class CodecRequest {
    private final RequestHead head;
    private final PlainBody body;
    private final JsonScanner.Limits limits;
    private boolean scanned;
    private Optional<JsonDocument> json = Optional.empty();
    private Optional<Reading<RequestView>> fault = Optional.empty();

    CodecRequest(RequestHead head, PlainBody body, JsonScanner.Limits limits) {
      this.head = head;
      this.body = body;
      this.limits = limits;
    }

    RequestHead head() {
      return head;
    }

    PlainBody body() {
      return body;
    }

    /** True if this codec takes the request, by its head or by its JSON body. */
    boolean claimedBy(Codec codec) {
      if (codec.claims(head)) {
        return true;
      }
      Optional<JsonDocument> found = json();
      return found.isPresent() && codec.claims(head, found.get());
    }

    /** What the codec reads. */
    Reading<RequestView> readBy(Codec codec) {
      return json.isPresent() ? codec.readRequest(head, json.get()) : codec.readRequest(head, body);
    }

    /** The body, where it may be JSON by its type and is. */
    Optional<JsonDocument> json() {
      scan();
      return json;
    }

    /** What is wrong with a body that should be JSON by its type. */
    Optional<Reading<RequestView>> fault() {
      scan();
      return fault;
    }

    private void scan() {
      if (scanned) {
        return;
      }
      scanned = true;
      MediaType type = MediaType.of(head.fields());
      boolean declared = type.isJson() || type.isMissing();
      if (body.isEmpty() || !(declared || JsonBody.mayBe(type, body))) {
        return;
      }
      if (!declared) {
        json =
            JsonScanner.scan(body, limits) instanceof JsonScanner.Scanned(JsonDocument found)
                ? Optional.of(found)
                : Optional.empty();
        return;
      }
      fault = type.charsetFault();
      if (fault.isEmpty()) {
        switch (JsonScanner.scan(body, limits)) {
          case JsonScanner.Refused refused -> fault = Optional.of(refused.asReading());
          case JsonScanner.Scanned found -> json = Optional.of(found.document());
        }
      }
    }
  }
}
