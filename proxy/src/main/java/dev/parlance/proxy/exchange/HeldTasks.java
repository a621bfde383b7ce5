package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.TaskListing;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Splicer;
import java.util.List;
import java.util.Optional;

/**
 * What waits for a person among the tasks that its caller lists. The agent is asked for so many
 * fewer on the first page, the latest of the caller's own stand in front of them, and every total
 * counts them. Nobody else's are seen.
 *
 * @param listing what is asked for
 * @param held what waits, the latest first
 */
record HeldTasks(TaskListing listing, List<HeldAnswer> held) {
  /** What the request lists; empty if it lists nothing, or nothing of the caller waits. */
  static Optional<HeldTasks> of(ExchangeContext exchange) {
    Optional<TaskListing> listing = exchange.asked.flatMap(RequestView::taskListing);
    if (listing.isEmpty() || exchange.observing() || exchange.services.review().isIdle()) {
      return Optional.empty();
    }
    String protocol = exchange.asked.get().protocol().name();
    List<HeldAnswer> held =
        exchange.services.review().waiting(exchange.keys.asker()).stream()
            .filter(item -> item.message().origin().protocol().equals(protocol))
            .filter(
                item -> listing.get().asksFor(answer(exchange, item), item.message().heldAtMs()))
            .limit(TaskListing.MAX_PAGE)
            .map(item -> answer(exchange, item))
            .toList();
    return held.isEmpty() ? Optional.empty() : Optional.of(new HeldTasks(listing.get(), held));
  }

  private static HeldAnswer answer(ExchangeContext exchange, ReviewItem item) {
    return new HeldAnswer(
        item.message().origin().protocol(),
        item.message().content().body(),
        Utf8Span.of(item.message().content().answer()),
        Notices.waiting(
            exchange.bare(
                item.message().decisionId(),
                Route.YIELD,
                Reason.REVIEW_PENDING,
                item.message().cause().attempts()),
            item));
  }

  /** Where the request goes. */
  static String target(ExchangeContext exchange) {
    String target = exchange.request.target();
    return of(exchange)
        .flatMap(tasks -> tasks.listing.smaller(tasks.held.size()))
        .map(TaskListing.Smaller::target)
        .filter(smaller -> !smaller.isEmpty())
        .orElse(target);
  }

  /** What becomes of the request's body, if nothing else does. */
  static List<Edit> ofRequest(ExchangeContext exchange, List<Edit> edits) {
    return edits.isEmpty()
        ? of(exchange)
            .flatMap(tasks -> tasks.listing.smaller(tasks.held.size()))
            .flatMap(TaskListing.Smaller::body)
            .map(body -> whole(exchange, body))
            .orElse(edits)
        : edits;
  }

  /** What becomes of the answer's body, with whatever else does. */
  static List<Edit> ofAnswer(ExchangeContext exchange, List<Edit> edits) {
    return of(exchange)
        .flatMap(tasks -> {
          PlainBody plain = exchange.body.plain().body();
          byte[] edited = Splicer.applyToBytes(plain.array(), plain.length(), edits);
          return tasks.listing.with(tasks.held, edited);
        })
        .map(body -> whole(exchange, body))
        .orElse(edits);
  }

  private static List<Edit> whole(ExchangeContext exchange, byte[] body) {
    return List.of(new Edit(0, exchange.body.plain().body().length(), body));
  }
}
