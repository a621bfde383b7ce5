package dev.parlance.wire.a2a;

import dev.parlance.wire.a2a.A2aBinding.Shape;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.proto.ProtoType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
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
  CARD_GET("agent/getAuthenticatedExtendedCard", A2aFormat.KIND, Shape.CARD),
  /** Any that A2A does not have, or not yet: whoever is called refuses it. */
  UNKNOWN("other methods", A2aFormat.CURRENT, Shape.UNKNOWN);

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

  /**
   * A gRPC method of A2A as it is called. The names of both generations are taken on either
   * service.
   *
   * @param method the same method over JSON-RPC in v1.0
   * @param format generation of the protocol, told by the service
   */
  record OverGrpc(A2aMethod method, A2aFormat format) {
    private static final String CURRENT_SERVICE = "/lf.a2a.v1.A2AService/";
    private static final String OLD_SERVICE = "/a2a.v1.A2AService/";
    static final Map<String, A2aMethod> BY_NAME = byName();

    private static Map<String, A2aMethod> byName() {
      Map<String, A2aMethod> names = new LinkedHashMap<>();
      names.put("SendMessage", A2aMethod.SEND_MESSAGE);
      names.put("SendStreamingMessage", A2aMethod.SEND_STREAMING);
      names.put("GetTask", A2aMethod.GET_TASK);
      names.put("CancelTask", A2aMethod.CANCEL_TASK);
      names.put("ListTasks", A2aMethod.LIST_TASKS);
      names.put("SubscribeToTask", A2aMethod.SUBSCRIBE);
      names.put("TaskSubscription", A2aMethod.SUBSCRIBE); // v0.3
      names.put("CreateTaskPushNotificationConfig", A2aMethod.CREATE_PUSH);
      names.put("SetTaskPushNotificationConfig", A2aMethod.CREATE_PUSH); // drafts in between
      names.put("GetTaskPushNotificationConfig", A2aMethod.GET_PUSH);
      names.put("ListTaskPushNotificationConfigs", A2aMethod.LIST_PUSHES);
      names.put("ListTaskPushNotificationConfig", A2aMethod.LIST_PUSHES); // v0.3
      names.put("DeleteTaskPushNotificationConfig", A2aMethod.DELETE_PUSH);
      names.put("GetExtendedAgentCard", A2aMethod.GET_CARD);
      names.put("GetAgentCard", A2aMethod.GET_CARD); // v0.3
      return Collections.unmodifiableMap(names);
    }

    /** The method that a request path names, exactly as gRPC writes it. */
    static Optional<OverGrpc> of(String path) {
      if (path.startsWith(CURRENT_SERVICE)) {
        return named(path.substring(CURRENT_SERVICE.length()), A2aFormat.CURRENT);
      }
      return path.startsWith(OLD_SERVICE)
          ? named(path.substring(OLD_SERVICE.length()), A2aFormat.CONTENT)
          : Optional.empty();
    }

    private static Optional<OverGrpc> named(String name, A2aFormat format) {
      boolean isName = !name.isEmpty() && name.chars().allMatch(Character::isLetterOrDigit);
      return isName
          ? Optional.of(new OverGrpc(BY_NAME.getOrDefault(name, A2aMethod.UNKNOWN), format))
          : Optional.empty();
    }

    boolean isCurrent() {
      return format == A2aFormat.CURRENT;
    }

    /** The messages of the generation. */
    ProtoSchema schema() {
      return isCurrent() ? ProtoSchema.V1_0 : ProtoSchema.V0_3;
    }

    Shape shape() {
      return method.shape();
    }

    ProtoType requestType() {
      return switch (shape()) {
        case SEND, STREAM -> schema().sendRequest();
        case TASK, SUBSCRIBE ->
            method == A2aMethod.CANCEL_TASK ? schema().cancelRequest() : schema().taskRequest();
        case LIST -> schema().listRequest();
        case CONTROL, CARD, UNKNOWN -> ProtoSchema.OPAQUE;
      };
    }

    ProtoType answerType() {
      return switch (shape()) {
        case SEND, STREAM, SUBSCRIBE -> schema().event();
        case TASK -> schema().task();
        case LIST -> schema().list();
        case CONTROL, CARD, UNKNOWN -> ProtoSchema.OPAQUE;
      };
    }
  }
}
