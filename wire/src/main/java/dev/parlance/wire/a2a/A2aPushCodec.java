package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.Coverage;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.json.JsonScan;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.plain.Problems;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Push notifications of A2A: an agent posts a task, or a change of one, to its client's webhook, so
 * that answers leave in requests. Told by the body: an object of A2A stands alone in it.
 */
public final class A2aPushCodec implements Codec {
  private static final Set<String> OF_TASK = Set.of("status", "artifacts", "history");
  private static final Set<String> OF_MESSAGE = Set.of("parts", "content");
  private static final Set<String> OF_STATUS = Set.of("status");
  private static final Set<String> OF_ARTIFACT = Set.of("artifact");

  private final JsonLimits limits;

  public A2aPushCodec(JsonLimits limits) {
    this.limits = limits;
  }

  @Override
  public String name() {
    return "a2a";
  }

  @Override
  public boolean claims(RequestHead head) {
    return false;
  }

  @Override
  public boolean claims(RequestHead head, JsonBody body) {
    return head.method().equals("POST") && form(body.json()).isPresent();
  }

  /** How the object is written, if the body is one of A2A. */
  private static Optional<A2aForm> form(JsonDocument json) {
    int root = json.root();
    for (A2aUnion.Kind kind : A2aUnion.Kind.values()) {
      boolean named =
          json.optionalString(json.member(root, "kind")).equals(Optional.of(kind.kindName()));
      if (named && looksLike(json, root, kind)) {
        return Optional.of(A2aForm.KIND);
      }
    }
    for (A2aUnion.Kind kind : A2aUnion.Kind.values()) {
      if (looksLike(json, json.present(root, kind.member()), kind)) {
        return Optional.of(A2aForm.CURRENT);
      }
    }
    return Optional.empty();
  }

  private static boolean looksLike(JsonDocument json, int node, A2aUnion.Kind kind) {
    Set<String> some =
        switch (kind) {
          case MESSAGE -> OF_MESSAGE;
          case TASK -> OF_TASK;
          case STATUS -> OF_STATUS;
          case ARTIFACT -> OF_ARTIFACT;
        };
    return some.stream().anyMatch(name -> json.present(node, name) != JsonDocument.NONE);
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    return switch (JsonScanner.scan(body, limits)) {
      case JsonScan.Refused refused -> refused.asReading();
      case JsonScan.Scanned(JsonDocument json) -> read(json);
    };
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, JsonBody body) {
    return read(body.json());
  }

  private Reading<RequestView> read(JsonDocument json) {
    Optional<A2aForm> form = form(json);
    return form.isEmpty()
        ? new Reading.Unjudged<>("shape")
        : A2aPush.read(json, form.get(), limits);
  }

  /** A webhook speaks plain HTTP to its callers. */
  @Override
  public Optional<Refusal> refuseUnread(RequestHead head, Optional<JsonBody> body, Notice notice) {
    return Optional.of(Problems.of(notice));
  }

  @Override
  public List<Coverage> coverage() {
    return A2aCoverage.push();
  }
}
