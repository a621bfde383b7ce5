package dev.parlance.proxy.main;

import dev.parlance.onnx.ModelProblem;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.DecisionLogSettings;
import dev.parlance.proxy.config.EntailmentSettings;
import dev.parlance.proxy.config.EvidenceSettings;
import dev.parlance.proxy.config.ReviewSettings;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.control.api.ControlPlaneClient;
import dev.parlance.proxy.entailment.EntailmentPool;
import dev.parlance.proxy.gate.ObservedEvidence;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewLimits;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.review.ReviewStats;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.proxy.trace.SpanOutcomes;
import dev.parlance.proxy.trace.Tracer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** The stores of a sidecar, and what looks after messages beside the gate, by its configuration. */
final class StoreParts {
  private static final long NS_PER_MS = 1_000_000;

  private StoreParts() {}

  /** The review queue, opened in the data folder. */
  static ReviewQueue review(SidecarConfig config) throws IOException {
    ReviewSettings bounds = config.storage().review();
    return ReviewQueue.open(
        config.storage().dataDir().resolve("review"),
        new ReviewLimits(
                bounds.capacity(),
                bounds.bytes(),
                bounds.releaseTtlMs(),
                bounds.approvedForMs(),
                bounds.keepDecidedMs())
            .within(Runtime.getRuntime().maxMemory()),
        System::currentTimeMillis);
  }

  /** How full the review queue is. */
  static SidecarMetrics.ReviewLoad load(ReviewQueue review) {
    ReviewStats stats = review.stats();
    return new SidecarMetrics.ReviewLoad(
        stats.depth(),
        review.limits().capacity(),
        stats.heldBytes(),
        review.limits().bytes(),
        stats.oldestAgeMs());
  }

  /** Where lines of the decision log go as well, if the configuration says so. */
  static Optional<OutputStream> standardOutput(SidecarConfig config) {
    return config.storage().decisionLog().stdout()
        ? Optional.of(new FileOutputStream(FileDescriptor.out))
        : Optional.empty();
  }

  /** The decision log of the data folder. */
  static DecisionLog decisions(SidecarConfig config, Optional<OutputStream> copy) {
    DecisionLogSettings lines = config.storage().decisionLog();
    return DecisionLog.open(
        config.storage().dataDir(),
        new DecisionLog.Settings(lines.fileBytes(), lines.files(), lines.queue()),
        copy);
  }

  /** What sends spans, if they are wanted. */
  static Optional<Tracer> tracer(SidecarConfig config, SidecarMetrics metrics, String version)
      throws IOException {
    if (config.traces().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Tracer.open(
            config.traces().get(),
            config.node(),
            version,
            System::currentTimeMillis,
            metrics.traces(SpanOutcomes.CODES)::accept));
  }

  /** What people decided elsewhere, if a control plane passes it on. */
  static Optional<SharedDecisions> share(
      SidecarConfig config,
      Optional<ControlPlaneClient> control,
      ReviewQueue review,
      DecisionLog decisions,
      SidecarMetrics metrics) {
    if (control.isEmpty() || !config.storage().review().share()) {
      return Optional.empty();
    }
    SharedDecisions shared =
        new SharedDecisions(
            config.control().orElseThrow().agent(),
            control.get().peers()::agentAt,
            review,
            System::currentTimeMillis,
            new AdminAdapters.SharedReviews(decisions, metrics, config.node()));
    control.get().share(shared);
    return Optional.of(shared);
  }

  /** The second stage of judging, if there is a model. */
  static Optional<EntailmentPool> secondStage(SidecarConfig config, SidecarMetrics metrics)
      throws IOException {
    if (config.entailment().isEmpty()) {
      return Optional.empty();
    }
    EntailmentSettings settings = config.entailment().get();
    try {
      EntailmentPool.Classifier classifier = EntailmentPool.load(settings.dir());
      return Optional.of(new EntailmentPool(classifier, settings, metrics::entailment));
    } catch (ModelProblem e) {
      throw new IOException("/entailment/dir: " + e.fault().code() + ": " + e.detail(), e);
    }
  }

  /** The evidence that passes by, if it is kept. */
  static Optional<ObservedEvidence> observed(EvidenceSettings settings) {
    return settings.observed()
        ? Optional.of(
            new ObservedEvidence(
                settings.flows(),
                settings.chunks(),
                settings.bytes(),
                settings.ttlMs(),
                () -> System.nanoTime() / NS_PER_MS))
        : Optional.empty();
  }
}
