package dev.parlance.it;

import static dev.parlance.it.RecordedForms.EVIDENCE;
import static dev.parlance.it.RecordedForms.FACT;
import static dev.parlance.it.RecordedForms.FORGED;
import static dev.parlance.it.RecordedForms.answer;
import static dev.parlance.it.RecordedForms.events;
import static dev.parlance.it.RecordedForms.idOf;
import static dev.parlance.it.RecordedForms.json;
import static dev.parlance.it.RecordedForms.odd;
import static dev.parlance.it.RecordedForms.post;
import static dev.parlance.it.RecordedForms.request;
import static dev.parlance.it.RecordedForms.result;
import static dev.parlance.it.RecordedForms.rpc;
import static dev.parlance.it.RecordedForms.says;
import static dev.parlance.it.RecordedForms.task;
import static dev.parlance.it.RecordedForms.text;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parlance.it.RecordedForms.Protocol;
import dev.parlance.it.RecordedWire.End;
import dev.parlance.it.RecordedWire.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The exchanges that are recorded: what the caller sends and what the agent answers. */
final class RecordedMix {
  /**
   * One exchange.
   *
   * @param name unique
   * @param stage which sidecars it goes through
   * @param before what a person does before it: nothing if empty, else {@code release} or {@code
   *     reject} what is held
   * @param request the caller's bytes
   * @param replies the agent's answers, the last one again and again
   */
  @SuppressWarnings("ArrayRecordComponent") // read only
  record Exchange(String name, Stage stage, String before, byte[] request, List<Reply> replies) {}

  /** Sidecars that exchanges go through. */
  enum Stage {
    PLAIN,
    HASTY,
    /** Rounds, to alice. */
    HEARD,
    /** Rounds, from alice. */
    SAID,
    /** Rounds without a control plane; refused, and held. */
    ALONE,
    HOLDING,
    /** Pacts: through both sidecars, and past the first one. */
    PAIR,
    PAST,
    /** Pairs of their own: a dispute, a stream, proofs, no common ground, observed, optional. */
    DISPUTE,
    STREAM,
    PROOF,
    FOREIGN,
    WATCHED,
    OPTIONAL,
    /** A pair whose agents negotiate themselves. */
    TALKS
  }

  /**
   * The profiles of all routes. Their flows live for a day: of a flow that begins anew after the
   * usual two minutes nobody would know which exchange finds it so.
   */
  static final String PROFILES =
      """
      profiles:
        lasting: { flowTtlMs: 86400000 }
        none-left: { flowTtlMs: 86400000, errorMax: 0 }
        paper: { extends: asp-paper, flowTtlMs: 86400000 }
      """;

  /** A route of the plain sidecar, found by its host; see {@link #ROUTES}. */
  record Route(String name, String settings) {
    Route {
      settings = settings.contains("profile:") ? settings : settings + ", profile: lasting";
    }
  }

  static final List<Route> ROUTES =
      List.of(
          new Route("plain", "codec: auto"),
          new Route("strict", "profile: none-left"),
          new Route("required", "grounding: required"),
          new Route("asked", "requestGrounding: required"),
          new Route("watched", "mode: observe"),
          new Route("allowing", "onUnjudged: allow"),
          new Route("warning", "onUnjudged: warn"),
          new Route("bare", "metadata: false"),
          new Route("once", "repair: off"),
          new Route("paper", "profile: paper"),
          new Route("window", "stream: window"),
          new Route("flowing", "stream: observe"),
          new Route("strict-window", "stream: window, profile: none-left"),
          new Route("strict-required", "profile: none-left, grounding: required"),
          new Route("watched-strict", "mode: observe, profile: none-left, grounding: required"),
          new Route("no-core", "core: { domain: license, peer: bob, onAbsent: yield }"),
          new Route("grave", "consequential: true, core: { domain: license, peer: bob }"),
          new Route(
              "json",
              "codec: json, json: { request: { question: /q, text: /q }, response: { text: /answer,"
                  + " context: /documents, citations: /sources } }"),
          new Route("text", "codec: text"),
          new Route("rpc-only", "codec: a2a, stream: hold"));

