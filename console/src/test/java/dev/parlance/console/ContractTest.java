package dev.parlance.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.console.login.ConsoleRole;
import dev.parlance.console.source.SidecarSource;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Server and openapi.yaml say the same. */
class ContractTest {
  private static final Contract CONTRACT = Contract.load();

  @Test
  void everyCallStandsInTheDocument_andEveryOneOfTheDocumentIsServed() {
    Set<String> written = new TreeSet<>();
    CONTRACT
        .paths()
        .properties()
        .forEach(path ->
            path.getValue().propertyNames().stream()
                .filter(name -> Set.of("get", "post", "delete").contains(name))
                .forEach(
                    method -> written.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    Set<String> served =
        Arrays.stream(ApiCall.values())
            .map(call -> call.method() + " " + call.template())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(served).isEqualTo(written);
  }

  @Test
  void whoMayCallAndWithWhichParameters_standsInTheDocument() {
    for (ApiCall call : ApiCall.values()) {
      JsonNode operation = CONTRACT.operation(call.method(), call.template());
      Set<String> roles =
          operation
              .path("x-roles")
              .valueStream()
              .map(JsonNode::asString)
              .collect(Collectors.toSet());
      Set<String> granted =
          call.access() == ApiCall.Access.ANYONE
              ? Set.of("anyone")
              : call.access().roles().stream().map(ConsoleRole::code).collect(Collectors.toSet());
      if (call != ApiCall.GET_SESSION && call != ApiCall.LOG_OUT) { // whoever is logged in
        assertThat(roles).as(call.name()).isEqualTo(granted);
      }
      Set<String> parameters =
          operation
              .path("parameters")
              .valueStream()
              .map(CONTRACT::resolve)
              .filter(one -> one.path("in").asString().equals("query"))
              .map(one -> one.path("name").asString())
              .collect(Collectors.toSet());
      assertThat(call.parameters()).as(call.name()).isEqualTo(parameters);
    }
  }

  @Test
  void everyAnswerHasTheMembersOfTheDocument_andNoOthers() throws Exception {
    FakeSidecar sidecar = new FakeSidecar();
    try (ConsoleServer server =
            ConsoleServer.start(
                ConsoleSettings.onLoopback(0, "1", "ada"),
                new SidecarSource("s", sidecar),
                Optional.of(new FakeRecords()));
        Browser browser = new Browser(server)) {
      List<String> wrong = new ArrayList<>();
      check("/session", browser.get("/api/v1/session"), "GET", 401, wrong);
      browser.logIn(server);
      check("/session", browser.get("/api/v1/session"), "GET", 200, wrong);
      for (Map.Entry<String, String> call :
          Map.ofEntries(
                  Map.entry("/sidecars", ""),
                  Map.entry("/sidecars/{sidecar}/config", "/sidecars/s/config"),
                  Map.entry("/decisions", ""),
                  Map.entry("/decisions/{sidecar}/{id}", "/decisions/s/d-1"),
                  Map.entry("/review/figures", ""),
                  Map.entry("/review/{sidecar}/{id}", "/review/s/r-1"),
                  Map.entry("/cores", ""),
                  Map.entry("/cores/{key}", "/cores/k?version=2&with=1"),
                  Map.entry("/rounds", ""),
                  Map.entry("/rounds/{key}", "/rounds/k"),
                  Map.entry("/pacts", ""),
                  Map.entry("/boards", ""),
                  Map.entry("/boards/{key}", "/boards/k"),
                  Map.entry("/ledger", ""),
                  Map.entry("/ledger/entries", ""),
                  Map.entry("/ledger/entries/{index}", "/ledger/entries/0"))
              .entrySet()) {
        String path = call.getValue().isEmpty() ? call.getKey() : call.getValue();
        check(call.getKey(), browser.get("/api/v1" + path), "GET", 200, wrong);
      }
      String text = "0".repeat(64);
      post(browser, "/review/search", "", "{\"textSha256\":\"" + text + "\"}", 200, wrong);
      post(
          browser,
          "/review/actions",
          "",
          "{\"act\":\"reject\",\"items\":[{\"sidecar\":\"s\",\"id\":\"r-1\"}]}",
          200,
          wrong);
      String act = "/review/{sidecar}/{id}/{act}";
      post(browser, act, "/review/s/r-1/release", "{\"note\":\"well\"}", 200, wrong);
      post(browser, act, "/review/s/r-1/reject", "{}", 409, wrong);
      post(browser, "/review/{sidecar}/{id}/link", "/review/s/r-1/link", "{}", 200, wrong);
      post(
          browser,
          "/judgement",
          "",
          "{\"sidecar\":\"s\",\"review\":\"r-1\",\"answer\":\"At 8.\"}",
          200,
          wrong);
      post(browser, "/session", "", "{\"link\":\"T0\"}", 200, wrong);
      assertThat(wrong).isEmpty();
    }
  }

  private static void post(
      Browser browser, String template, String path, String body, int status, List<String> wrong)
      throws Exception {
    check(
        template,
        browser.post("/api/v1" + (path.isEmpty() ? template : path), body),
        "POST",
        status,
        wrong);
  }

  private static void check(
      String template, HttpResponse<String> answer, String method, int status, List<String> wrong) {
    assertThat(answer.statusCode()).as(template + " " + answer.body()).isEqualTo(status);
    CONTRACT
        .complaints(method, template, status, JsonMapper.shared().readTree(answer.body()))
        .forEach(complaint -> wrong.add(method + " " + template + ": " + complaint));
  }
}
