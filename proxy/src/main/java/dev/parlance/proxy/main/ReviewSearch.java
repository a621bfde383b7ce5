package dev.parlance.proxy.main;

import dev.parlance.proxy.admin.ReviewPort.Filter;
import dev.parlance.proxy.review.Deliberation;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewFigures;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What of the review queue fits a filter, in the order of its pages, and how it is distributed. */
record ReviewSearch(Filter filter, long nowMs) {
  private static final String OPEN = "open.";
  private static final String SETTLED = "settled.";
  private static final int BUCKETS = 20;

  /** Those that fit, unsettled ones oldest first, then settled ones latest first. */
  List<ReviewItem> of(List<ReviewItem> items) {
    return items.stream()
        .filter(this::fits)
        .sorted(Comparator.comparing(ReviewSearch::cursor, ReviewSearch::compareCursors))
        .toList();
  }

  /** Where an item stands in the list; what was decided since does not move the others. */
  static String cursor(ReviewItem item) {
    return (item.state().isSettled() ? SETTLED : OPEN) + item.id();
  }

  static int compareCursors(String one, String other) {
    boolean settled = one.startsWith(SETTLED);
    return settled != other.startsWith(SETTLED)
        ? Boolean.compare(settled, !settled)
        : settled ? other.compareTo(one) : one.compareTo(other);
  }

  private boolean fits(ReviewItem item) {
    HeldMessage held = item.message();
    return is(filter.state(), item.state().code())
        && is(filter.phase(), phase(item))
        && is(filter.queue(), ReviewFigures.queue(item))
        && is(filter.owner(), owner(item))
        && is(filter.route(), held.origin().routeRule())
        && is(filter.kind(), held.origin().kind().code())
        && filter
            .peer()
            .map(peer ->
                held.origin().caller().contains(peer) || held.origin().destination().contains(peer))
            .orElse(true)
        && filter.reason().map(held.cause().reasons()::contains).orElse(true)
        && held.heldAtMs() >= filter.sinceMs().orElse(0)
        && fitsGrounding(item)
        && is(filter.digest(), filter.digest().isEmpty() ? "" : item.textSha256())
        && filter
            .text()
            .map(text ->
                holds(held.content().question(), text) || holds(held.content().answer(), text))
            .orElse(true);
  }

  private static boolean is(Optional<String> wanted, String found) {
    return wanted.map(found::equals).orElse(true);
  }

  private boolean fitsGrounding(ReviewItem item) {
    return (filter.minG().isEmpty() && filter.maxG().isEmpty())
        || ReviewViews.grounding(item)
            .filter(g -> g >= filter.minG().orElse(0) && g <= filter.maxG().orElse(1))
            .isPresent();
  }

  private String phase(ReviewItem item) {
    return item.state() == ReviewState.PENDING ? item.deliberation().phase(nowMs).code() : "";
  }

  private String owner(ReviewItem item) {
    return item.deliberation()
        .claim()
        .filter(claim -> item.state() == ReviewState.PENDING && claim.untilMs() > nowMs)
        .map(Deliberation.Lease::who)
        .orElse("");
  }

  private static boolean holds(byte[] utf8, String part) {
    String text = new String(utf8, StandardCharsets.UTF_8);
    return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
  }

  /**
   * How many of these items there are of each kind, and their grounding in steps of a twentieth.
   */
  ObjectNode facets(List<ReviewItem> items) {
    ObjectNode facets = JsonNodeFactory.instance.objectNode();
    count(facets, "state", items, item -> Stream.of(item.state().code()));
    count(facets, "phase", items, item -> Stream.of(phase(item)).filter(one -> !one.isEmpty()));
    count(facets, "queue", items, item -> Stream.of(ReviewFigures.queue(item)));
    count(facets, "route", items, item -> Stream.of(item.message().origin().routeRule()));
    count(facets, "reason", items, item -> item.message().cause().reasons().stream().distinct());
    count(facets, "peer", items, item -> Stream.of(peer(item.message().origin())));
    int[] buckets = new int[BUCKETS];
    int unknown = 0;
    for (ReviewItem item : items) {
      Optional<Double> g = ReviewViews.grounding(item);
      if (g.isPresent()) {
        buckets[Math.min(BUCKETS - 1, (int) (g.get() * BUCKETS))]++;
      } else {
        unknown++;
      }
    }
    ObjectNode grounding = facets.putObject("g").put("from", 0).put("to", 1);
    ArrayNode counts = grounding.putArray("counts");
    for (int count : buckets) {
      counts.add(count);
    }
    grounding.put("unknown", unknown);
    return facets;
  }

  /** Host and port of where an item goes: a path may say more than its agent. */
  private static String peer(HeldMessage.Origin origin) {
    int slash = origin.destination().indexOf('/');
    return slash < 0 ? origin.destination() : origin.destination().substring(0, slash);
  }

  private static void count(
      ObjectNode facets,
      String name,
      List<ReviewItem> items,
      Function<ReviewItem, Stream<String>> values) {
    Map<String, Integer> counts = new TreeMap<>();
    items.stream().flatMap(values).forEach(value -> counts.merge(value, 1, Integer::sum));
    ObjectNode found = facets.putObject(name);
    counts.forEach(found::put);
  }
}
