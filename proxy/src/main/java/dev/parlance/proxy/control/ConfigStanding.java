package dev.parlance.proxy.control;

import dev.parlance.proto.v1.ConfigStatus;
import dev.parlance.proxy.config.ConfigHolder;
import dev.parlance.proxy.config.ConfigRefusal;

/** How the configuration stands, as the control plane is told. */
final class ConfigStanding {
  /** As the protocol says. */
  private static final int MAX_DETAIL = 512;

  private ConfigStanding() {}

  static ConfigStatus of(ConfigHolder.State state) {
    ConfigStatus.Builder status =
        ConfigStatus.newBuilder()
            .setRevision(state.config().revision())
            .setRefusals(state.refusals());
    state
        .lastRefusal()
        .ifPresent(refusal ->
            status.setRefusedReason(refusal.reason().code()).setRefusedDetail(detail(refusal)));
    return status.build();
  }

  private static String detail(ConfigRefusal refusal) {
    if (refusal.problems().isEmpty()) {
      return "";
    }
    int more = refusal.problems().size() - 1;
    String first = refusal.problems().getFirst().toString();
    String tail = more == 0 ? "" : " (and " + more + " more)";
    int room = MAX_DETAIL - tail.length();
    return (first.length() > room ? first.substring(0, room) : first) + tail;
  }
}
