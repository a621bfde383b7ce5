package dev.parlance.proxy.config;

import dev.parlance.policy.route.Grounding;
import dev.parlance.service.config.Listen;

/**
 * Defaults that are not those of a record of their own (limits, timeouts, review, decision log). A
 * test holds them against the schema.
 */
final class Defaults {
  static final String NODE = "sidecar";
  static final Mode MODE = Mode.ENFORCE;
  static final String DATA_DIR = "parlance-data";
  static final Listen ADMIN = new Listen("127.0.0.1", 15_000);
  static final int JUDGING_MS = 300;
  static final int FLOWS = 100_000;
  static final int DRAIN_MS = 25_000;
  static final int NOTICE_MS = 0;
  static final CodecChoice CODEC = CodecChoice.AUTO;
  static final Grounding GROUNDING = Grounding.OPTIONAL;
  static final Grounding REQUEST_GROUNDING = Grounding.OPTIONAL;
  static final OnFailure ON_UNJUDGED = OnFailure.BLOCK;
  static final OnFailure ON_ERROR = OnFailure.BLOCK;
  static final StreamMode STREAM = StreamMode.HOLD;
  static final OriginProtocol ORIGIN_PROTOCOL = OriginProtocol.AUTO;
  static final OpaquePolicy OPAQUE = OpaquePolicy.REFUSE;
  static final boolean CONSEQUENTIAL = false;
  static final boolean METADATA = true;
  static final boolean REGENERATE = true;

  private Defaults() {}
}
