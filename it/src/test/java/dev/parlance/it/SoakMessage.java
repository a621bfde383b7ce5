package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One message of a soak: what is asked, what the agent answers, and what has to become of it.
 *
 * @param number stands in the question, and as an id in the answer
 */
record SoakMessage(int number, Kind kind, Binding binding) {
  /** What becomes of a message. */
  enum Kind {
    EXECUTE("execute"),
    WARN("warn"),
    /** The first answer is invented, the second one is true. */
    REGENERATE("execute"),
    /** Held, and a person lets it go. */
    RELEASED("yield"),
    /** Held, and a person refuses it. */
    REJECTED("yield"),
    /** The agent does something for the question before it invents an answer. */
    ACTED("yield");

    /** Route that the caller is told. */
    final String route;

    Kind(String route) {
      this.route = route;
    }

    boolean isHeld() {
      return route.equals("yield");
    }
  }

  /** How it is written. */
  enum Binding {
    RPC_10,
    RPC_03,
    REST_10,
    RPC_STREAM,
    MCP,
    CHAT,
    CHAT_STREAM,
    JSON;

    boolean isStream() {
      return this == RPC_STREAM || this == CHAT_STREAM;
    }

    private boolean isChat() {
      return this == CHAT || this == CHAT_STREAM;
    }
  }

  static final Pattern IN_QUESTION = Pattern.compile("(\\w+) (\\w+) (\\d+): when must");
  private static final int PIECE = 40;

  static SoakMessage drawn(int number, Random random) {
    Binding binding = Binding.values()[random.nextInt(Binding.values().length)];
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    // What a tool says is evidence for others and no claim; a task may have acted.
    boolean never =
        binding == Binding.MCP || binding == Binding.RPC_STREAM && kind == Kind.REGENERATE;
    return new SoakMessage(number, never ? Kind.EXECUTE : kind, binding);
  }

  /** The message that a request is, however it is written. */
  static SoakMessage of(HttpBytes request) {
    Matcher question = IN_QUESTION.matcher(request.text());
    if (!question.find()) {
      throw new IllegalArgumentException("no question of the soak: " + request.text());
    }
    return new SoakMessage(
        Integer.parseInt(question.group(3)),
        Kind.valueOf(question.group(1)),
        Binding.valueOf(question.group(2)));
  }

  /**
   * How often the agent is asked; not again if it may have acted, nor for what a person has
   * released.
   */
  int asks() {
    return switch (kind) {
      case EXECUTE, WARN, ACTED -> 1;
      case REGENERATE -> 2;
      case RELEASED -> binding == Binding.RPC_STREAM ? 1 : 2;
      case REJECTED -> binding == Binding.RPC_STREAM ? 2 : 3;
    };
  }

  String trace() {
    return "00-%032x-00000000000000aa-01".formatted(number + 1);
  }

  // ---- question ----

  byte[] request() {
    String question =
        "%s %s %d: when must the impeller be replaced?".formatted(kind, binding, number);
    String message =
        "{\"message\":{%s\"messageId\":\"m-%d\",\"contextId\":\"x-%d\",\"role\":\"%s\",\"parts\":[{%s\"text\":\"%s\"}]}}";
    String of10 = message.formatted("", number, number, "ROLE_USER", "", question);
    return switch (binding) {
      case RPC_10 -> post("/a2a", "A2A-Version: 1.0\r\n", rpc("SendMessage", of10));
      case RPC_STREAM -> post("/a2a", "A2A-Version: 1.0\r\n", rpc("SendStreamingMessage", of10));
      case RPC_03 ->
          post(
              "/",
              "",
              rpc(
                  "message/send",
                  message.formatted(
                      "\"kind\":\"message\",",
                      number,
                      number,
                      "user",
                      "\"kind\":\"text\",",
                      question)));
      case REST_10 -> post("/message:send", "A2A-Version: 1.0\r\n", of10);
      case MCP ->
          post(
              "/mcp",
              "Accept: application/json, text/event-stream\r\n",
              rpc(
                  "tools/call",
                  "{\"name\":\"ask\",\"arguments\":{\"question\":\"" + question + "\"}}"));
      case CHAT, CHAT_STREAM ->
          post(
              "/v1/chat/completions",
              "",
              "{\"model\":\"m\",\"stream\":%s,\"messages\":[%s{\"role\":\"user\",\"content\":\"%s\"}]}"
                  .formatted(
                      binding.isStream(),
                      kind == Kind.WARN
                          ? ""
                          : "{\"role\":\"system\",\"content\":\"[c1] " + A2a.FACT + ".\"},",
                      question));
      case JSON -> post("/search", "", "{\"q\":\"" + question + "\"}");
    };
  }

