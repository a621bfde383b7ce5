package dev.parlance.wire.a2a;

import dev.parlance.wire.a2a.A2aBinding.Shape;
import dev.parlance.wire.json.JsonDocument;
import java.util.Optional;

/** The JSON-RPC methods of A2A v1.0 and v0.3, and what of each is agent text. */
public enum A2aMethod {
  SEND_MESSAGE("SendMessage", A2aDialect.CURRENT, Shape.SEND),
  SEND_STREAMING("SendStreamingMessage", A2aDialect.CURRENT, Shape.STREAM),
  GET_TASK("GetTask", A2aDialect.CURRENT, Shape.TASK),
  LIST_TASKS("ListTasks", A2aDialect.CURRENT, Shape.LIST),
  CANCEL_TASK("CancelTask", A2aDialect.CURRENT, Shape.TASK),
  SUBSCRIBE("SubscribeToTask", A2aDialect.CURRENT, Shape.SUBSCRIBE),
  CREATE_PUSH("CreateTaskPushNotificationConfig", A2aDialect.CURRENT, Shape.CONTROL),
  GET_PUSH("GetTaskPushNotificationConfig", A2aDialect.CURRENT, Shape.CONTROL),
  LIST_PUSH("ListTaskPushNotificationConfig", A2aDialect.CURRENT, Shape.CONTROL),
  LIST_PUSHES("ListTaskPushNotificationConfigs", A2aDialect.CURRENT, Shape.CONTROL),
  DELETE_PUSH("DeleteTaskPushNotificationConfig", A2aDialect.CURRENT, Shape.CONTROL),
  GET_CARD("GetExtendedAgentCard", A2aDialect.CURRENT, Shape.CARD),
  MESSAGE_SEND("message/send", A2aDialect.KIND, Shape.SEND),
  MESSAGE_STREAM("message/stream", A2aDialect.KIND, Shape.STREAM),
  TASKS_GET("tasks/get", A2aDialect.KIND, Shape.TASK),
  TASKS_LIST("tasks/list", A2aDialect.KIND, Shape.LIST),
  TASKS_CANCEL("tasks/cancel", A2aDialect.KIND, Shape.TASK),
  RESUBSCRIBE("tasks/resubscribe", A2aDialect.KIND, Shape.SUBSCRIBE),
  PUSH_SET("tasks/pushNotificationConfig/set", A2aDialect.KIND, Shape.CONTROL),
  PUSH_GET("tasks/pushNotificationConfig/get", A2aDialect.KIND, Shape.CONTROL),
  PUSH_LIST("tasks/pushNotificationConfig/list", A2aDialect.KIND, Shape.CONTROL),
  PUSH_DELETE("tasks/pushNotificationConfig/delete", A2aDialect.KIND, Shape.CONTROL),
  CARD_GET("agent/getAuthenticatedExtendedCard", A2aDialect.KIND, Shape.CARD);

  private static final A2aMethod[] ALL = values();

  private final String wireName;
  private final A2aDialect dialect;
  private final Shape shape;
  private final Optional<A2aMethod> itself = Optional.of(this);

  A2aMethod(String wireName, A2aDialect dialect, Shape shape) {
    this.wireName = wireName;
    this.dialect = dialect;
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
  A2aDialect dialect() {
    return dialect;
  }

  Shape shape() {
    return shape;
  }
}
