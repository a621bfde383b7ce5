package dev.parlance.proxy.exchange;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.metadata.VerdictJson;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.List;
import java.util.Optional;

/**
 * Makes what the review queue keeps: enough for a person to decide and to deliver the exact bytes.
 */
final class Holding {
  private Holding() {}

  static HeldMessage of(
      Services services,
      RouteRule rule,
      Direction direction,
      RequestHead head,
      Destination destination,
      String caller,
      String protocol,
      Ruling ruling,
      String releaseKey,
      Utf8Span asked,
      byte[] body,
      Optional<WholeResponse> response) {
    return new HeldMessage(
        ruling.id(),
        direction.code(),
        ruling.draft().leg() == Leg.REQUEST ? HeldMessage.Kind.REQUEST : HeldMessage.Kind.RESPONSE,
        protocol,
        rule.name(),
        ruling.draft().key().flow(),
        releaseKey,
        caller,
        destination + head.path(),
        response.map(WholeResponse::status).orElse(0),
        response
            .map(arrived -> arrived.headers().get(HttpHeaderNames.CONTENT_TYPE, ""))
            .or(() -> head.fields().first("content-type"))
            .orElse(""),
        response.map(Holding::fields).orElse(List.of()),
        asked.toByteArray(),
        ruling.message().answer().toByteArray(),
        body,
        ruling.annotation().header().orElse(""),
        ruling.annotation().reasons(),
        VerdictJson.of(ruling.annotation()),
        ruling.draft().attempt(),
        services.wallClockMs().getAsLong());
  }

  private static List<HeldMessage.Field> fields(WholeResponse response) {
    return response.headers().entries().stream()
        .map(field -> new HeldMessage.Field(field.getKey(), field.getValue()))
        .toList();
  }
}