  private String rpc(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
        .formatted(number, method, params);
  }

  private byte[] post(String path, String fields, String body) {
    return ("POST %s HTTP/1.1\r\nHost: agent.test\r\ntraceparent: %s\r\n%sContent-Type:"
            + " application/json\r\nContent-Length: %d\r\n\r\n%s")
        .formatted(path, trace(), fields, body.length(), body)
        .getBytes(ISO_8859_1);
  }

  // ---- answer ----

  /** What stands in the answer to this message, and in no other. */
  String mark() {
    return "a-" + number + "\"";
  }

  /** The agent's answer when it is asked for the nth time, from 1. */
  byte[] answer(int nth) {
    boolean invents = kind.isHeld() || kind == Kind.REGENERATE && nth == 1;
    String text = invents ? A2a.INVENTED : A2a.GROUNDED;
    String body =
        switch (binding) {
          case RPC_10, RPC_03, REST_10, MCP, JSON, CHAT -> whole(text);
          case RPC_STREAM, CHAT_STREAM -> events(text);
        };
    return "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(
            binding.isStream() ? "text/event-stream" : "application/json", body.length(), body)
        .getBytes(ISO_8859_1);
  }

  private String metadata() {
    return kind == Kind.WARN
        ? ""
        : ",\"metadata\":{\"%s\":{\"context\":[{\"id\":\"c1\",\"text\":\"%s.\"}]}}"
            .formatted(A2a.EVIDENCE, A2a.FACT);
  }

  private String result(String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}".formatted(number, result);
  }

  private String whole(String text) {
    String of10 =
        "{\"messageId\":\"a-%d\",\"contextId\":\"x-%d\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"%s\"}]%s}"
            .formatted(number, number, text, metadata());
    if (binding == Binding.RPC_03) {
      return result(
          of10.replaceFirst("\\{", "{\"kind\":\"message\",")
              .replace("ROLE_AGENT", "agent")
              .replace("[{\"text\"", "[{\"kind\":\"text\",\"text\""));
    } else if (binding == Binding.REST_10) {
      return "{\"message\":" + of10 + "}";
    } else if (binding == Binding.MCP) {
      return result(
          "{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],\"_meta\":{\"test/id\":\"a-%d\"}}"
              .formatted(text, number));
    } else if (binding == Binding.JSON) {
      return "{\"id\":\"a-%d\",\"answer\":\"%s\"%s}"
          .formatted(
              number,
              text,
              kind == Kind.WARN
                  ? ""
                  : ",\"documents\":[{\"id\":\"c1\",\"text\":\"" + A2a.FACT + ".\"}]");
    } else if (binding.isChat()) {
      return "{\"id\":\"a-%d\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},\"finish_reason\":\"stop\"}],\"usage\":{\"total_tokens\":3}}"
          .formatted(number, text);
    }
    return result("{\"message\":" + of10 + "}");
  }

  private String events(String text) {
    List<String> events = new ArrayList<>();
    List<String> pieces = new ArrayList<>();
    for (int at = 0; at < text.length(); at += PIECE) {
      pieces.add(text.substring(at, Math.min(text.length(), at + PIECE)));
    }
    if (binding.isChat()) {
      pieces.forEach(piece -> events.add(chunk("{\"content\":\"" + piece + "\"}", "null")));
      events.add(chunk("{}", "\"stop\""));
      events.add("[DONE]");
    } else {
      String ids = "\"taskId\":\"t-%d\",\"contextId\":\"x-%d\"".formatted(number, number);
      events.add(
          result(
              "{\"task\":{\"id\":\"t-%d\",\"contextId\":\"x-%d\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}"
                  .formatted(number, number)));
      for (int i = 0; i < pieces.size(); i++) {
        events.add(
            result(
                "{\"artifactUpdate\":{%s,\"artifact\":{\"artifactId\":\"a-%d\",\"parts\":[{\"text\":\"%s\"}]%s}%s%s}}"
                    .formatted(
                        ids,
                        number,
                        pieces.get(i),
                        metadata(),
                        i == 0 ? "" : ",\"append\":true",
                        i == pieces.size() - 1 ? ",\"lastChunk\":true" : "")));
      }
      events.add(
          result(
              "{\"statusUpdate\":{%s,\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}"
                  .formatted(ids)));
    }
    StringBuilder stream = new StringBuilder();
    events.forEach(event -> stream.append("data: ").append(event).append("\n\n"));
    return stream.toString();
  }

  private String chunk(String delta, String reason) {
    return "{\"id\":\"a-%d\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}"
        .formatted(number, delta, reason);
  }
}
