package dev.parlance.proxy.admin;

import dev.parlance.proxy.config.file.ConfigHolder;
import dev.parlance.proxy.config.file.ConfigRefusal;
import dev.parlance.service.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Everything that the admin server shows or does. All but {@code health} may block.
 *
 * @param health whether the sidecar can take traffic
 * @param metrics all metrics in the Prometheus text format 0.0.4
 * @param config the configuration in force and what became of the last file; without secrets
 * @param decisions the decision log
 * @param review the review queue
 * @param judgements the judge, for people
 * @param cores the certified cores and the stream to the control plane: {@code configured}, and if
 *     true all that is known
 * @param rounds rounds at the control plane
 * @param pacts pacts of the local agent
 */
public record AdminPorts(
    HealthPort health,
    Supplier<String> metrics,
    Supplier<JsonNode> config,
    DecisionPort decisions,
    ReviewPort review,
    JudgementPort judgements,
    Supplier<JsonNode> cores,
    RoundsPort rounds,
    PactsPort pacts) {
  /** The cores of a sidecar without a control plane. */
  public static final Supplier<JsonNode> NO_CORES =
      () -> JsonNodeFactory.instance.objectNode().put("configured", false);

  /** The view on a holder: {@code config, generation, refusals, lastRefusal?}. */
  public static JsonNode configOf(ConfigHolder holder) {
    ConfigHolder.State state = holder.state();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("config", state.config().toDisplayMap());
    view.put("generation", state.generation());
    view.put("refusals", state.refusals());
    state.lastRefusal().ifPresent(refusal -> view.put("lastRefusal", refusal(refusal)));
    return JsonMapper.shared().valueToTree(view);
  }

  private static Map<String, Object> refusal(ConfigRefusal refusal) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("at", refusal.at().toString());
    view.put("reason", refusal.reason().code());
    view.put("problems", refusal.problems());
    return view;
  }

  /** How the sidecar is. Never blocks: it is asked on an event loop. */
  public interface HealthPort {
    /** Why it cannot take traffic, one short sentence each; empty if it can. */
    List<String> notReady();

    /** What an operator should see to while it takes traffic. */
    default List<String> warnings() {
      return List.of();
    }

    /** Why it has not started yet; empty for ever once it has, also while it stops. */
    default List<String> notStarted() {
      return List.of();
    }

    /** What of it has stopped working so that only a restart helps; empty if nothing has. */
    default List<String> notLive() {
      return List.of();
    }
  }

  /** The decision log, for reading. */
  public interface DecisionPort {
    /** Why a message went where it went, for a program and for a person. */
    record Explanation(JsonNode json, String text) {}

    /**
     * Which decisions are looked for; what is empty fits everything.
     *
     * @param route the code of a decision's route or a configured name
     * @param after id of a decision: only later ones
     * @param before id of a decision: only earlier ones
     */
    record Wanted(Optional<String> route, Optional<String> after, Optional<String> before) {}

    /**
     * The latest decisions, newest first.
     *
     * @param limit most of them, 1 or more
     */
    List<JsonNode> recent(int limit, Wanted wanted);

    /** The decision with this id. */
    Optional<JsonNode> find(String id);

    /** Why the decision with this id was taken. */
    Optional<Explanation> explain(String id);
  }

  /** The judge, for people who ask why: nothing is sent, charged or logged. May take seconds. */
  public interface JudgementPort {
    /**
     * Judges texts.
     *
     * @return refused INVALID unknown_profile, unknown_route
     */
    Result<JsonNode> judge(JudgementRequest texts);

    /**
     * The drafts of a held message, judged once more as its route judges now.
     *
     * @param draft only this one, from 1; the held one is the last
     * @return refused NOT_FOUND no_such_held_message, no_such_draft
     */
    Result<JsonNode> held(String id, OptionalInt draft);

    /**
     * Judges another answer in the place of a held one: its question and evidence stay.
     *
     * @return refused NOT_FOUND no_such_held_message, INVALID unknown_profile
     */
    Result<JsonNode> instead(String id, JudgementRequest texts);
  }

  /** How rounds stand, as the control plane says; blocks for a bounded time. */
  @FunctionalInterface
  public interface RoundsPort {
    /** What came of a question. */
    sealed interface Answer {
      /** The round. */
      record Found(JsonNode round) implements Answer {}

      /** There is none, for this stable reason code. */
      record Refused(String code, String detail) implements Answer {}

      /** Nobody could be asked. */
      record Unavailable(String detail) implements Answer {}
    }

    /** How a round stands: its name, and its epoch from 1. */
    Answer find(String round, long epoch);
  }

  /** The pacts of the local agent. */
  public interface PactsPort {
    /** Those that hold and those that have ended lately, newest first. */
    List<JsonNode> list(int limit);

    /** The reasons that {@link #dissolve} knows, for messages. */
    List<String> reasons();

    /**
     * Ends a pact in the local agent's name; blocks for a bounded time.
     *
     * @param reason one of {@link #reasons}
     * @return the pact as it stands then; refused NOT_FOUND pact_unknown, PRECONDITION pact_ended,
     *     UNAVAILABLE where the control plane cannot be told
     */
    Result<JsonNode> dissolve(String id, String reason, String who, String note);

    /** Without pacts. */
    PactsPort NONE =
        new PactsPort() {
          @Override
          public List<JsonNode> list(int limit) {
            return List.of();
          }

          @Override
          public List<String> reasons() {
            return List.of("none: pacts are not configured");
          }

          @Override
          public Result<JsonNode> dissolve(String id, String reason, String who, String note) {
            return Result.refused(
                Result.Kind.NOT_FOUND, "pact_unknown", "pacts are not configured");
          }
        };
  }

  /** The local agent as the kubelet would find it. */
  @FunctionalInterface
  public interface ProbePort {
    /**
     * What came of a probe.
     *
     * @param good true if the agent is as it should be
     * @param detail what was found, for a person
     */
    record ProbeResult(boolean good, String detail) {}

    /** Makes the probe with this name, or waits for one under way; empty if there is none. */
    Optional<ProbeResult> probe(String name);
  }
}
