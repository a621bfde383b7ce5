package dev.parlance.proxy.admin;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every path of the admin server. */
enum Endpoint {
  INDEX("GET", "/", Access.TOKEN, "this page"),
  LIVEZ("GET", "/livez", Access.OPEN, "200 while its threads run"),
  STARTUPZ("GET", "/startupz", Access.OPEN, "200 once it has started, else 503 with the reasons"),
  READYZ("GET", "/readyz", Access.OPEN, "200 while it can take traffic, else 503 with the reasons"),
  METRICS("GET", "/metrics", Access.OPEN, "Prometheus text format 0.0.4"),
  CONFIG("GET", "/config", Access.TOKEN, "the configuration in force, and the last refused file"),
  CORES("GET", "/cores", Access.TOKEN, "the certified cores in force"),
  ROUND(
      "GET",
      "/rounds/{round}/{epoch}",
      Access.OPEN,
      "how a round stands, for whoever has its name"),
  DECISIONS(
      "GET",
      "/decisions",
      Access.TOKEN,
      "the latest decisions",
      "limit",
      "route",
      "after",
      "before"),
  DECISION("GET", "/decisions/{id}", Access.TOKEN, "one decision"),
  EXPLAIN("GET", "/explain/{id}", Access.TOKEN, "why it was taken: format=json or text", "format"),
  REVIEWS(
      "GET",
      "/review",
      Access.TOKEN,
      "held messages, page by page",
      "state",
      "phase",
      "queue",
      "owner",
      "route",
      "peer",
      "reason",
      "kind",
      "text",
      "digest",
      "gMin",
      "gMax",
      "since",
      "for",
      "facets",
      "after",
      "limit"),
  REVIEW("GET", "/review/{id}", Access.LINK, "one held message, without its bytes", "for"),
  REVIEW_MESSAGE("GET", "/review/{id}/message", Access.LINK, "its exact bytes"),
  CLAIM("POST", "/review/{id}/claim", Access.LINK, "take it: {\"who\":..,\"forMs\":..}"),
  UNCLAIM("POST", "/review/{id}/unclaim", Access.LINK, "give it back: {\"who\":..}"),
  RELEASE("POST", "/review/{id}/release", Access.LINK, "let it pass: {\"who\":..,\"note\":..}"),
  REJECT("POST", "/review/{id}/reject", Access.LINK, "refuse it: {\"who\":..,\"note\":..}"),
  SEND_BACK(
      "POST",
      "/review/{id}/send-back",
      Access.LINK,
      "refuse it and ask its author again: {\"who\":..,\"note\":..}"),
  UNDO("POST", "/review/{id}/undo", Access.LINK, "take a decision back: {\"who\":..}"),
  LINK(
      "POST",
      "/review/{id}/link",
      Access.TOKEN,
      "a link to it: {\"who\":..,\"forMs\":..,\"role\":..}"),
  REVIEW_LINK("POST", "/review-link", Access.TOKEN, "what a link is for: {\"token\":..}"),
  REVIEW_STATS("GET", "/review-stats", Access.TOKEN, "how the queue and its reviewers do"),
  JUDGEMENT(
      "POST",
      "/judgement",
      Access.TOKEN,
      "judge texts, sent to nobody:"
          + " {\"answer\":..,\"question\":..,\"evidence\":[{\"id\":..,\"text\":..}]}"),
  HELD_JUDGEMENT(
      "GET", "/review/{id}/judgement", Access.LINK, "its drafts, judged with places", "draft"),
  OTHER_JUDGEMENT(
      "POST",
      "/review/{id}/judgement",
      Access.TOKEN,
      "judge another answer in its place, sent to nobody: {\"answer\":..}"),
  PACTS("GET", "/pacts", Access.TOKEN, "the pacts of the local agent, newest first", "limit"),
  DISSOLVE(
      "POST",
      "/pacts/{id}/dissolve",
      Access.TOKEN,
      "end one in the agent's name: {\"who\":..,\"note\":..}",
      "reason");

  /** Who may ask. */
  enum Access {
    /** Probes, scrapers and the local agent have no token. */
    OPEN,
    /** A person who has the token, or a link to the item. */
    LINK,
    /** Everybody else needs the token. */
    TOKEN
  }

  private final String method;
  private final String template;
  private final Access access;
  private final String summary;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of: cannot be changed
  private final Set<String> parameters;

  private final Pattern pattern;

  Endpoint(String method, String template, Access access, String summary, String... parameters) {
    this.method = method;
    this.template = template;
    this.access = access;
    this.summary = summary;
    this.parameters = Set.of(parameters);
    // 15 digits: 2^53 is the largest number that every reader of JSON reads as the same.
    this.pattern =
        Pattern.compile(
            template
                .replace("{id}", "([A-Za-z0-9_.-]{1,128})")
                .replace("{round}/{epoch}", "(.+/[1-9][0-9]{0,14})"));
  }

  String method() {
    return method;
  }

  String template() {
    return template;
  }

  boolean isOpen() {
    return access == Access.OPEN;
  }

  /** True if a link to the item is enough. */
  boolean takesLink() {
    return access == Access.LINK;
  }

  /**
   * True if a person at the control plane's console may ask; that person's roles are known there.
   */
  boolean isForConsole() {
    return template.startsWith("/review")
        || switch (this) {
          case CONFIG, READYZ, CORES, DECISIONS, DECISION, EXPLAIN, JUDGEMENT -> true;
          default -> false;
        };
  }

  /** True if the body says who asks. */
  boolean namesPerson() {
    return method.equals("POST")
        && switch (this) {
          case JUDGEMENT, OTHER_JUDGEMENT, REVIEW_LINK -> false;
          default -> true;
        };
  }

  String summary() {
    return summary;
  }

  Set<String> parameters() {
    return parameters;
  }

  /** The id in the path, or nothing if the path is another one. An endpoint without id gives "". */
  Optional<String> match(String path) {
    Matcher matcher = pattern.matcher(path);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String id = matcher.groupCount() == 0 ? "" : matcher.group(1);
    return this != ROUND || isRound(id) ? Optional.of(id) : Optional.empty();
  }

  /** A round's name may hold slashes; the last part is its epoch. */
  private static boolean isRound(String id) {
    int slash = id.lastIndexOf('/');
    return slash <= RoundId.MAX_ROUND_LENGTH && RoundNames.isName(id.substring(0, slash));
  }
}
