package dev.parlance.proxy.main;

import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigListener;
import dev.parlance.proxy.config.file.ConfigRefusalReason;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.service.config.ConfigProblem;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells log and metrics what became of a changed file. */
record ConfigReloads(DecisionLog decisions, SidecarMetrics metrics) implements ConfigListener {
  private static final Logger log = LoggerFactory.getLogger(ConfigReloads.class);

  @Override
  public void applied(SidecarConfig before, SidecarConfig now) {
    metrics.configApplied(System.currentTimeMillis());
    decisions.append(
        new AuditEvent.ConfigEvent(
            System.currentTimeMillis(), now.node(), now.revision(), "reloaded", ""));
    log.atInfo().addKeyValue("revision", now.revision()).log("configuration reloaded");
  }

  @Override
  public void refused(ConfigRefusalReason reason, List<ConfigProblem> problems) {
    metrics.configRejected(reason);
    String detail = problems.isEmpty() ? reason.code() : problems.getFirst().toString();
    decisions.append(
        new AuditEvent.ConfigEvent(System.currentTimeMillis(), "", "", "refused", detail));
    log.atWarn()
        .addKeyValue("reason", reason.code())
        .addKeyValue("problem", detail)
        .log("configuration refused");
  }
}
