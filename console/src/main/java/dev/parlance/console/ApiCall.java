package dev.parlance.console;

import static dev.parlance.console.login.ConsoleRole.AUDITOR;
import static dev.parlance.console.login.ConsoleRole.OPERATOR;
import static dev.parlance.console.login.ConsoleRole.REVIEWER;
import static dev.parlance.console.login.ConsoleRole.VIEWER;

import dev.parlance.console.login.ConsoleRole;
import dev.parlance.console.source.Feature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every call of the API: path, who may make it, what it is about. openapi.yaml says the same. */
enum ApiCall {
  GET_SESSION("GET", "/session", Access.ALL),
  LOG_IN("POST", "/session", Access.ANYONE),
  LOG_OUT("DELETE", "/session", Access.ALL),
  BEGIN_OIDC("GET", "/session/oidc", Access.ANYONE),
  END_OIDC(
      "GET",
      "/session/oidc/callback",
      Access.ANYONE,
      "code",
      "state",
      "error",
      "iss",
      "session_state"),
  EVENTS("GET", "/events", Access.ALL),
  SIDECARS("GET", "/sidecars", Access.ALL, Feature.SIDECARS),
  CONFIG("GET", "/sidecars/{sidecar}/config", Access.CONFIGURATIONS, Feature.SIDECARS),
  DECISIONS(
      "GET",
      "/decisions",
      Access.ALL,
      Feature.DECISIONS,
      "after",
      "limit",
      "route",
      "reason",
      "agent",
      "direction",
      "sidecar"),
  DECISION("GET", "/decisions/{sidecar}/{id}", Access.ALL, Feature.DECISIONS),
  SEARCH("POST", "/review/search", Access.WORDS, Feature.REVIEW),
  FIGURES("GET", "/review/figures", Access.ALL, Feature.REVIEW),
  ACT_ON_MANY("POST", "/review/actions", Access.DECISIONS, Feature.REVIEW),
  ITEM("GET", "/review/{sidecar}/{id}", Access.WORDS, Feature.REVIEW),
  ACT("POST", "/review/{sidecar}/{id}/{act}", Access.DECISIONS, Feature.REVIEW),
  LINK("POST", "/review/{sidecar}/{id}/link", Access.DECISIONS, Feature.LINKS),
  JUDGE("POST", "/judgement", Access.JUDGE, Feature.JUDGEMENT),
  CORES("GET", "/cores", Access.ALL, Feature.CORES),
  CORE("GET", "/cores/{key}", Access.ALL, Feature.CORES, "version", "with"),
  ROUNDS("GET", "/rounds", Access.ALL, Feature.ROUNDS, "limit"),
  ROUND("GET", "/rounds/{key}", Access.ALL, Feature.ROUNDS),
  PACTS("GET", "/pacts", Access.ALL, Feature.PACTS, "limit"),
  BOARDS("GET", "/boards", Access.ALL, Feature.LEXICON, "limit"),
  BOARD("GET", "/boards/{key}", Access.ALL, Feature.LEXICON),
  LEDGER("GET", "/ledger", Access.ALL, Feature.LEDGER),
  ENTRIES("GET", "/ledger/entries", Access.AUDIT, Feature.LEDGER, "limit", "before"),
  ENTRY("GET", "/ledger/entries/{index}", Access.AUDIT, Feature.LEDGER);

  /** Who may make a call. */
  enum Access {
    /** Also who is not logged in. */
    ANYONE(),
    ALL(VIEWER, REVIEWER, AUDITOR, OPERATOR),
    WORDS(REVIEWER, AUDITOR),
    DECISIONS(REVIEWER),
    CONFIGURATIONS(AUDITOR, OPERATOR),
    JUDGE(REVIEWER, OPERATOR),
    AUDIT(AUDITOR);

    @SuppressWarnings("ImmutableEnumChecker") // Set.of: cannot be changed
    private final Set<ConsoleRole> roles;

    Access(ConsoleRole... roles) {
      this.roles = Set.of(roles);
    }

    Set<ConsoleRole> roles() {
      return roles;
    }
  }

  /** The acts that the path of {@link #ACT} takes. */
  static final List<String> ACTS =
      List.of("claim", "unclaim", "release", "reject", "send-back", "undo");

  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");

  private final String method;
  private final String template;
  private final Access access;

  @SuppressWarnings("ImmutableEnumChecker") // Optional of an enum
  private final Optional<Feature> feature;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of: cannot be changed
  private final Set<String> parameters;

  private final Pattern pattern;

  ApiCall(String method, String template, Access access, String... parameters) {
    this(method, template, access, Optional.empty(), parameters);
  }

  ApiCall(String method, String template, Access access, Feature feature, String... parameters) {
    this(method, template, access, Optional.of(feature), parameters);
  }

  ApiCall(
      String method,
      String template,
      Access access,
      Optional<Feature> feature,
      String... parameters) {
    this.method = method;
    this.template = template;
    this.access = access;
    this.feature = feature;
    this.parameters = Set.of(parameters);
    this.pattern =
        Pattern.compile(
            template
                .replace("{sidecar}", "([A-Za-z0-9_.-]{1,128})")
                .replace("{id}", "([A-Za-z0-9_.-]{1,128})")
                .replace("{act}", "(claim|unclaim|release|reject|send-back|undo)")
                .replace("{key}", "([A-Za-z0-9_-]{1,1024})")
                .replace("{index}", "([0-9]{1,15})"));
  }

  String method() {
    return method;
  }

  String template() {
    return template;
  }

  Access access() {
    return access;
  }

  Optional<Feature> feature() {
    return feature;
  }

  Set<String> parameters() {
    return parameters;
  }

  /** The names in the path, in order. */
  List<String> variables() {
    List<String> names = new ArrayList<>();
    Matcher matcher = VARIABLE.matcher(template);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** The variables of a path, or nothing if it is another one. */
  Optional<List<String>> match(String path) {
    Matcher matcher = pattern.matcher(path);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    List<String> values = new ArrayList<>();
    for (int group = 1; group <= matcher.groupCount(); group++) {
      values.add(matcher.group(group));
    }
    return Optional.of(values);
  }

  /** The calls at a path; of several templates that fit, the one with the fewest variables. */
  static List<ApiCall> at(String path) {
    List<ApiCall> fitting =
        Arrays.stream(values()).filter(call -> call.match(path).isPresent()).toList();
    int fewest = fitting.stream().mapToInt(call -> call.variables().size()).min().orElse(0);
    return fitting.stream().filter(call -> call.variables().size() == fewest).toList();
  }
}
