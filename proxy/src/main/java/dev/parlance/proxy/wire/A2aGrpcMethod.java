package dev.parlance.proxy.wire;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The gRPC methods of A2A, of both generations, and what of each is agent text. */
enum A2aGrpcMethod {
  SEND("SendMessage", "SendMessage", Shape.SEND),
  SEND_STREAMING("SendStreamingMessage", "SendStreamingMessage", Shape.SEND_STREAM),
  GET("GetTask", "GetTask", Shape.TASK),
  CANCEL("CancelTask", "CancelTask", Shape.CANCEL),
  LIST("ListTasks", "ListTasks", Shape.LIST),
  SUBSCRIBE("SubscribeToTask", "SubscribeToTask", Shape.SUBSCRIBE),
  /** Name in v0.3. */
  SUBSCRIPTION("TaskSubscription", "SubscribeToTask", Shape.SUBSCRIBE),
  CREATE_PUSH(
      "CreateTaskPushNotificationConfig", "CreateTaskPushNotificationConfig", Shape.CONTROL),
  /** Name in drafts between v0.3 and v1.0. */
  SET_PUSH("SetTaskPushNotificationConfig", "CreateTaskPushNotificationConfig", Shape.CONTROL),
  GET_PUSH("GetTaskPushNotificationConfig", "GetTaskPushNotificationConfig", Shape.CONTROL),
  LIST_PUSHES("ListTaskPushNotificationConfigs", "ListTaskPushNotificationConfigs", Shape.CONTROL),
  /** Name in v0.3. */
  LIST_PUSH("ListTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", Shape.CONTROL),
  DELETE_PUSH(
      "DeleteTaskPushNotificationConfig", "DeleteTaskPushNotificationConfig", Shape.CONTROL),
  GET_CARD("GetExtendedAgentCard", "GetExtendedAgentCard", Shape.CONTROL),
  /** Name in v0.3. */
  OLD_CARD("GetAgentCard", "GetExtendedAgentCard", Shape.CONTROL);

  private static final String CURRENT_SERVICE = "/lf.a2a.v1.A2AService/";
  private static final String OLD_SERVICE = "/a2a.v1.A2AService/";

  /** Where agent text stands. */
  enum Shape {
    /** A message in the request; a message or a task in the answer. */
    SEND,
    /** A message in the request; the answer is a stream. */
    SEND_STREAM,
    /** No text in the request; the answer is a stream. */
    SUBSCRIBE,
    /** No text in the request; a task in the answer. */
    TASK,
    /** As {@link #TASK}, with metadata in the request. */
    CANCEL,
    /** No text in the request; tasks in the answer. */
    LIST,
    /** None in either. */
    CONTROL;

    boolean isStream() {
      return this == SEND_STREAM || this == SUBSCRIBE;
    }

    boolean sends() {
      return this == SEND || this == SEND_STREAM;
    }
  }

  private static final Map<String, A2aGrpcMethod> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(method -> method.wireName, Function.identity()));

  private final String wireName;
  private final String jsonRpcName;
  private final Shape shape;

  A2aGrpcMethod(String wireName, String jsonRpcName, Shape shape) {
    this.wireName = wireName;
    this.jsonRpcName = jsonRpcName;
    this.shape = shape;
  }

  /**
   * A method as it is called.
   *
   * @param method which one
   * @param version of the service it was called on
   */
  record Called(A2aGrpcMethod method, A2aMethod.Version version) {
    /** The messages of the version. */
    ProtoSchema schema() {
      return switch (version) {
        case V1_0 -> ProtoSchema.V1_0;
        case V0_3 -> ProtoSchema.V0_3;
      };
    }

    Shape shape() {
      return method.shape;
    }

    /** Name of the same method over JSON-RPC in v1.0. */
    String jsonRpcName() {
      return method.jsonRpcName;
    }

    ProtoType requestType() {
      return switch (method.shape) {
        case SEND, SEND_STREAM -> schema().sendRequest();
        case TASK, SUBSCRIBE -> schema().taskRequest();
        case CANCEL -> schema().cancelRequest();
        case LIST -> schema().listRequest();
        case CONTROL -> ProtoSchema.OPAQUE;
      };
    }

    ProtoType answerType() {
      return switch (method.shape) {
        case SEND, SEND_STREAM, SUBSCRIBE -> schema().event();
        case TASK, CANCEL -> schema().task();
        case LIST -> schema().list();
        case CONTROL -> ProtoSchema.OPAQUE;
      };
    }
  }

  /** The method that a request path names, exactly as gRPC writes it. */
  static Optional<Called> of(String path) {
    if (path.startsWith(CURRENT_SERVICE)) {
      return named(path.substring(CURRENT_SERVICE.length()), A2aMethod.Version.V1_0);
    }
    return path.startsWith(OLD_SERVICE)
        ? named(path.substring(OLD_SERVICE.length()), A2aMethod.Version.V0_3)
        : Optional.empty();
  }

  private static Optional<Called> named(String name, A2aMethod.Version version) {
    return Optional.ofNullable(BY_NAME.get(name)).map(method -> new Called(method, version));
  }
}
