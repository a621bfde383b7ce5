package dev.parlance.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.AssertionFailedError;

class AdminServerTest {
  private static final Listen ANY_PORT = new Listen("127.0.0.1", 0);

  @TempDir Path dir = Path.of("");
  private final FakePorts ports = new FakePorts();
  private final List<AutoCloseable> open = new ArrayList<>();
  private String token = "";
  private int port;

  @BeforeEach
  void begin() throws IOException {
    AdminToken secret = AdminToken.open(dir);
    token = secret.text();
    AdminServer server = AdminServer.start(ANY_PORT, ports.all(), secret);
    open.add(server);
    port = server.port();
  }

  @AfterEach
  void end() throws Exception {
    ports.slowSearch.countDown();
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private RawClient connect() throws IOException {
    RawClient client = new RawClient(port);
    open.add(client);
    return client;
  }

  private RawClient.Answer ask(String request) throws IOException {
    try (RawClient client = new RawClient(port)) {
      client.send(request);
      return client.read();
    }
  }

  private String head(String method, String target) {
    return "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n".formatted(method, target, port);
  }

  private String bearer() {
    return "Authorization: Bearer " + token + "\r\n";
  }

  private RawClient.Answer get(String target) throws IOException {
    return ask(head("GET", target) + bearer() + "\r\n");
  }

  private RawClient.Answer post(String target, String body) throws IOException {
    return ask(
        head("POST", target)
            + bearer()
            + "Content-Type: application/json; charset=utf-8\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "/livez|200|application/json|\"live\" : true",
        "/readyz|200|application/json|\"ready\" : true",
        "/metrics|200|text/plain; version=0.0.4; charset=utf-8|up 1",
        "/config|200|application/json|\"node\" : \"n\"",
        "/decisions|200|application/json|\"id\" : \"d2\"",
        "/decisions?limit=1&route=warn|200|application/json|\"route\" : \"warn\"",
        "/decisions/d1|200|application/json|\"id\" : \"d1\"",
        "/explain/d1|200|application/json|\"why\"",
        "/explain/d1?format=json|200|application/json|\"why\"",
        "/explain/d1?format=text|200|text/plain; charset=utf-8|because",
        "/review|200|application/json|\"id\" : \"r2\"",
        "/review?state=pending|200|application/json|\"id\" : \"r1\"",
        "/review?facets=true|200|application/json|\"facets\"",
        "/review?phase=lost|400|application/json|expected open, claimed or decided",
        "/review?gMin=2|400|application/json|expected a number from 0 to 1",
        "/review?facets=maybe|400|application/json|expected true or false",
        "/review-stats|200|application/json|\"waiting\" : 7",
        "/review/r1|200|application/json|\"state\" : \"pending\"",
        "/review/r1/judgement|200|application/json|\"draft\" : 0",
        "/review/r1/judgement?draft=2|200|application/json|\"draft\" : 2",
        "/review/r1/judgement?draft=0|400|application/json|bad_parameter",
        "/review/r1/judgement?draft=3|404|application/json|no_such_draft",
        "/|200|text/plain; charset=utf-8|/review/{id}/release",
        "/rounds/r/1/2|200|application/json|\"epoch\" : 2",
        "/rounds/other/1|404|application/json|round_unknown",
        "/rounds/away/1|503|application/json|round_unavailable",
        "/rounds/r/1/0|404|application/json|not_found",
        "/rounds/r/1/1234567890123456|404|application/json|not_found",
        "/rounds//1|404|application/json|not_found",
        "/rounds/a%20b/1|404|application/json|not_found",
        "/decisions/none|404|application/json|no_such_decision",
        "/explain/none|404|application/json|no_such_decision",
        "/review/none|404|application/json|no_such_held_message",
        "/review/r2/message|404|application/json|no_such_message",
        "/nothing|404|application/json|GET /review/{id}/message",
        "/decisions/a%2Fb|404|application/json|not_found",
        "/decisions?limit=0|400|application/json|got limit \\\"0\\\", expected a number from 1 to"
            + " 1000",
        "/decisions?limit=99999999999|400|application/json|bad_parameter",
        "/decisions?limit=1&limit=2|400|application/json|given twice",
        "/decisions?linit=1|400|application/json|unknown parameter \\\"linit\\\", expected one of"
            + " [after, before, limit, route]",
        "/review?state=lost|400|application/json|expected one of pending, released, rejected",
        "/explain/d1?format=xml|400|application/json|expected json or text",
        "/livez?x=1|400|application/json|bad_parameter",
        "/%zz|400|application/json|bad_target",
        "/decisions/boom|500|application/json|internal_error",
        "/decisions/error|500|application/json|internal_error",
      })
  void everyPath_answers(String target, int status, String contentType, String part)
      throws IOException {
    RawClient.Answer answer = get(target);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("content-type")).isEqualTo(contentType);
    assertThat(answer.body()).contains(part);
    assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
    if (status >= 400) {
      assertThat(FakePorts.json(answer.body()).at("/error/code").stringValue()).isNotEmpty();
      assertThat(FakePorts.json(answer.body()).at("/error/message").stringValue()).isNotEmpty();
    }
  }

