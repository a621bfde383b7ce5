package dev.parlance.control.api;

import dev.parlance.control.publish.api.SidecarDocument;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.control.store.Store.SidecarRow;
import dev.parlance.policy.core.CoreId;
import dev.parlance.proto.v1.ListSidecarsResponse;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SidecarCore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Sidecars with their cores, compared with what the control plane has. */
final class SidecarList {
  private static final String STALE = "stale";

  private SidecarList() {}

  static ListSidecarsResponse of(Store store, Duration aliveFor) {
    List<CoreRow> newest = store.cores();
    ListSidecarsResponse.Builder all = ListSidecarsResponse.newBuilder();
    for (SidecarRow row : store.sidecars(aliveFor)) {
      all.addSidecars(sidecar(row, newest));
    }
    return all.build();
  }

  private static Sidecar sidecar(SidecarRow row, List<CoreRow> newest) {
    Sidecar said = SidecarDocument.decode(row.document()).sidecar();
    Sidecar.Builder sidecar =
        said.toBuilder()
            .setAttached(row.attached())
            .setReplica(row.replica())
            .setLastSeenMs(row.lastSeenMs())
            .clearCores();
    Set<String> held = new HashSet<>();
    for (SidecarCore core : said.getCoresList()) {
      String key = CoreKey.of(new CoreId(core.getId().getAgentsList(), core.getId().getDomain()));
      held.add(key);
      long latest =
          newest.stream()
              .filter(each -> each.coreKey().equals(key))
              .mapToLong(CoreRow::version)
              .findFirst()
              .orElse(0);
      sidecar.addCores(core.toBuilder().setLatestVersion(latest).setState(state(core, latest)));
    }
    for (CoreRow core : newest) {
      if (core.agents().contains(row.agent()) && !held.contains(core.coreKey())) {
        sidecar.addCores(
            SidecarCore.newBuilder()
                .setId(
                    dev.parlance.proto.v1.CoreId.newBuilder()
                        .addAllAgents(core.agents())
                        .setDomain(core.domain()))
                .setLatestVersion(core.version())
                .setState("behind"));
      }
    }
    return sidecar.build();
  }

  private static String state(SidecarCore core, long latest) {
    if (!core.getNackReason().isEmpty() && core.getVersion() < latest) {
      return "refused";
    }
    if (core.getVersion() < latest) {
      return "behind";
    }
    return core.getState().equals(STALE) ? STALE : "synced";
  }
}
