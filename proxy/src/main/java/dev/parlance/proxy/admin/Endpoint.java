package dev.parlance.proxy.admin;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.Optional;
import java.util.Set;

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
  DECISIONS("GET", "/decisions", Access.TOKEN, "the latest decisions", "limit", "route"),
  DECISION("GET", "/decisions/{id}", Access.TOKEN, "one decision"),
  EXPLAIN("GET", "/explain/{id}", Access.TOKEN, "why it was taken: format=json or text", "format"),
  REVIEWS("GET", "/review", Access.TOKEN, "held messages", "state", "limit"),
  REVIEW("GET", "/review/{id}", Access.TOKEN, "one held message, without its bytes"),
  REVIEW_MESSAGE("GET", "/review/{id}/message", Access.TOKEN, "its exact bytes"),
  RELEASE("POST", "/review/{id}/release", Access.TOKEN, "let it pass: {\"who\":..,\"note\":..}"),
  REJECT("POST", "/review/{id}/reject", Access.TOKEN, "refuse it: {\"who\":..,\"note\":..}");

  /** Who may ask. */
  enum Access {
    /** Probes, scrapers and the local agent have no token. */
    OPEN,
    /** Everybody else needs the token. */
    TOKEN
  }

  private static final String ID = "{id}";
  private static final String ROUNDS = "/rounds/";

  /** Digits of 2^53, the largest number that every reader of JSON reads as the same. */
  private static final int MAX_EPOCH_DIGITS = 15;

  private final String method;
  private final String template;
  private final Access access;
  private final String summary;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of: cannot be changed
  private final Set<String> parameters;

  Endpoint(String method, String template, Access access, String summary, String... parameters) {
    this.method = method;
    this.template = template;
    this.access = access;
    this.summary = summary;
    this.parameters = Set.of(parameters);
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

  String summary() {
    return summary;
  }

  Set<String> parameters() {
    return parameters;
  }

  /** The id in the path, or nothing if the path is another one. An endpoint without id gives "". */
  Optional<String> match(String path) {
    return this == ROUND ? matchRound(path) : matchId(path);
  }

  /** A round's name may hold slashes; the last part is its epoch. */
  private static Optional<String> matchRound(String path) {
    if (!path.startsWith(ROUNDS)) {
      return Optional.empty();
    }
    String id = path.substring(ROUNDS.length());
    int slash = id.lastIndexOf('/');
    boolean good =
        slash > 0
            && slash <= RoundId.MAX_ROUND_LENGTH
            && RoundNames.isName(id.substring(0, slash))
            && isEpoch(id.substring(slash + 1));
    return good ? Optional.of(id) : Optional.empty();
  }

  private static boolean isEpoch(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_EPOCH_DIGITS
        && text.charAt(0) != '0'
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private Optional<String> matchId(String path) {
    int at = template.indexOf(ID);
    if (at < 0) {
      return path.equals(template) ? Optional.of("") : Optional.empty();
    }
    String before = template.substring(0, at);
    String after = template.substring(at + ID.length());
    if (!path.startsWith(before)
        || !path.endsWith(after)
        || path.length() <= before.length() + after.length()) {
      return Optional.empty();
    }
    String id = path.substring(before.length(), path.length() - after.length());
    return isId(id) ? Optional.of(id) : Optional.empty();
  }

  private static boolean isId(String id) {
    return id.length() <= 128
        && id.chars()
            .allMatch(c ->
                (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '_'
                    || c == '.');
  }
}
