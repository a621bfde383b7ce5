package dev.parlance.wire.a2a;

import dev.parlance.wire.a2a.A2aBinding.Shape;
import dev.parlance.wire.api.Codec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The coverage rows of A2A: the same in every binding, as the shape of the call tells. */
final class A2aCoverage {
  private static final String PROTOCOL = "A2A 1.0 and 0.3";
  private static final String ASKED =
      "the message: text, data and textual file parts, names and metadata that are words, the"
          + " rationale of a proposal";
  private static final String TASK =
      "artifacts, messages, status, history: every text of the answering agent";
  private static final String FILES = "other files and URLs as `binary` says; short errors";
  private static final String HELD = "a task that works until a person has decided";
  private static final String ERROR = "a typed error of the binding";

  private A2aCoverage() {}

  /** The calls of one binding by their shape, in the order of the shapes. */
  static final class Calls {
    private final String binding;
    private final Map<Shape, List<String>> calls = new EnumMap<>(Shape.class);

    Calls(String binding) {
      this.binding = binding;
    }

    void add(Shape shape, String call) {
      List<String> same = calls.computeIfAbsent(shape, _ -> new ArrayList<>());
      if (!same.contains(call)) {
        same.add(call);
      }
    }

    List<Codec.Coverage> coverage() {
      List<Codec.Coverage> rows = new ArrayList<>();
      calls.forEach((shape, names) ->
          rows.add(
              new Codec.Coverage(
                  PROTOCOL,
                  binding,
                  names,
                  judged(shape),
                  passed(shape),
                  shape.answersWithTask() ? HELD : ERROR)));
      return rows;
    }
  }

  private static String judged(Shape shape) {
    return switch (shape) {
      case SEND -> "request: " + ASKED + "; answer: " + TASK;
      case STREAM -> "request: " + ASKED + "; answer: the same as it is streamed, in any cut";
      case SUBSCRIBE -> "answer: " + TASK + ", as it is streamed";
      case TASK -> "answer: " + TASK;
      case LIST -> "answer: " + TASK + ", of all tasks together";
      case CONTROL -> "errors that are long";
      case CARD -> "nothing";
      case UNKNOWN -> "every string, both ways";
    };
  }

  private static String passed(Shape shape) {
    return switch (shape) {
      case SEND, STREAM -> FILES + "; texts that were judged here before";
      case SUBSCRIBE, TASK, LIST -> FILES + "; texts that were judged here before";
      case CONTROL -> "ids and addresses of webhooks; short errors";
      case UNKNOWN -> "short errors";
      case CARD -> "the card, byte for byte, so that its signature holds";
    };
  }

  /** Push notifications: what an agent posts to a webhook. */
  static List<Codec.Coverage> push() {
    List<String> calls = new ArrayList<>();
    for (A2aPayload.Kind kind : A2aPayload.Kind.values()) {
      calls.add(kind.member().text());
    }
    return List.of(
        new Codec.Coverage(
            PROTOCOL, "push to a webhook", calls, "request: " + TASK, FILES, "an HTTP problem"));
  }
}
