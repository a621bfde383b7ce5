package dev.parlance.deploy.picture;

import java.util.List;
import java.util.Map;

/** Colours of series: those that a panel names, else one after the other. */
final class Colors {
  private static final Map<String, String> NAMED =
      Map.of(
          "green", "#3a9e4e",
          "yellow", "#d9a400",
          "orange", "#e8710a",
          "red", "#d93a4a",
          "text", Svg.INK);

  private static final List<String> PALETTE =
      List.of(
          "#3b73c8", "#e8710a", "#3a9e4e", "#a352cc", "#d93a4a", "#1597a5", "#d9a400", "#8a5a44",
          "#5b6b7b", "#c2468f");

  private Colors() {}

  static String of(Dashboard.Panel panel, String name, int index) {
    String named = panel.colors().get(name);
    return named == null
        ? PALETTE.get(index % PALETTE.size())
        : NAMED.getOrDefault(named, PALETTE.get(index % PALETTE.size()));
  }
}
