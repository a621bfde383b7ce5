package dev.parlance.deploy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Makes {@code docs/settings.md} and its parts: each setting with every place where it can be set.
 */
final class SettingsPages {
  private static final String HEAD =
      """
      # Settings

      Generated; [Kubernetes](kubernetes.md#generated-files) says how. The sidecar's own settings, by subject:
      %s. What else a pod may say is below, and the values of
      the chart have [a page of their own](settings-chart.md).

      Every key of the [sidecar's file](configuration.md) is a Helm value and a pod annotation as well. What counts, weakest
      first: the default, the Helm value (for all pods), the pod's annotation. Lists and mappings in an annotation are YAML text.
      Values named `sidecar.config.*` and annotations named `config.parlance.dev/*` are checked before a pod is created: a wrong
      one refuses the pod and says why. `sidecar.overrides` says which annotations pods may use at all.

      Restart says whether a running sidecar has to be started anew; all else follows a change of the annotation
      `parlance.dev/sidecar-config` of the running pod, or of the ConfigMap named by `parlance.dev/config-map`. A changed Helm
      value reaches pods that are created afterwards.

      ## Pods

      What else the annotations of a pod say, all with the prefix `parlance.dev/`; [injection](injection.md) has the details.

      | annotation | Helm value for all pods | default | what |
      | --- | --- | --- | --- |
      """;

  private static final String SIDECAR =
      """
      # Settings of the sidecar: %s

      Generated; [settings](settings.md) says how they are set, and what counts.

      | file | Helm value | annotation | default | restart | what |
      | --- | --- | --- | --- | --- | --- |
      """;

  private static final String CHART =
      """
      # Settings of the chart

      Generated, as the other [settings](settings.md). Unknown values are refused. Below `controlPlane.config` stands what is
      further in the [control plane's file](control-configuration.md#configuration).

      | value | default | what |
      | --- | --- | --- |
      """;

  /**
   * Keys of the sidecar on a page of their own.
   *
   * @param sections the first names of its keys; empty: all that are on no other page
   */
  private record Part(String name, String title, Set<String> sections) {
    boolean holds(String key) {
      String section = key.split("[.\\[]", 2)[0];
      return sections.isEmpty()
          ? PARTS.stream().noneMatch(part -> part.sections.contains(section))
          : sections.contains(section);
    }
  }

  private static final List<Part> PARTS =
      List.of(
          new Part("settings-process.md", "process, control plane and review", Set.of()),
          new Part(
              "settings-traffic.md",
              "listeners, identity and bounds",
              Set.of(
                  "inbound", "outbound", "identity", "plumbing", "limits", "timeouts", "streams")),
          new Part(
              "settings-judging.md",
              "what messages are held against",
              Set.of(
                  "routes", "profiles", "verdicts", "evidence", "entailment", "lexicon", "pacts")));

  private final StringBuilder page;

  private SettingsPages(String head) {
    page = new StringBuilder(head);
  }

  /**
   * The pages by their names.
   *
   * @param values the chart's values.yaml
   */
  static Map<String, String> make(JsonNode values) {
    Map<String, String> pages = new LinkedHashMap<>();
    List<String> links =
        PARTS.stream().map(part -> "[" + part.title + "](" + part.name + ")").toList();
    SettingsPages settings = new SettingsPages(HEAD.formatted(String.join("; ", links)));
    settings.pods();
    pages.put("settings.md", settings.page.toString());
    for (Part part : PARTS) {
      SettingsPages sidecar = new SettingsPages(SIDECAR.formatted(part.title));
      sidecar.sidecar(part);
      pages.put(part.name, sidecar.page.toString());
    }
    SettingsPages chart = new SettingsPages(CHART);
    chart.chart("", ValuesSchema.make(values), values);
    pages.put("settings-chart.md", chart.page.toString());
    return pages;
  }

  private void sidecar(Part part) {
    for (SettingKeys.Key key : SettingKeys.all()) {
      if (part.holds(key.path())) {
        row(
            "`" + key.path() + "`",
            "`sidecar.config." + key.path() + "`",
            "`config.parlance.dev/" + key.path() + "`",
            key.shownDefault(),
            key.needsRestart() ? "yes" : "no",
            text(key.rule()));
      }
    }
  }

  private void pods() {
    for (PodSettings.Setting setting : PodSettings.ALL) {
      row(
          "`" + setting.annotation() + "`",
          setting.helmValue().isEmpty() ? "" : "`" + setting.helmValue() + "`",
          setting.otherwise(),
          setting.what());
    }
  }

  private void chart(String prefix, JsonNode rule, JsonNode values) {
    rule.path("properties")
        .properties()
        .forEach(property -> {
          String path = prefix + property.getKey();
          JsonNode inner = property.getValue();
          JsonNode value = values.path(property.getKey());
          boolean isFile = path.endsWith(".config") && inner.path("properties").size() > 5;
          if (inner.has("properties") && !isFile) {
            chart(path + ".", inner, value);
          } else if (!path.equals("global")) {
            row("`" + path + "`", value.isMissingNode() ? "none" : "`" + value + "`", text(inner));
          }
        });
  }

  private static String text(JsonNode rule) {
    String text = rule.path("description").asString("");
    return text.replace(" A change needs a restart.", "")
        .replace("A change needs a restart.", "")
        .strip();
  }

  private void row(String... cells) {
    page.append("| ")
        .append(
            String.join(
                " | ", List.of(cells).stream().map(cell -> cell.replace("|", "\\|")).toList()))
        .append(" |\n");
  }
}
