package dev.parlance.proxy.config.file;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.StartupSetting;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Position;
import dev.parlance.service.config.YamlDocument;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The configuration in force. Readers take it once per message and use that one to the end, so that
 * no message is judged half by an old and half by a new one; a new one takes its place whole or not
 * at all.
 */
public final class ConfigHolder {
  /**
   * What is in force and what became of the last file.
   *
   * @param config the configuration in force
   * @param generation 1 for the one of the start, one more with each that was applied
   * @param refusals how many files were refused
   * @param lastRefusal the last refused file, until a good one follows it
   */
  public record State(
      SidecarConfig config, long generation, long refusals, Optional<ConfigRefusal> lastRefusal) {}

  private final AtomicReference<State> state;
  private final Set<StartupSetting> fixed;
  private final InstantSource clock;
  private final List<ConfigListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * A holder of the configuration that the sidecar starts with.
   *
   * @param fixed what cannot change at run time beside {@link StartupSetting#ALWAYS_FIXED}
   */
  public ConfigHolder(SidecarConfig initial, Set<StartupSetting> fixed, InstantSource clock) {
    this.state = new AtomicReference<>(new State(initial, 1, 0, Optional.empty()));
    EnumSet<StartupSetting> all = EnumSet.copyOf(StartupSetting.ALWAYS_FIXED);
    all.addAll(fixed);
    this.fixed = all;
    this.clock = clock;
  }

  /** The configuration in force. */
  public SidecarConfig current() {
    return state.get().config();
  }

  /** What is in force and what became of the last file. */
  public State state() {
    return state.get();
  }

  /** Calls the listener from now on. */
  public void addListener(ConfigListener listener) {
    listeners.add(listener);
  }

  /** Applies what was read or refuses it; true if it is in force afterwards. */
  synchronized boolean offer(ConfigAttempt attempt) {
    return switch (attempt.result()) {
      case ConfigResult.Loaded(SidecarConfig config) -> apply(config, attempt.document());
      case ConfigResult.Refused(List<ConfigProblem> problems) ->
          refuse(attempt.reason().orElse(ConfigRefusalReason.INVALID), problems);
    };
  }

  private boolean apply(SidecarConfig config, YamlDocument document) {
    State before = state.get();
    List<ConfigProblem> problems = restartProblems(before.config(), config, document);
    if (!problems.isEmpty()) {
      return refuse(ConfigRefusalReason.NEEDS_RESTART, problems);
    }
    if (config.revision().equals(before.config().revision())) {
      // The file is again what is in force: whatever was wrong with it in between is over.
      state.set(
          new State(before.config(), before.generation(), before.refusals(), Optional.empty()));
      return true;
    }
    state.set(new State(config, before.generation() + 1, before.refusals(), Optional.empty()));
    for (ConfigListener listener : listeners) {
      listener.applied(before.config(), config);
    }
    return true;
  }

  private boolean refuse(ConfigRefusalReason reason, List<ConfigProblem> problems) {
    State before = state.get();
    ConfigRefusal refusal = new ConfigRefusal(clock.instant(), reason, problems);
    state.set(
        new State(
            before.config(), before.generation(), before.refusals() + 1, Optional.of(refusal)));
    for (ConfigListener listener : listeners) {
      listener.refused(reason, problems);
    }
    return false;
  }

  private List<ConfigProblem> restartProblems(
      SidecarConfig now, SidecarConfig next, YamlDocument document) {
    List<ConfigProblem> problems = new ArrayList<>();
    for (StartupSetting setting : fixed) {
      if (setting.differs(now, next)) {
        Position at = document.at(setting.pointer());
        problems.add(
            new ConfigProblem(
                setting.pointer(),
                at.line(),
                at.column(),
                "cannot change while the sidecar runs: needs a restart"));
      }
    }
    return problems;
  }
}
