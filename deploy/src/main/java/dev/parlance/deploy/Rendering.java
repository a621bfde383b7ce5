package dev.parlance.deploy;

import java.util.List;

/** What came of rendering the chart. */
public sealed interface Rendering {
  /**
   * It rendered.
   *
   * @param text what Helm wrote
   * @param manifests the objects in it
   */
  record Rendered(String text, List<KubeResource> manifests) implements Rendering {
    /** Copies the list. */
    public Rendered {
      manifests = List.copyOf(manifests);
    }
  }

  /**
   * Helm refused the values or the chart.
   *
   * @param problem what Helm says
   */
  record Refused(String problem) implements Rendering {}
}
