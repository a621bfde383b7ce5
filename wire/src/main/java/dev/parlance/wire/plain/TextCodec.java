package dev.parlance.wire.plain;

import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.Coverage;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonBody;
import java.util.List;
import java.util.Optional;

/** Plain text: the whole body is what the agent says. It has no place for evidence or verdicts. */
public final class TextCodec implements Codec {
  @Override
  public String name() {
    return "text";
  }

  @Override
  public boolean claims(RequestHead head) {
    return MediaType.of(head.fields()).isPlainText();
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    if (body.isEmpty()) {
      return new Reading.Readable<>(new TextRequest(body, false));
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isPlainText()) {
      return new Reading.Unjudged<>("content_type");
    }
    boolean repeatable = head.method().equals("POST");
    return type.<RequestView>charsetFault()
        .or(() -> Utf8.problem(body.array(), body.length()).map(TextCodec::badEncoding))
        .orElseGet(() -> new Reading.Readable<>(new TextRequest(body, repeatable)));
  }

  @Override
  public Optional<Refusal> refuseUnread(RequestHead head, Optional<JsonBody> body, Notice notice) {
    return Optional.empty();
  }

  /** The reading of a body that is no UTF-8. */
  public static <V> Reading<V> badEncoding(String detail) {
    return new Reading.Malformed<>(WireFault.BAD_ENCODING, detail);
  }

  @Override
  public List<Coverage> coverage() {
    return List.of(
        new Coverage(
            "plain text",
            "",
            List.of("`text/plain`"),
            "the whole body, both ways",
            "nothing",
            "an HTTP problem"));
  }
}