  @Test
  void readyz_saysWhyNot() throws IOException {
    ports.notReady.add("inbound is not listening");
    RawClient.Answer answer = ask(head("GET", "/readyz") + "\r\n");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(FakePorts.json(answer.body()))
        .isEqualTo(FakePorts.json("{\"ready\":false,\"reasons\":[\"inbound is not listening\"]}"));
    ports.notReady.clear();
    assertThat(ask(head("GET", "/readyz") + "\r\n").status()).isEqualTo(200);
  }

  @Test
  void listLimits_areFollowed() throws IOException {
    assertThat(FakePorts.json(get("/decisions?limit=2").body()).at("/decisions").size())
        .isEqualTo(2);
    assertThat(FakePorts.json(get("/review?limit=1").body()).at("/items").size()).isEqualTo(1);
    assertThat(FakePorts.json(get("/review?state=released").body()).at("/items/0/id").stringValue())
        .isEqualTo("r2");
  }

  @Test
  void reviews_comePageByPage_andFiltered() throws IOException {
    RawClient.Answer page =
        get(
            "/review?limit=1&route=a&peer=b&reason=g_low&text=x%20y&since=5&after=open.r0"
                + "&phase=open&queue=leads&owner=ann&kind=term&digest=00ff&gMin=0.25&gMax=1"
                + "&for=bob&facets=true");
    assertThat(FakePorts.json(page.body()).path("total").intValue()).isEqualTo(7);
    assertThat(FakePorts.json(page.body()).path("next").stringValue()).isEqualTo("open.1");
    assertThat(ports.calls.getFirst())
        .isEqualTo(
            "list Filter[state=Optional.empty, phase=Optional[open], queue=Optional[leads],"
                + " owner=Optional[ann], route=Optional[a], peer=Optional[b],"
                + " reason=Optional[g_low], kind=Optional[term], text=Optional[x y],"
                + " digest=Optional[00ff], minG=OptionalDouble[0.25], maxG=OptionalDouble[1.0],"
                + " sinceMs=OptionalLong[5]]"
                + " Slice[after=Optional[open.r0], limit=1, viewer=Optional[bob], facets=true]");
    assertThat(get("/review?since=yesterday").status()).isEqualTo(400);
  }

  @Test
  void message_isItsExactBytes_andNoBrowserShowsIt() throws IOException {
    RawClient.Answer answer = get("/review/r1/message");
    assertThat(answer.body().getBytes(StandardCharsets.ISO_8859_1)).isEqualTo(FakePorts.MESSAGE);
    assertThat(answer.header("content-type")).isEqualTo("application/octet-stream");
    assertThat(answer.header("content-disposition")).isEqualTo("attachment");
    assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
  }

