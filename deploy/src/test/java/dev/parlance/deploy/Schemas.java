package dev.parlance.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The JSON Schemas of the files that the chart writes, each from the code that reads the file. */
final class Schemas {
  static final JsonMapper JSON = JsonMapper.builder().build();

  private Schemas() {}

  /** Of the sidecar's file. */
  static ObjectNode sidecar() {
    return read("/dev/parlance/proxy/config/file/parlance-config.schema.json");
  }

  /** Of the control plane's file. */
  static ObjectNode control() {
    return read("/dev/parlance/control/config/control-config.schema.json");
  }

  /** Of the chart's own values, with places for the two others. */
  static ObjectNode values() {
    return read("/dev/parlance/deploy/values-base.schema.json");
  }

  private static ObjectNode read(String resource) {
    try (InputStream in = Schemas.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource " + resource + " is not on the class path");
      }
      return (ObjectNode) JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
