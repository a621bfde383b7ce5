package dev.parlance.proxy.config.file;

import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.service.config.ConfigProblem;
import java.util.List;

/** Who wants to know when the configuration changes; called on the thread that offered the file. */
public interface ConfigListener {
  /** A new configuration is in force. */
  void applied(SidecarConfig before, SidecarConfig now);

  /** A file was refused and the old configuration stays. */
  default void refused(ConfigRefusalReason reason, List<ConfigProblem> problems) {}
}
