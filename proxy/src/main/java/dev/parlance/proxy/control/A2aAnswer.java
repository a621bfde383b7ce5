package dev.parlance.proxy.control;

import dev.parlance.proxy.control.AgentAnswer.Form;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Reads an agent's JSON-RPC response to a question, strictly: what is not exactly an answer is
 * none.
 *
 * <p>Where the extension's metadata stands on the message, the task, its status message or an
 * artifact, it alone counts, and all of it must say the same. Otherwise the answer's text must be
 * one of the words: blanks around it, one full stop behind it and capital letters do not matter,
 * anything more does. The history is not looked at: it holds our own question.
 */
record A2aAnswer(A2aDialect dialect, AgentQuestion.Kind kind) {
  /** What a response says. */
  sealed interface Reading {
    /** One of the words. */
    record Word(String word, Form form) implements Reading {}

    /** The task goes on. */
    record Working(String taskId) implements Reading {}

    /** The agent refused; wrongDialect if it does not know the method or version. */
    record Refused(String detail, boolean wrongDialect) implements Reading {}

    /** It is no answer. */
    record Unreadable(String detail) implements Reading {}
  }

  private static final int MAX_TASK_ID = 256;
  private static final int METHOD_NOT_FOUND = -32_601;
  private static final int VERSION_NOT_SUPPORTED = -32_009;

  /** Reads the response to the request that asked. */
  Reading asked(byte[] body, String id) {
    return envelope(body, id, false);
  }

  /** Reads the response to the request that looked at the task. */
  Reading looked(byte[] body, String id) {
    return envelope(body, id, true);
  }

  private Reading envelope(byte[] body, String id, boolean bareTask) {
    Optional<JsonNode> json = StrictJson.read(body);
    if (json.isEmpty() || !json.get().isObject()) {
      return new Reading.Unreadable("not a JSON object");
    }
    JsonNode root = json.get();
    JsonNode error = root.path("error");
    if (error.isObject() && !root.has("result")) {
      int code = error.path("code").asInt(0);
      return new Reading.Refused(
          "JSON-RPC error " + code, code == METHOD_NOT_FOUND || code == VERSION_NOT_SUPPORTED);
    }
    JsonNode result = root.path("result");
    if (!root.path("jsonrpc").asString("").equals("2.0")
        || !root.path("id").asString("").equals(id)
        || root.has("error")
        || !result.isObject()) {
      return new Reading.Unreadable("not the JSON-RPC response to the request");
    }
    if (bareTask) {
      return task(result);
    }
    return switch (dialect) {
      case V0_3 ->
          switch (result.path("kind").asString("")) {
            case "message" -> message(result);
            case "task" -> task(result);
            default -> new Reading.Unreadable("neither a message nor a task");
          };
      case V1_0 -> {
        boolean message = result.path("message").isObject();
        boolean task = result.path("task").isObject();
        yield message == task
            ? new Reading.Unreadable("not exactly one of a message and a task")
            : message ? message(result.path("message")) : task(result.path("task"));
      }
    };
  }

  private Reading message(JsonNode message) {
    if (!isFromAgent(message)) {
      return new Reading.Unreadable("a message that is not the agent's");
    }
    return word(List.of(message), () -> text(message.path("parts")));
  }

  private Reading task(JsonNode task) {
    String state =
        task.path("status")
            .path("state")
            .asString("")
            .replace("TASK_STATE_", "")
            .replace('_', '-')
            .toLowerCase(Locale.ROOT);
    return switch (state) {
      case "completed" -> finished(task);
      case "submitted", "working" -> {
        String id = task.path("id").asString("");
        yield id.isEmpty() || id.length() > MAX_TASK_ID
            ? new Reading.Unreadable("a task without an id")
            : new Reading.Working(id);
      }
      case "rejected", "failed", "canceled", "cancelled" ->
          new Reading.Refused("the task is " + state, false);
      default -> new Reading.Unreadable("the task is in a state that is no answer");
    };
  }

  private Reading finished(JsonNode task) {
    JsonNode status = task.path("status").path("message");
    List<JsonNode> places = new ArrayList<>();
    places.add(task);
    places.add(status);
    task.path("artifacts").forEach(places::add);
    return word(
        places,
        () ->
            switch (task.path("artifacts").size()) {
              case 0 -> isFromAgent(status) ? text(status.path("parts")) : Optional.empty();
              case 1 -> text(task.path("artifacts").get(0).path("parts"));
              default -> Optional.empty();
            });
  }

  private boolean isFromAgent(JsonNode message) {
    return message
        .path("role")
        .asString("")
        .equals(
            switch (dialect) {
              case V0_3 -> "agent";
              case V1_0 -> "ROLE_AGENT";
            });
  }

  /** The text that stands in for the extension. */
  private interface Plain {
    Optional<String> text();
  }

  private Reading word(List<JsonNode> places, Plain plain) {
    Set<String> declared = new HashSet<>();
    for (JsonNode place : places) {
      JsonNode object = place.path("metadata").path(A2aDialect.AUDIT_URI);
      if (object.isMissingNode()) {
        continue;
      }
      String word = object.path(kind.member()).asString("");
      if (object.size() != 1 || !kind.words().contains(word)) {
        return new Reading.Unreadable("metadata that is not exactly one " + kind.member());
      }
      declared.add(word);
    }
    if (declared.size() > 1) {
      return new Reading.Unreadable("metadata that contradicts itself");
    }
    if (declared.size() == 1) {
      return new Reading.Word(declared.iterator().next(), Form.EXTENSION);
    }
    return plain
        .text()
        .flatMap(this::plainWord)
        .<Reading>map(word -> new Reading.Word(word, Form.PLAIN))
        .orElseGet(() -> new Reading.Unreadable("text that is not exactly one of the words"));
  }

  private Optional<String> plainWord(String text) {
    String word = text.strip();
    if (word.endsWith(".")) {
      word = word.substring(0, word.length() - 1);
    }
    for (String one : kind.words()) {
      if (equalsAscii(one, word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /** Not String.equalsIgnoreCase, which takes the long s and the Kelvin sign for letters. */
  private static boolean equalsAscii(String lower, String word) {
    if (lower.length() != word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != lower.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** All text parts together; empty if there is a part of another kind, or none. */
  private Optional<String> text(JsonNode parts) {
    StringBuilder all = new StringBuilder();
    for (JsonNode part : parts) {
      boolean readable =
          part.path("text").isString()
              && (dialect == A2aDialect.V1_0 || part.path("kind").asString("").equals("text"));
      if (!readable) {
        return Optional.empty();
      }
      all.append(part.path("text").stringValue());
    }
    return parts.isArray() && !parts.isEmpty() ? Optional.of(all.toString()) : Optional.empty();
  }
}
