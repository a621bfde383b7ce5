package dev.parlance.proxy.wire;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The JSON-RPC methods of A2A v1.0 and v0.3, and what of each is agent text. */
enum A2aMethod {
  SEND_MESSAGE("SendMessage", Version.V1_0, Shape.SEND),
  GET_TASK("GetTask", Version.V1_0, Shape.TASK),
  CANCEL_TASK("CancelTask", Version.V1_0, Shape.TASK),
  CREATE_PUSH("CreateTaskPushNotificationConfig", Version.V1_0, Shape.CONTROL),
  GET_PUSH("GetTaskPushNotificationConfig", Version.V1_0, Shape.CONTROL),
  LIST_PUSH("ListTaskPushNotificationConfig", Version.V1_0, Shape.CONTROL),
  LIST_PUSHES("ListTaskPushNotificationConfigs", Version.V1_0, Shape.CONTROL),
  DELETE_PUSH("DeleteTaskPushNotificationConfig", Version.V1_0, Shape.CONTROL),
  GET_CARD("GetExtendedAgentCard", Version.V1_0, Shape.CONTROL),
  SEND_STREAMING("SendStreamingMessage", Version.V1_0, Shape.STREAM),
  SUBSCRIBE("SubscribeToTask", Version.V1_0, Shape.STREAM),
  MESSAGE_SEND("message/send", Version.V0_3, Shape.SEND),
  TASKS_GET("tasks/get", Version.V0_3, Shape.TASK),
  TASKS_CANCEL("tasks/cancel", Version.V0_3, Shape.TASK),
  PUSH_SET("tasks/pushNotificationConfig/set", Version.V0_3, Shape.CONTROL),
  PUSH_GET("tasks/pushNotificationConfig/get", Version.V0_3, Shape.CONTROL),
  PUSH_LIST("tasks/pushNotificationConfig/list", Version.V0_3, Shape.CONTROL),
  PUSH_DELETE("tasks/pushNotificationConfig/delete", Version.V0_3, Shape.CONTROL),
  CARD_GET("agent/getAuthenticatedExtendedCard", Version.V0_3, Shape.CONTROL),
  MESSAGE_STREAM("message/stream", Version.V0_3, Shape.STREAM),
  RESUBSCRIBE("tasks/resubscribe", Version.V0_3, Shape.STREAM);

  /** Generation of the protocol, told by the method's name. */
  enum Version {
    V1_0("a2a-1.0"),
    V0_3("a2a-0.3");

    private final String protocol;

    Version(String protocol) {
      this.protocol = protocol;
    }

    /** Name for logs and metric labels. */
    String protocol() {
      return protocol;
    }
  }

  /** Where agent text stands. */
  enum Shape {
    /** A message in the request, a message or a task in the response. */
    SEND,
    /** None in the request, a task in the response. */
    TASK,
    /** None in either. */
    CONTROL,
    /** The response is a stream. */
    STREAM
  }

  private static final Map<String, A2aMethod> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(A2aMethod::wireName, Function.identity()));

  private final String wireName;
  private final Version version;
  private final Shape shape;

  A2aMethod(String wireName, Version version, Shape shape) {
    this.wireName = wireName;
    this.version = version;
    this.shape = shape;
  }

  /** The method of that name, if A2A has it and it is one that we know. */
  static Optional<A2aMethod> of(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  String wireName() {
    return wireName;
  }

  Version version() {
    return version;
  }

  Shape shape() {
    return shape;
  }
}
