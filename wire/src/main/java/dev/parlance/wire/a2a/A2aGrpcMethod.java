package dev.parlance.wire.a2a;

import dev.parlance.wire.a2a.A2aBinding.Shape;
import dev.parlance.wire.proto.ProtoType;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A gRPC method of A2A as it is called. The names of both generations are taken on either service.
 *
 * @param method the same method over JSON-RPC in v1.0
 * @param format generation of the protocol, told by the service
 */
record A2aGrpcMethod(A2aMethod method, A2aFormat format) {
  private static final String CURRENT_SERVICE = "/lf.a2a.v1.A2AService/";
  private static final String OLD_SERVICE = "/a2a.v1.A2AService/";
  private static final Map<String, A2aMethod> BY_NAME = byName();

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

  /** The names of all methods. */
  static Collection<String> names() {
    return BY_NAME.keySet();
  }

  /** What a method of this name asks for. */
  static Shape shape(String name) {
    return Optional.ofNullable(BY_NAME.get(name)).orElseThrow().shape();
  }

  /** The method that a request path names, exactly as gRPC writes it. */
  static Optional<A2aGrpcMethod> of(String path) {
    if (path.startsWith(CURRENT_SERVICE)) {
      return named(path.substring(CURRENT_SERVICE.length()), A2aFormat.CURRENT);
    }
    return path.startsWith(OLD_SERVICE)
        ? named(path.substring(OLD_SERVICE.length()), A2aFormat.CONTENT)
        : Optional.empty();
  }

  private static Optional<A2aGrpcMethod> named(String name, A2aFormat format) {
    return Optional.ofNullable(BY_NAME.get(name)).map(method -> new A2aGrpcMethod(method, format));
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
      case CONTROL, CARD -> ProtoSchema.OPAQUE;
    };
  }

  ProtoType answerType() {
    return switch (shape()) {
      case SEND, STREAM, SUBSCRIBE -> schema().event();
      case TASK -> schema().task();
      case LIST -> schema().list();
      case CONTROL, CARD -> ProtoSchema.OPAQUE;
    };
  }
}
