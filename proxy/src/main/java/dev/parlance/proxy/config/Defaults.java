package dev.parlance.proxy.config;

import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.service.config.Listen;
import dev.parlance.wire.Codecs;

/**
 * Defaults that are not those of a record of their own (limits, timeouts, review, decision log). A
 * test holds them against the schema.
 */
public final class Defaults {
  public static final String NODE = "sidecar";
  public static final Mode MODE = Mode.ENFORCE;
  public static final String DATA_DIR = "parlance-data";
  public static final Listen ADMIN = new Listen("127.0.0.1", 15_000);
  public static final int JUDGING_MS = 300;
  public static final int ERROR_BYTES = 4096;
  public static final int FLOWS = 100_000;
  public static final int PLUMBING_BYTES = 65_536;
  public static final int DRAIN_MS = 25_000;
  public static final int NOTICE_MS = 0;
  public static final String CODEC = Codecs.AUTO;
  public static final Grounding GROUNDING = Grounding.OPTIONAL;
  public static final Grounding REQUEST_GROUNDING = Grounding.NONE;
  public static final OnFailure ON_UNJUDGED = OnFailure.BLOCK;
  public static final RouteRule.Binary BINARY = RouteRule.Binary.PASS;
  public static final RouteRule.AgentCard AGENT_CARD = RouteRule.AgentCard.PASS;
  public static final OnFailure ON_ERROR = OnFailure.BLOCK;
  public static final StreamMode STREAM = StreamMode.HOLD;
  public static final OriginProtocol ORIGIN_PROTOCOL = OriginProtocol.AUTO;
  public static final OpaquePolicy OPAQUE = OpaquePolicy.REFUSE;
  public static final boolean CONSEQUENTIAL = false;
  public static final boolean METADATA = true;
  public static final RouteRule.Repair REPAIR = RouteRule.Repair.WORDS;
  public static final boolean IDEMPOTENT = false;
  public static final RouteRule.OnActed ON_ACTED = RouteRule.OnActed.HOLD;

  private Defaults() {}
}
