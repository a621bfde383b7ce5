package dev.parlance.proxy.admin;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The certified cores in force and the stream to the control plane. May block. */
@FunctionalInterface
public interface CoresPort {
  /** Of a sidecar without a control plane. */
  CoresPort NONE = () -> JsonNodeFactory.instance.objectNode().put("configured", false);

  /** {@code configured}, and if true all that is known. */
  JsonNode cores();
}
