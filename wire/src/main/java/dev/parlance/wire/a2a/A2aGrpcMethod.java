package dev.parlance.wire.a2a;

import dev.parlance.wire.proto.ProtoType;
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
  GET_CARD("GetExtendedAgentCard", "GetExtendedAgentCard", Shape.CARD),
  /** Name in v0.3. */
  OLD_CARD("GetAgentCard", "GetExtendedAgentCard", Shape.CARD);

  private static final String CURRENT_SERVICE = "/lf.a2a.v1.A2AService/";
  private static final String OLD_SERVICE = "/a2a.v1.A2AService/";

  /** Generation of the protocol, told by the service. */
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
    /** None in either but what is written into a webhook's configuration. */
    CONTROL,
    /** None in the request; an agent card, which may be signed, in the answer. */
    CARD;

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

  String wireName() {
    return wireName;
  }

  Shape shape() {
    return shape;
  }

  /**
   * A method as it is called.
   *
   * @param method which one
   * @param version of the service it was called on
   */
  record Called(A2aGrpcMethod method, Version version) {
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

    /** True if a task can stand in the place of the answer. */
    boolean answersWithTask() {
      return switch (method.shape) {
        case SEND, SEND_STREAM, SUBSCRIBE, TASK, CANCEL -> true;
        case LIST, CONTROL, CARD -> false;
      };
    }

    ProtoType requestType() {
      return switch (method.shape) {
        case SEND, SEND_STREAM -> schema().sendRequest();
        case TASK, SUBSCRIBE -> schema().taskRequest();
        case CANCEL -> schema().cancelRequest();
        case LIST -> schema().listRequest();
        case CONTROL, CARD -> ProtoSchema.OPAQUE;
      };
    }

    ProtoType answerType() {
      return switch (method.shape) {
        case SEND, SEND_STREAM, SUBSCRIBE -> schema().event();
        case TASK, CANCEL -> schema().task();
        case LIST -> schema().list();
        case CONTROL, CARD -> ProtoSchema.OPAQUE;
      };
    }
  }

  /** The method that a request path names, exactly as gRPC writes it. */
  static Optional<Called> of(String path) {
    if (path.startsWith(CURRENT_SERVICE)) {
      return named(path.substring(CURRENT_SERVICE.length()), Version.V1_0);
    }
    return path.startsWith(OLD_SERVICE)
        ? named(path.substring(OLD_SERVICE.length()), Version.V0_3)
        : Optional.empty();
  }

  private static Optional<Called> named(String name, Version version) {
    return Optional.ofNullable(BY_NAME.get(name)).map(method -> new Called(method, version));
  }
}
