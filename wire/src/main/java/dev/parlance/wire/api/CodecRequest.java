package dev.parlance.wire.api;

import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.json.JsonScan;
import dev.parlance.wire.json.JsonScanner;
import java.util.Optional;

/** A request while its codec is looked for; its body is scanned at most once. */
public final class CodecRequest {
  private final RequestHead head;
  private final PlainBody body;
  private final JsonLimits limits;
  private boolean scanned;
  private Optional<JsonBody> json = Optional.empty();
  private Optional<Reading<RequestView>> fault = Optional.empty();

  public CodecRequest(RequestHead head, PlainBody body, JsonLimits limits) {
    this.head = head;
    this.body = body;
    this.limits = limits;
  }

  public RequestHead head() {
    return head;
  }

  public PlainBody body() {
    return body;
  }

  /** True if this codec takes the request, by its head or by its JSON body. */
  public boolean claimedBy(Codec codec) {
    if (codec.claims(head)) {
      return true;
    }
    Optional<JsonBody> found = json();
    return found.isPresent() && codec.claims(head, found.get());
  }

  /** What the codec reads. */
  public Reading<RequestView> readBy(Codec codec) {
    return json.isPresent() ? codec.readRequest(head, json.get()) : codec.readRequest(head, body);
  }

  /** The body, where it may be JSON by its type and is. */
  public Optional<JsonBody> json() {
    scan();
    return json;
  }

  /** What is wrong with a body that should be JSON by its type. */
  public Optional<Reading<RequestView>> fault() {
    scan();
    return fault;
  }

  private void scan() {
    if (scanned) {
      return;
    }
    scanned = true;
    MediaType type = MediaType.of(head.fields());
    if (body.isEmpty() || !(type.isJson() || type.isMissing())) {
      return;
    }
    fault = type.charsetFault();
    if (fault.isEmpty()) {
      switch (JsonScanner.scan(body, limits)) {
        case JsonScan.Refused refused -> fault = Optional.of(refused.asReading());
        case JsonScan.Scanned found -> json = Optional.of(new JsonBody(found.document()));
      }
    }
  }
}
