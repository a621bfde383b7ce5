package dev.parlance.proxy.audit;

import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads lines of the log. Apart from {@link AuditJson}, which writes them: making a mapper is a
 * tenth of the start, and a sidecar that nobody asks for its lines needs none.
 */
final class LineMapper {
  static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private LineMapper() {}
}
