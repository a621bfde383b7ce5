package dev.parlance.cli.review;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Options that say which held messages are meant, and the pages of those that fit. */
final class ReviewSelection {
  private static final Pattern AGE = Pattern.compile("([0-9]{1,9})([smhd])");
  private static final int PAGE = 1000;

  @Option(names = "--route", paramLabel = "NAME", description = "only those of this route")
  Optional<String> route = Optional.empty();

  @Option(
      names = "--peer",
      paramLabel = "TEXT",
      description = "only those whose caller or destination holds this")
  Optional<String> peer = Optional.empty();

  @Option(names = "--reason", paramLabel = "CODE", description = "only those held for this reason")
  Optional<String> reason = Optional.empty();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "only those held since: 30s, 15m, 2h, 3d ago, or 2026-01-31T12:00:00Z")
  Optional<String> since = Optional.empty();

  @Option(
      names = "--text",
      paramLabel = "TEXT",
      description = "only those whose question or answer holds this, in any case")
  Optional<String> text = Optional.empty();

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description = "only those that were escalated to it; default: to nobody")
  Optional<String> queue = Optional.empty();

  @Option(
      names = "--phase",
      paramLabel = "PHASE",
      description = "only those that are open, claimed, or decided and can be undone")
  Optional<String> phase = Optional.empty();

  boolean isEmpty() {
    return Stream.of(route, peer, reason, since, text, queue, phase).allMatch(Optional::isEmpty);
  }

  /** A length of time such as 15m. */
  static long lengthMs(String option, String given) {
    Matcher length = AGE.matcher(given);
    if (!length.matches()) {
      throw CommandProblem.usage(
          option
              + ": got "
              + TerminalEscaper.shortened(given, 40)
              + ", expected a time such as 90s, 15m, 2h or 3d");
    }
    return unit(length).toMillis(Long.parseLong(length.group(1)));
  }

  private static TimeUnit unit(Matcher age) {
    return switch (age.group(2)) {
      case "s" -> TimeUnit.SECONDS;
      case "m" -> TimeUnit.MINUTES;
      case "h" -> TimeUnit.HOURS;
      default -> TimeUnit.DAYS;
    };
  }

  /** Refuses a time that is none. */
  void check() {
    since.ifPresent(given -> sinceMs(given, 0));
  }

  private static long sinceMs(String given, long nowMs) {
    Matcher age = AGE.matcher(given);
    if (age.matches()) {
      return Math.max(0, nowMs - unit(age).toMillis(Long.parseLong(age.group(1))));
    }
    try {
      return Math.max(0, Instant.parse(given).toEpochMilli());
    } catch (DateTimeParseException | ArithmeticException e) {
      throw CommandProblem.usage(
          "--since: got "
              + TerminalEscaper.shortened(given, 40)
              + ", expected 30s, 15m, 2h, 3d or a time such as 2026-01-31T12:00:00Z");
    }
  }

  private String query() {
    StringBuilder query = new StringBuilder();
    add(query, "route", route);
    add(query, "peer", peer);
    add(query, "reason", reason);
    add(query, "text", text);
    add(query, "queue", queue);
    add(query, "phase", phase);
    add(
        query,
        "since",
        since.map(given -> Long.toString(sinceMs(given, System.currentTimeMillis()))));
    return query.toString();
  }

  private static void add(StringBuilder query, String name, Optional<String> value) {
    value.ifPresent(given ->
        query
            .append('&')
            .append(name)
            .append('=')
            .append(URLEncoder.encode(given, StandardCharsets.UTF_8)));
  }

  /** The options as they were given, to be repeated in a command that is suggested. */
  String asArguments() {
    StringBuilder arguments = new StringBuilder();
    argument(arguments, "--route", route);
    argument(arguments, "--peer", peer);
    argument(arguments, "--reason", reason);
    argument(arguments, "--since", since);
    argument(arguments, "--text", text);
    argument(arguments, "--queue", queue);
    argument(arguments, "--phase", phase);
    return arguments.toString();
  }

  private static void argument(StringBuilder arguments, String name, Optional<String> value) {
    value.ifPresent(
        given -> arguments.append(' ').append(name).append(' ').append(ReviewText.quoted(given)));
  }

  /** One page: {@code items, total, next?}. */
  JsonNode page(SidecarClient client, String state, int limit, Optional<String> after)
      throws IOException {
    StringBuilder path = new StringBuilder("/review?limit=").append(limit).append(state);
    add(path, "after", after);
    return client.get(path + query());
  }

  /** All pages as one. */
  JsonNode all(SidecarClient client, String state) throws IOException {
    ObjectNode all = (ObjectNode) page(client, state, PAGE, Optional.empty());
    ArrayNode items = all.withArray("/items");
    for (String next = SidecarClient.firstText(all, "next"); !next.isEmpty(); ) {
      JsonNode page = page(client, state, PAGE, Optional.of(next));
      page.path("items").forEach(items::add);
      next = SidecarClient.firstText(page, "next");
    }
    all.remove("next");
    all.put("total", items.size());
    return all;
  }
}
