package dev.parlance.deploy;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Makes {@code docs/settings.md}: each setting with every place where it can be set. */
final class SettingsPage {
  private static final String HEAD =
      """
      # Settings

      Generated; [Kubernetes](kubernetes.md#generated-files) says how. Three tables: the sidecar's own settings, what else a pod
      may say, and the values of the chart.

      ## The sidecar

      Every key of the [sidecar's file](configuration.md) is a Helm value and a pod annotation as well. What counts, weakest
      first: the default, the Helm value (for all pods), the pod's annotation. Lists and mappings in an annotation are YAML text.
      Values named `sidecar.config.*` and annotations named `config.parlance.dev/*` are checked before a pod is created: a wrong
      one refuses the pod and says why. `sidecar.overrides` says which annotations pods may use at all.

      Restart says whether a running sidecar has to be started anew; all else follows a change of the annotation
      `parlance.dev/sidecar-config` of the running pod, or of the ConfigMap named by `parlance.dev/config-map`. A changed Helm
      value reaches pods that are created afterwards.

      """;

  private static final String PODS =
      """

      ## Pods

      What else the annotations of a pod say, all with the prefix `parlance.dev/`; [injection](injection.md) has the details.

      | annotation | Helm value for all pods | default | what |
      | --- | --- | --- | --- |
      """;

  private static final String CHART =
      """

      ## The chart

      Unknown values are refused. Below `controlPlane.config` stands what is further in the [control plane's
      file](control-configuration.md#configuration).

      | value | default | what |
      | --- | --- | --- |
      """;

  private final StringBuilder page = new StringBuilder(HEAD);

  private SettingsPage() {}

  /**
   * The page.
   *
   * @param values the chart's values.yaml
   */
  static String make(JsonNode values) {
    SettingsPage made = new SettingsPage();
    made.sidecar();
    made.pods();
    made.page.append(CHART);
    made.chart("", ValuesSchema.make(values), values);
    return made.page.toString();
  }

  private void sidecar() {
    page.append("| file | Helm value | annotation | default | restart | what |\n");
    page.append("| --- | --- | --- | --- | --- | --- |\n");
    for (SettingKeys.Key key : SettingKeys.all()) {
      row(
          "`" + key.path() + "`",
          "`sidecar.config." + key.path() + "`",
          "`config.parlance.dev/" + key.path() + "`",
          key.shownDefault(),
          key.needsRestart() ? "yes" : "no",
          text(key.rule()));
    }
  }

  private void pods() {
    page.append(PODS);
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