  @Test
  void pacts_areListed_andDissolvedForAReasonThatThereIs() throws IOException {
    assertThat(FakePorts.json(get("/pacts").body()).at("/pacts/0/pact").stringValue())
        .isEqualTo("p-1");
    RawClient.Answer ended = post("/pacts/p-1/dissolve?reason=party_withdrew", "{\"who\":\"Ada\"}");
    assertThat(ended.status()).isEqualTo(200);
    assertThat(ended.body()).contains("dissolved");
    assertThat(ports.calls).containsExactly("dissolve p-1 party_withdrew Ada");
    assertThat(post("/pacts/p-2/dissolve?reason=party_withdrew", "{\"who\":\"Ada\"}").body())
        .contains("pact_ended");
    assertThat(post("/pacts/p-3/dissolve?reason=party_withdrew", "{\"who\":\"Ada\"}").status())
        .isEqualTo(404);
    ports.calls.clear();
    assertThat(post("/pacts/p-1/dissolve?reason=boredom", "{\"who\":\"Ada\"}").body())
        .contains("expected one of work_completed, party_withdrew");
    assertThat(post("/pacts/p-1/dissolve", "{\"who\":\"Ada\"}").status()).isEqualTo(400);
    assertThat(ports.calls).isEmpty();
  }

  @Test
  void release_happensOnce_andSaysWho() throws IOException {
    RawClient.Answer first = post("/review/r1/release", "{\"who\":\"Ada\",\"note\":\"checked\"}");
    assertThat(first.status()).isEqualTo(200);
    assertThat(FakePorts.json(first.body()).at("/state").stringValue()).isEqualTo("released");
    RawClient.Answer second = post("/review/r1/reject", "{\"who\":\"Bob\"}");
    assertThat(second.status()).isEqualTo(409);
    assertThat(second.body()).contains("already_decided").contains("\"state\" : \"released\"");
    assertThat(ports.calls)
        .containsExactly(
            "r1 Decide[who=Ada, names=[Ada], note=checked, verdict=release,"
                + " undoMs=OptionalLong.empty]",
            "r1 Decide[who=Bob, names=[Bob], note=, verdict=reject, undoMs=OptionalLong.empty]");
    assertThat(post("/review/none/release", "{\"who\":\"Ada\"}").status()).isEqualTo(404);
    assertThat(post("/review/broken/release", "{\"who\":\"Ada\"}").status()).isEqualTo(503);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"who\":\"\"}",
        "{\"who\":\"  \"}",
        "{\"who\":1}",
        "{\"who\":\"a\\nb\"}",
        "{\"who\":\"a\",\"who\":\"b\"}",
        "{\"who\":\"a\",\"note\":null}",
        "{\"who\":\"a\",\"force\":true}",
        "{\"who\":\"a\",\"undoMs\":-1}",
        "{\"who\":\"a\",\"undoMs\":1.5}",
        "{\"who\":\"a\",\"undoMs\":99999999999}",
        "{\"who\":\"a\",\"identical\":1}",
        "{\"who\":\"a\",\"forMs\":1}",
        "{\"who\":\"a\",\"as\":\"leads\"}",
        "{\"who\":\"a\",\"as\":[\"\"]}",
        "{\"who\":\"a\",\"as\":[7]}",
        "{\"who\":\"a\"} x",
        "{\"who\":\"\u00ff\"}",
      })
  void releaseWithABadBody_isRefused_andDecidesNothing(String body) throws IOException {
    RawClient.Answer answer = post("/review/r1/release", body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("bad_body");
    assertThat(ports.calls).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'who': NaN}|not JSON (line 1, column 12)",
        "{'who': 'a', // hm|not JSON (line 1, column 14)",
        "{'who': 'a', 'who': 'b'}|a member name stands twice in one object (line 1, column 19)",
      },
      quoteCharacter = '`')
  void bodyThatIsNoJson_isRefusedInOurWords(String body, String message) throws IOException {
    for (String path : List.of("/review/r1/release", "/review/r1/judgement")) {
      assertThat(post(path, body.replace('\'', '"')).body())
          .contains("bad_body")
          .contains(message)
          .doesNotContain("Feature");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "claim|{\"who\":\"a\",\"forMs\":9}|Claim[who=a, names=[a], forMs=OptionalLong[9]]",
        "claim|{\"who\":\"a\",\"as\":[\"a\"]}|Claim[who=a, names=[a], forMs=OptionalLong.empty]",
        "unclaim|{\"who\":\"a\"}|Unclaim[who=a]",
        "undo|{\"who\":\"a\"}|Undo[who=a]",
        "send-back|{\"who\":\"a\",\"note\":\"cite it\",\"undoMs\":0}|Decide[who=a, names=[a],"
            + " note=cite it, verdict=send_back, undoMs=OptionalLong[0]]",
      })
  void everythingThatAPersonDoes_isHandedOn(String verb, String body, String act)
      throws IOException {
    assertThat(post("/review/r1/" + verb, body).status()).isEqualTo(200);
    assertThat(ports.calls).containsExactly("r1 " + act);
  }

  @Test
  void identicalTexts_areDecidedAtOnce_andSayWhatBecameOfEach() throws IOException {
    RawClient.Answer answer = post("/review/r1/reject", "{\"who\":\"Ada\",\"identical\":true}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(FakePorts.json(answer.body()).at("/identical"))
        .isEqualTo(
            FakePorts.json(
                "{\"decided\":[\"r3\"],\"failed\":[{\"id\":\"r2\",\"code\":\"already_decided\"}]}"));
  }

  @Test
  void whatWasDecidedAtOnce_isUndoneAtOnce() throws IOException {
    assertThat(post("/review/r1/undo", "{\"who\":\"Ada\",\"identical\":true}").body())
        .contains("\"identical\"");
    assertThat(ports.calls).contains("r1 Undo[who=Ada]", "r3 Undo[who=Ada]");
  }

  private RawClient.Answer byLink(String method, String target, String link, String body)
      throws IOException {
    return ask(
        head(method, target)
            + "Authorization: Link "
            + link
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private String link(String body) throws IOException {
    RawClient.Answer made = post("/review/r-1/link", body);
    assertThat(made.status()).isEqualTo(200);
    return FakePorts.json(made.body()).path("token").stringValue();
  }

  @Test
  void aLink_opensItsItemAlone_asItsRoleAllows() throws IOException {
    String viewer = link("{\"who\":\"Ada\"}");
    String reviewer = link("{\"who\":\"Ada\",\"role\":\"reviewer\",\"forMs\":60000}");
    assertThat(byLink("GET", "/review/r-1", viewer, "").status()).isEqualTo(200);
    assertThat(byLink("GET", "/review/r1", viewer, "").body()).contains("link_refused");
    assertThat(byLink("GET", "/review", viewer, "").status()).isEqualTo(403);
    assertThat(byLink("GET", "/config", reviewer, "").status()).isEqualTo(403);
    assertThat(byLink("GET", "/livez", reviewer, "").status()).isEqualTo(403);
    assertThat(byLink("POST", "/review/r-1/link", reviewer, "{\"who\":\"b\"}").status())
        .isEqualTo(403);
    ports.calls.clear();
    for (String link : List.of(viewer, reviewer)) {
      assertThat(byLink("POST", "/review/r-1/judgement", link, "{\"answer\":\"x\"}").body())
          .contains("link_refused");
    }
    assertThat(byLink("POST", "/review/r-1/release", viewer, "{\"who\":\"b\"}").status())
        .isEqualTo(403);
    assertThat(ports.calls).isEmpty();
    assertThat(byLink("POST", "/review/r-1/release", reviewer, "{\"who\":\"b\"}").status())
        .isEqualTo(200);
    assertThat(post("/review-link", "{\"token\":\"" + reviewer + "\"}").body())
        .contains("\"role\" : \"reviewer\"", "\"id\" : \"r-1\"");
  }

  @Test
  void aLinkThatIsOverOrChanged_opensNothing() throws IOException {
    String over = link("{\"who\":\"Ada\",\"forMs\":0}");
    assertThat(byLink("GET", "/review/r-1", over, "").body()).contains("link_expired");
    assertThat(post("/review-link", "{\"token\":\"" + over + "\"}").body())
        .contains("link_expired");
    String viewer = link("{\"who\":\"Ada\"}");
    for (String changed :
        List.of(
            viewer.replace(".viewer.", ".reviewer."),
            viewer.replace("r-1.", "r-2."),
            viewer.substring(1),
            viewer + "A",
            "")) {
      assertThat(byLink("GET", "/review/r-1", changed, "").status()).as(changed).isEqualTo(401);
    }
  }

  @Test
  void texts_areJudged_andWhatIsNoneIsRefused() throws IOException {
    String texts =
        "{\"answer\":\"a\",\"question\":\"q\",\"evidence\":[{\"id\":\"c1\",\"text\":\"t\"}],\"citations\":[\"c1\"]}";
    assertThat(post("/judgement", texts).body()).contains("\"answer\" : \"a\"", "c1", "t");
    assertThat(post("/judgement", "{\"answer\":\"a\",\"profile\":\"none\"}").status())
        .isEqualTo(400);
    assertThat(post("/review/r1/judgement", "{\"answer\":\"a\"}").status()).isEqualTo(200);
    for (String bad :
        List.of(
            "",
            "[]",
            "{}",
            "{\"answer\":1}",
            "{\"answer\":\"a\",\"more\":1}",
            "{\"answer\":\"a\",\"evidence\":[{\"id\":\"c1\"}]}",
            "{\"answer\":\"a\",\"evidence\":{}}",
            "{\"answer\":\"a\",\"citations\":[1]}",
            "{\"answer\":\"a\",\"answer\":\"b\"}")) {
      assertThat(post("/judgement", bad).status()).as(bad).isEqualTo(400);
    }
    assertThat(post("/review/r1/judgement", texts).body()).contains("bad_body");
    assertThat(ask(head("POST", "/judgement") + "\r\n").status()).isEqualTo(401);
  }

  @Test
  void releaseAsAForm_isRefused() throws IOException {
    RawClient.Answer answer =
        ask(
            head("POST", "/review/r1/release")
                + bearer()
                + "Content-Type: text/plain\r\nContent-Length: 11\r\n\r\n{\"who\":\"a\"}");
    assertThat(answer.status()).isEqualTo(415);
    assertThat(ports.calls).isEmpty();
  }

  @Test
  void aRoundIsToldToWhoeverHasItsName() throws IOException {
    RawClient.Answer answer = ask(head("GET", "/rounds/r/1/7") + "\r\n");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("\"epoch\" : 7");
    assertThat(ask(head("POST", "/rounds/r/1/7") + "\r\n").status()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/config",
        "/decisions",
        "/decisions/d1",
        "/explain/d1",
        "/review",
        "/review/r1",
        "/review/r1/message",
        "/nothing"
      })
  void withoutTheToken_nothingIsTold(String target) throws IOException {
    for (String field :
        List.of(
            "",
            "Authorization: Bearer\r\n",
            "Authorization: Bearer " + token.substring(1) + "\r\n",
            "Authorization: Bearer " + token + "x\r\n",
            "Authorization: Basic " + token + "\r\n",
            "Authorization: " + token + "\r\n")) {
      RawClient.Answer answer = ask(head("GET", target) + field + "\r\n");
      assertThat(answer.status()).as(field).isEqualTo(401);
      assertThat(answer.header("www-authenticate")).startsWith("Bearer");
      assertThat(answer.body()).contains("unauthorized").doesNotContain(token);
    }
  }

  @Test
  void withoutTheToken_nothingIsReleased() throws IOException {
    RawClient.Answer answer =
        ask(
            head("POST", "/review/r1/release")
                + "Content-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"who\":\"a\"}");
    assertThat(answer.status()).isEqualTo(401);
    assertThat(ports.calls).isEmpty();
  }

  @Test
  void probesAndScrapes_needNoToken() throws IOException {
    for (String target : List.of("/livez", "/readyz", "/metrics")) {
      assertThat(ask(head("GET", target) + "\r\n").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "LOCALHOST", "127.8.8.8", "[::1]"})
  void hostThatIsThisMachine_isTaken(String host) throws IOException {
    assertThat(ask("GET /livez HTTP/1.1\r\nHost: %s:%d\r\n\r\n".formatted(host, port)).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.1:1", "localhost:8080"})
  void portThatWasForwarded_isTakenUnderItsOtherNumber(String host) throws IOException {
    assertThat(ask("GET /livez HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host)).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example:PORT",
        "127.0.0.1.evil.example:PORT",
        "localhost.evil.example:PORT",
        "user@127.0.0.1:PORT",
        "10.0.0.1:PORT",
        "",
      })
  void reboundName_isRefused_evenWithTheToken(String host) throws IOException {
    RawClient.Answer answer =
        ask(
            "GET /metrics HTTP/1.1\r\nHost: "
                + host.replace("PORT", Integer.toString(port))
                + "\r\n"
                + bearer()
                + "\r\n");
    assertThat(answer.status()).isEqualTo(421);
    assertThat(answer.body()).contains("bad_host");
  }

  @Test
  void missingOrSecondHost_isRefused() throws IOException {
    assertThat(ask("GET /livez HTTP/1.1\r\n\r\n").status()).isEqualTo(421);
    assertThat(ask(head("GET", "/livez") + "Host: evil.example\r\n\r\n").status()).isEqualTo(421);
    assertThat(ask(head("GET", "http://evil.example/livez") + "\r\n").status()).isEqualTo(400);
  }

  @Test
  void webPage_cannotPost_evenWithTheToken() throws IOException {
    String body = "{\"who\":\"a\"}";
    for (String origin : List.of("http://evil.example", "http://127.0.0.1:" + port, "null")) {
      RawClient.Answer answer =
          ask(
              head("POST", "/review/r1/release")
                  + bearer()
                  + "Origin: "
                  + origin
                  + "\r\nContent-Type: application/json\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body);
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.body()).contains("origin_refused");
    }
    assertThat(ports.calls).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /config, GET",
    "DELETE, /review/r1, GET",
    "GET, /review/r1/release, POST",
    "HEAD, /livez, GET",
    "OPTIONS, /review/r1/reject, POST"
  })
  void otherMethods_areRefused_andTheRightOneIsNamed(String method, String target, String allow)
      throws IOException {
    RawClient.Answer answer;
    try (RawClient client = new RawClient(port)) {
      client.send(head(method, target) + bearer() + "\r\n");
      answer = method.equals("HEAD") ? client.readHead() : client.read();
    }
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("allow")).isEqualTo(allow);
  }

  @Test
  void oversizeBody_isRefused_withoutBeingRead() throws IOException {
    RawClient.Answer answer =
        ask(
            head("POST", "/review/r1/release")
                + bearer()
                + "Content-Type: application/json\r\nContent-Length: 1048577\r\n\r\n");
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.body()).contains("body_too_large");
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    try (RawClient client = new RawClient(port)) {
      client.send(
          head("POST", "/review/r1/release") + bearer() + "Transfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < 17; i++) {
        client.send(chunk);
      }
      assertThat(client.read().status()).isEqualTo(413);
    }
    assertThat(ports.calls).isEmpty();
    assertThat(get("/livez").status()).isEqualTo(200);
  }

  @Test
  void oversizeHead_andNoise_areRefused() throws IOException {
    assertThat(ask(head("GET", "/livez") + "X: " + "x".repeat(10_000) + "\r\n\r\n").status())
        .isBetween(400, 431);
    assertThat(ask(head("GET", "/" + "x".repeat(10_000)) + "\r\n").status()).isBetween(400, 431);
    assertThat(ask("\u0016\u0003\u0001 noise\r\n\r\n").status()).isEqualTo(400);
    assertThat(get("/livez").status()).isEqualTo(200);
  }

  @Test
  void headThatTakesSeveralReads_isTaken() throws IOException {
    RawClient client = connect();
    for (int i = 0; i < 3; i++) {
      client.send(head("GET", "/livez") + "X: " + "x".repeat(5_000) + "\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(200);
    }
  }

  @Test
  void requestsOnOneConnection_areAnsweredInOrder() throws IOException {
    RawClient client = connect();
    client.send(
        head("GET", "/decisions?limit=1&route=a")
            + bearer()
            + "\r\n"
            + head("GET", "/livez")
            + "\r\n"
            + head("GET", "/decisions?limit=1&route=b")
            + bearer()
            + "\r\n");
    assertThat(client.read().body()).contains("\"route\" : \"a\"");
    assertThat(client.read().body()).contains("live");
    assertThat(client.read().body()).contains("\"route\" : \"b\"");
  }

  @Test
  void O7_slowClients_andLongSearches_holdNobodyUp() throws IOException {
    RawClient searching = connect();
    searching.send(head("GET", "/decisions?route=slow") + bearer() + "\r\n");
    for (int i = 0; i < 20; i++) {
      connect().send("GET /metrics HT");
      connect().send(head("GET", "/review/big/message") + bearer() + "\r\n");
    }
    for (int i = 0; i < 100; i++) {
      assertThat(get("/livez").status()).isEqualTo(200);
    }
    assertThat(get("/decisions").status()).isEqualTo(200);
    ports.slowSearch.countDown();
    assertThat(searching.read().status()).isEqualTo(200);
  }

  @Test
  void clientThatBringsNoWholeRequest_isClosed() throws IOException {
    try (AdminServer hasty = AdminServer.start(ANY_PORT, ports.all(), AdminToken.open(dir), 200);
        RawClient silent = new RawClient(hasty.port());
        RawClient slow = new RawClient(hasty.port())) {
      slow.send("GET /livez HTTP/1.1\r\nHo");
      assertThat(silent.isClosedByPeer()).isTrue();
      assertThat(slow.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void addressThatIsNotLoopback_isRefused() {
    for (String host : List.of("0.0.0.0", "10.1.2.3", "example.org", "::")) {
      assertThatThrownBy(
              () -> {
                AdminServer opened =
                    AdminServer.start(new Listen(host, 0), ports.all(), AdminToken.open(dir));
                opened.close();
                throw new AssertionFailedError("listens on " + host);
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("loopback addresses only, got " + host);
    }
  }

  @Test
  void takenPort_isAnIoProblem_thatNamesTheAddress() {
    assertThatThrownBy(() ->
            AdminServer.start(new Listen("127.0.0.1", port), ports.all(), AdminToken.open(dir))
                .close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(Integer.toString(port));
  }

  @Test
  void close_endsItsThreads_andTheListener() throws IOException {
    AdminServer other = AdminServer.start(ANY_PORT, ports.all(), AdminToken.open(dir));
    int otherPort = other.port();
    try (RawClient client = new RawClient(otherPort)) {
      other.close();
      assertThat(client.isClosedByPeer()).isTrue();
    }
    assertThatThrownBy(() -> new RawClient(otherPort).close()).isInstanceOf(IOException.class);
  }
}
