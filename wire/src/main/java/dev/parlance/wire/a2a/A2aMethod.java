package dev.parlance.wire.a2a;

import dev.parlance.wire.a2a.A2aBinding.Shape;
import dev.parlance.wire.json.JsonDocument;
import java.util.Optional;

/** The JSON-RPC methods of A2A v1.0 and v0.3, and what of each is agent text. */
public enum A2aMethod {
  SEND_MESSAGE("SendMessage", A2aFormat.CURRENT, Shape.SEND),
  SEND_STREAMING("SendStreamingMessage", A2aFormat.CURRENT, Shape.STREAM),
  GET_TASK("GetTask", A2aFormat.CURRENT, Shape.TASK),
  LIST_TASKS("ListTasks", A2aFormat.CURRENT, Shape.LIST),
  CANCEL_TASK("CancelTask", A2aFormat.CURRENT, Shape.TASK),
  SUBSCRIBE("SubscribeToTask", A2aFormat.CURRENT, Shape.SUBSCRIBE),
  CREATE_PUSH("CreateTaskPushNotificationConfig", A2aFormat.CURRENT, Shape.CONTROL),
  GET_PUSH("GetTaskPushNotificationConfig", A2aFormat.CURRENT, Shape.CONTROL),
  LIST_PUSH("ListTaskPushNotificationConfig", A2aFormat.CURRENT, Shape.CONTROL),
  LIST_PUSHES("ListTaskPushNotificationConfigs", A2aFormat.CURRENT, Shape.CONTROL),
  DELETE_PUSH("DeleteTaskPushNotificationConfig", A2aFormat.CURRENT, Shape.CONTROL),
  GET_CARD("GetExtendedAgentCard", A2aFormat.CURRENT, Shape.CARD),
  MESSAGE_SEND("message/send", A2aFormat.KIND, Shape.SEND),
  MESSAGE_STREAM("message/stream", A2aFormat.KIND, Shape.STREAM),
  TASKS_GET("tasks/get", A2aFormat.KIND, Shape.TASK),
  TASKS_LIST("tasks/list", A2aFormat.KIND, Shape.LIST),
  TASKS_CANCEL("tasks/cancel", A2aFormat.KIND, Shape.TASK),
  RESUBSCRIBE("tasks/resubscribe", A2aFormat.KIND, Shape.SUBSCRIBE),
  PUSH_SET("tasks/pushNotificationConfig/set", A2aFormat.KIND, Shape.CONTROL),
  PUSH_GET("tasks/pushNotificationConfig/get", A2aFormat.KIND, Shape.CONTROL),
  PUSH_LIST("tasks/pushNotificationConfig/list", A2aFormat.KIND, Shape.CONTROL),
  PUSH_DELETE("tasks/pushNotificationConfig/delete", A2aFormat.KIND, Shape.CONTROL),
  CARD_GET("agent/getAuthenticatedExtendedCard", A2aFormat.KIND, Shape.CARD);

  private static final A2aMethod[] ALL = values();

  private final String wireName;
  private final A2aFormat format;
  private final Shape shape;
  private final Optional<A2aMethod> itself = Optional.of(this);

  A2aMethod(String wireName, A2aFormat format, Shape shape) {
    this.wireName = wireName;
    this.format = format;
    this.shape = shape;
  }

  /** The method that a string names, if A2A has it and it is one that we know. */
  static Optional<A2aMethod> of(JsonDocument json, int string) {
    for (A2aMethod method : ALL) {
      if (json.textEquals(string, method.wireName)) {
        return method.itself;
      }
    }
    return Optional.empty();
  }

  public String wireName() {
    return wireName;
  }

  /** How objects are written; the method's name tells the generation. */
  A2aFormat format() {
    return format;
  }

  Shape shape() {
    return shape;
  }
}