  private static final List<Protocol> STREAMING =
      List.of(Protocol.RPC_10, Protocol.RPC_03, Protocol.REST_10, Protocol.MCP, Protocol.CHAT);
  private final List<Exchange> all = new ArrayList<>();
  private final Random random = new Random(44);

  private RecordedMix() {}

  /** All of them, in their order. */
  static List<Exchange> all() {
    RecordedMix mix = new RecordedMix();
    mix.whole();
    mix.oddRequests();
    mix.oddAnswers();
    mix.held();
    mix.streams();
    mix.silent();
    return List.copyOf(mix.all);
  }

  private void add(String name, String route, byte[] request, Reply... replies) {
    add("", name, route, request, replies);
  }

  private void add(String before, String name, String route, byte[] request, Reply... replies) {
    all.add(
        new Exchange(
            "%04d %s %s".formatted(all.size(), route, name),
            Stage.PLAIN,
            before,
            request,
            List.of(replies)));
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private String question() {
    int n = all.size();
    String pump = "" + (char) ('a' + n / 26 % 26) + (char) ('a' + n % 26) + (char) ('k' + n / 676);
    return "When must the impeller of pump " + pump + " be replaced?";
  }

  private static final List<String> TEXTS =
      List.of(
          "grounded",
          "invented",
          "number",
          "negated",
          "uncited",
          "wrong source",
          "echo",
          "short",
          "empty",
          "mixed",
          "long",
          "odd signs");

  // ---- requests ----

  private String trace() {
    return random.nextInt(4) == 0
        ? ""
        : "traceparent: 00-%032x-00000000000000aa-01\n".formatted(all.size() + 1);
  }

  /** A question, or something that a caller states, in this protocol. */
  private byte[] ask(Protocol protocol, String route, String text, boolean streamed, String more) {
    String json = "Content-Type: application/json\n" + trace();
    String said = "\"" + text + "\"";
    String id = Integer.toString(random.nextInt(1, 100));
    String of10 =
        "{\"message\":{\"messageId\":\"m-1\",\"contextId\":\"ctx-%d\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":%s}]%s}}"
            .formatted(all.size(), said, more.isEmpty() ? "" : ",\"metadata\":{" + more + "}");
    String of03 =
        of10.replace("ROLE_USER", "user")
            .replace("\"messageId\"", "\"kind\":\"message\",\"messageId\"")
            .replace("[{\"text\"", "[{\"kind\":\"text\",\"text\"");
    return switch (protocol) {
      case RPC_10 ->
          post(
              route,
              "/a2a",
              json + "A2A-Version: 1.0\n",
              rpc(id, streamed ? "SendStreamingMessage" : "SendMessage", of10));
      case RPC_03 ->
          post(route, "/", json, rpc(id, streamed ? "message/stream" : "message/send", of03));
      case REST_10 ->
          post(
              route,
              streamed ? "/message:stream" : "/message:send",
              "Content-Type: application/a2a+json\nA2A-Version: 1.0\n" + trace(),
              of10);
      case REST_03 ->
          post(
              route,
              streamed ? "/v1/message:stream" : "/v1/message:send",
              json,
              of10.replace("\"parts\"", "\"content\""));
      case MCP ->
          post(
              route,
              "/mcp",
              json + "Accept: application/json, text/event-stream\n",
              rpc(
                  id,
                  "tools/call",
                  "{\"name\":\"ask\",\"arguments\":{\"question\":" + said + "}}"));
      case CHAT ->
          post(
              route,
              "/v1/chat/completions",
              json,
              "{\"model\":\"m\","
                  + (streamed ? "\"stream\":true," : "")
                  + "\"messages\":[{\"role\":\"system\",\"content\":\"[c1] "
                  + FACT
                  + ".\"},{\"role\":\"user\",\"content\":"
                  + said
                  + "}]}");
      case JSON -> post("json", "/search?secret=1", json, "{\"q\":" + said + "}");
      case TEXT -> post("text", "/say", "Content-Type: text/plain\n" + trace(), text);
    };
  }

  // ---- answers ----

  // ---- families ----

  private void whole() {
    for (Protocol protocol : Protocol.values()) {
      for (String kind : TEXTS) {
        one(protocol, "plain", kind);
      }
    }
    for (Route route : ROUTES) {
      for (String kind : List.of("grounded", "invented", "uncited", "number")) {
        one(Protocol.RPC_10, route.name(), kind);
      }
    }
    for (int i = 0; i < 170; i++) {
      one(pick(List.of(Protocol.values())), pick(ROUTES).name(), pick(TEXTS));
    }
    for (int i = 0; i < 60; i++) {
      Protocol protocol = pick(List.of(Protocol.values()));
      String route = pick(ROUTES).name();
      byte[] asked = ask(protocol, route, question(), false, "");
      List<String> kinds = List.of(pick(TEXTS), pick(TEXTS), "grounded");
      add(
          protocol + " again " + kinds,
          route,
          asked,
          kinds.stream().map(kind -> answer(protocol, asked, kind)).toArray(Reply[]::new));
    }
    for (int i = 0; i < 40; i++) {
      Protocol protocol = pick(List.of(Protocol.RPC_10, Protocol.RPC_03, Protocol.REST_10));
      String route = pick(ROUTES).name();
      String kind = pick(TEXTS);
      byte[] asked = ask(protocol, route, text(kind), false, EVIDENCE);
      add(protocol + " states " + kind, route, asked, answer(protocol, asked, "grounded"));
    }
  }

  private void one(Protocol protocol, String route, String kind) {
    byte[] asked = ask(protocol, route, question(), false, "");
    add(protocol + " " + kind, route, asked, answer(protocol, asked, kind));
  }

  private void oddRequests() {
    String a2a = "Content-Type: application/json\nA2A-Version: 1.0\n";
    for (String route : List.of("plain", "watched", "allowing", "warning", "bare", "strict")) {
      byte[] good = ask(Protocol.RPC_10, route, question(), false, "");
      Reply reply = answer(Protocol.RPC_10, good, "grounded");
      String text = new String(good, ISO_8859_1);
      String body = text.substring(text.indexOf("\r\n\r\n") + 4);
      add("forged", route, ask(Protocol.RPC_10, route, question(), false, FORGED), reply);
      add(
          "forged fields",
          route,
          post(route, "/a2a", a2a + "ASP-Signal: [@C:F]\nparlance-x: y\n", body),
          reply);
      add(
          "card",
          route,
          request("GET", route, "/.well-known/agent-card.json", "", new byte[0]),
          json(200, "", "{\"name\":\"a\"}"));
      add("no method", route, request("PATCH", route, "/x/y", "", new byte[0]), json(404, "", ""));
      add(
          "octets",
          route,
          post(route, "/x", "Content-Type: application/octet-stream\n", "\1\2"),
          json(200, "", "{}"));
      add("broken", route, post(route, "/a2a", a2a, "{\"jsonrpc\":\"2.0\","), reply);
      add(
          "doubled",
          route,
          post(route, "/a2a", a2a, body.replace("\"id\"", "\"id\":1,\"id\"")),
          reply);
      add("bom", route, post(route, "/a2a", a2a, "\u00ef\u00bb\u00bf" + body), reply);
      add("not utf-8", route, post(route, "/a2a", a2a, body.replace("pump", "p\u00ff")), reply);
      add("coded", route, post(route, "/a2a", a2a + "Content-Encoding: br\n", body), reply);
      add("two types", route, post(route, "/a2a", a2a + "Content-Type: text/plain\n", body), reply);
      add("over", route, post(route, "/a2a", a2a + "grpc-timeout: 0S\n", body), reply);
      add(
          "file",
          route,
          post(
              route,
              "/a2a",
              a2a,
              body.replace(
                  "[{\"text\"", "[{\"raw\":\"AAEC\",\"mediaType\":\"image/png\"},{\"text\"")),
          reply);
      add("batch", route, post(route, "/a2a", a2a, "[" + body + "]"), reply);
      add("unknown method", route, post(route, "/a2a", a2a, rpc("3", "Dance", "{}")), reply);
      add(
          "get task",
          route,
          post(route, "/a2a", a2a, rpc("3", "GetTask", "{\"id\":\"t-1\"}")),
          json(200, "", task("3", "TASK_STATE_COMPLETED", A2a.GROUNDED)));
      add(
          "get bad task",
          route,
          post(route, "/a2a", a2a, rpc("3", "GetTask", "{\"id\":\"t-2\"}")),
          json(200, "", task("3", "TASK_STATE_COMPLETED", A2a.INVENTED)));
      add(
          "tools",
          route,
          post(route, "/mcp", a2a, rpc("1", "tools/list", "{}")),
          json(
              200,
              "",
              result(
                  "1",
                  "{\"tools\":[{\"name\":\"ask\",\"description\":\"Answers whatever feels"
                      + " right\",\"inputSchema\":{\"type\":\"object\"}}]}")));
      add(
          "prompt",
          route,
          post(route, "/mcp", a2a, rpc("1", "prompts/get", "{\"name\":\"p\"}")),
          json(
              200,
              "",
              result(
                  "1",
                  "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\""
                      + A2a.INVENTED
                      + "\"}}]}")));
      add(
          "push",
          route,
          post(
              route,
              "/hook",
              a2a,
              "{\"message\":{\"parts\":[{\"text\":\""
                  + A2a.GROUNDED
                  + "\"}],\"metadata\":{"
                  + EVIDENCE
                  + "}}}"),
          json(204, "Content-Type: text/plain\n", ""));
    }
  }

  private void oddAnswers() {
    for (String route : List.of("plain", "watched", "allowing", "required", "bare", "paper")) {
      for (String kind :
          List.of(
              "task",
              "bad task",
              "wordless",
              "error",
              "long error",
              "no content",
              "foreign",
              "away",
              "broken",
              "doubled",
              "coded",
              "two types",
              "forged",
              "file",
              "other id",
              "cut",
              "reset",
              "late",
              "closing",
              "text answer",
              "data",
              "history",
              "redirect")) {
        byte[] asked = ask(Protocol.RPC_10, route, question(), false, "");
        add(kind, route, asked, odd(kind, asked));
      }
    }
  }

  /** Held, decided about by a person, and asked for again. */
  private void held() {
    for (Protocol protocol : Protocol.values()) {
      for (String act : List.of("release", "reject")) {
        String route = protocol == Protocol.MCP ? "strict-required" : "strict";
        byte[] asked = ask(protocol, route, question(), false, "");
        add(protocol + " held", route, asked, answer(protocol, asked, "invented"));
        add(protocol + " held twice", route, asked, answer(protocol, asked, "invented"));
        add(act, protocol + " after " + act, route, asked, answer(protocol, asked, "grounded"));
      }
    }
    for (String route : List.of("no-core", "grave", "strict-required")) {
      byte[] stated = ask(Protocol.RPC_10, route, A2a.INVENTED, false, EVIDENCE);
      add("states, held", route, stated, answer(Protocol.RPC_10, stated, "grounded"));
      add(
          "release",
          "states, released",
          route,
          stated,
          answer(Protocol.RPC_10, stated, "grounded"));
      add("release", "and its answer", route, stated, answer(Protocol.RPC_10, stated, "grounded"));
    }
    // A flow whose budget is spent: one conversation, one bad draft after another.
    for (String route : List.of("plain", "paper", "watched")) {
      byte[] asked = ask(Protocol.RPC_10, route, question(), false, "");
      for (int i = 0; i < 4; i++) {
        add("draft " + i, route, asked, answer(Protocol.RPC_10, asked, "number"));
      }
      byte[] stated = ask(Protocol.RPC_10, route, A2a.INVENTED, false, EVIDENCE);
      for (int i = 0; i < 4; i++) {
        add("stated " + i, route, stated, answer(Protocol.RPC_10, stated, "grounded"));
      }
    }
  }

  // ---- streams ----

  private static final List<String> SAID =
      List.of("grounded", "invented", "number", "uncited", "mixed", "long", "wrong source");

  private void streams() {
    for (Protocol protocol : STREAMING) {
      for (String route : List.of("plain", "window", "flowing", "strict", "watched")) {
        for (String kind : SAID) {
          stream(protocol, route, kind, "");
        }
      }
    }
    for (String route : List.of("plain", "window", "flowing", "watched", "allowing", "bare")) {
      for (String how :
          List.of(
              "message",
              "message invented",
              "wordless",
              "forged",
              "file",
              "broken event",
              "foreign event",
              "comment",
              "long comment",
              "no stream",
              "coded",
              "breaks off",
              "reset",
              "trailers",
              "error",
              "whole instead",
              "again")) {
        stream(Protocol.RPC_10, route, "grounded", how);
      }
    }
    for (int i = 0; i < 60; i++) {
      stream(pick(STREAMING), pick(ROUTES).name(), pick(TEXTS), "");
    }
    byte[] asked = ask(Protocol.RPC_10, "strict", question(), true, "");
    add("stream held", "strict", asked, events(Protocol.RPC_10, idOf(asked), text("invented"), ""));
    add(
        "release",
        "stream released",
        "strict",
        asked,
        events(Protocol.RPC_10, idOf(asked), text("grounded"), ""));
  }

  private void stream(Protocol protocol, String route, String kind, String how) {
    byte[] asked = ask(protocol, route, question(), true, "");
    if (how.equals("trailers") || random.nextInt(3) == 0) {
      asked =
          new String(asked, ISO_8859_1)
              .replaceFirst("\r\n\r\n", "\r\nTE: trailers\r\n\r\n")
              .getBytes(ISO_8859_1);
    }
    String name = protocol + " stream " + kind + (how.isEmpty() ? "" : ", " + how);
    if (how.equals("whole instead")) {
      add(name, route, asked, says(protocol, asked, text("grounded"), EVIDENCE));
    } else if (how.equals("again")) {
      Reply bad = events(protocol, idOf(asked), text("invented"), "message");
      add(name, route, asked, bad, events(protocol, idOf(asked), text("grounded"), "message"));
    } else {
      add(name, route, asked, events(protocol, idOf(asked), text(kind), how));
    }
  }

  /** Agents that never answer, or stop in the middle. */
  private void silent() {
    for (Protocol protocol : List.of(Protocol.RPC_10, Protocol.MCP, Protocol.CHAT)) {
      byte[] asked = ask(protocol, "plain", question(), false, "");
      Reply half = answer(protocol, asked, "grounded").without(10).then(End.SILENT);
      all.add(
          new Exchange(
              "%04d silent %s".formatted(all.size(), protocol),
              Stage.HASTY,
              "",
              asked,
              List.of(half)));
    }
  }

  /** The request of a mark, to this authority if it goes through a proxy. */
  static byte[] marker(int number, String to) {
    String text =
        new String(
            post("mark", "{{to}}/mark/" + number, "Content-Type: text/plain\n", "mark"),
            ISO_8859_1);
    return (to.isEmpty()
            ? text.replace("{{to}}", "")
            : text.replace("{{to}}", "http://" + to).replace("mark.test", to))
        .getBytes(ISO_8859_1);
  }

  static Reply marked() {
    return json(200, "Content-Type: text/plain\n", "mark");
  }
}
