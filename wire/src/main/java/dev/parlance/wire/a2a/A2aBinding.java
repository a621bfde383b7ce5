package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.json.JsonDocument;
import java.util.Optional;

/** What one JSON binding of A2A wraps around the objects that all of them share. */
sealed interface A2aBinding permits A2aRpc, A2aRest {
  /** What a call asks for, and so where agent text stands. */
  enum Shape {
    /** A message in the request, a message or a task in the response. */
    SEND,
    /** A message in the request; the response is a stream. */
    STREAM,
    /** None in the request; the response is a stream. */
    SUBSCRIBE,
    /** None in the request, a task in the response. */
    TASK,
    /** None in the request, many tasks in the response. */
    LIST,
    /** None in either. */
    CONTROL,
    /** None in the request, an agent card in the response. */
    CARD;

    /** True if the request holds a message. */
    boolean hasMessage() {
      return this == SEND || this == STREAM;
    }

    /** True if the response is a stream. */
    boolean isStream() {
      return this == STREAM || this == SUBSCRIBE;
    }

    /** True if a task is a fitting answer. */
    boolean answersWithTask() {
      return hasMessage() || this == SUBSCRIBE || this == TASK;
    }
  }

  /** What a body or an event holds. */
  sealed interface Found {
    /**
     * The result of the call.
     *
     * @param node where it stands
     */
    record Result(int node) implements Found {}

    /**
     * An error of the protocol.
     *
     * @param node where it stands
     */
    record Failure(int node) implements Found {}

    /** Well-formed, but nothing that we know. */
    record Strange(String what) implements Found {}

    /** Not what the protocol asks for. */
    record Broken(String detail) implements Found {}
  }

  /** How objects are written. */
  A2aForm form();

  /** What was asked for. */
  Shape shape();

  /** Finds the result of the call, or the error, in a body or an event. */
  Found find(JsonDocument reply, int httpStatus);

  /** Reads what stands around the result and is unknown to the binding. */
  void strangers(JsonDocument reply, A2aReader reader);

  /** A body, or the data of an event, that holds this result. */
  String wrap(String result);

  /** An object that says what kind of answer it is, as the result of a call. */
  default String union(A2aUnion.Kind kind, String object) {
    boolean bare =
        form().discriminated()
            || shape() == Shape.TASK; // GetTask and CancelTask answer with the task alone
    return bare ? object : "{\"" + kind.member().text() + "\":" + object + "}";
  }

  /** The error of a call that has not been answered otherwise. */
  Refusal error(Notice notice);

  /** The data of an event that ends a stream with an error; empty if the binding has none. */
  Optional<String> errorEvent(Notice notice);

  /** A held answer as an answer to this call. */
  Optional<byte[]> adopt(JsonDocument held);

  /** Media type of a body. */
  String contentType();
}
