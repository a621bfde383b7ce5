package dev.parlance.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** All files of the repository that are made from the chart and the schemas. */
final class GeneratedFiles {
  /** Files of values of which there is an overlay of plain manifests. */
  static final List<String> OVERLAYS = List.of("observe", "enforce", "ha");

  private static final String SCHEMA = "deploy/helm/parlance/values.schema.json";
  private static final String DOCS = "docs/";
  private static final String BASE = "deploy/k8s/base/";
  private static final String OVERLAY = "deploy/k8s/overlays/";

  /** What the example's scholar knows; kustomize takes no file from outside its folder. */
  private static final String LICENSE = "deploy/k8s/example/license.txt";

  private final Path repository;

  /**
   * Those of a repository.
   *
   * @param repository its top folder
   */
  GeneratedFiles(Path repository) {
    this.repository = repository;
  }

  private HelmChart chart() {
    return new HelmChart(repository.resolve("deploy/helm/parlance"));
  }

  /** The schema, which has to be there before the chart can be rendered under it. */
  private String schema() throws IOException {
    return Schemas.JSON
            .writerWithDefaultPrettyPrinter()
            .writeValueAsString(ValuesSchema.make(values()))
        + "\n";
  }

  private JsonNode values() throws IOException {
    return InstallManifests.readTree(Files.readString(chart().folder().resolve("values.yaml")));
  }

  /** Every file with what it should say. */
  Map<String, String> wanted() throws IOException {
    Map<String, String> files = new TreeMap<>();
    files.put(SCHEMA, schema());
    SettingsPages.make(values()).forEach((name, text) -> files.put(DOCS + name, text));
    files.put(LICENSE, Files.readString(repository.resolve("LICENSE")));
    List<KubeResource> base = rendered(RenderRequest.of());
    Kustomization.base(base).forEach((name, text) -> files.put(BASE + name, text));
    for (String overlay : OVERLAYS) {
      List<KubeResource> wanted = rendered(RenderRequest.of(chart().values(overlay)));
      Kustomization.overlay(base, wanted)
          .forEach((name, text) -> files.put(OVERLAY + overlay + "/" + name, text));
    }
    return files;
  }

  private List<KubeResource> rendered(RenderRequest request) {
    return switch (chart().render(request)) {
      case Rendering.Rendered done -> done.manifests();
      case Rendering.Refused(String problem) -> throw new IllegalStateException(problem);
    };
  }

  /** Every file that is there now. */
  Map<String, String> present() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    List<String> places = new ArrayList<>(List.of(SCHEMA, LICENSE, BASE, OVERLAY));
    SettingsPages.make(values()).keySet().forEach(name -> places.add(DOCS + name));
    for (String place : places) {
      Path root = repository.resolve(place);
      if (Files.exists(root)) {
        try (Stream<Path> tree = Files.walk(root)) {
          for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
            files.put(name(file), Files.readString(file));
          }
        }
      }
    }
    return files;
  }

  private String name(Path file) {
    return repository.relativize(file).toString().replace('\\', '/');
  }

  /** Writes what differs and deletes what should not be there. */
  void write() throws IOException {
    // First, because Helm checks values against it while the others are made.
    put(SCHEMA, schema());
    Map<String, String> wanted = wanted();
    for (String name : present().keySet()) {
      if (!wanted.containsKey(name)) {
        Files.delete(repository.resolve(name));
      }
    }
    for (Map.Entry<String, String> file : wanted.entrySet()) {
      put(file.getKey(), file.getValue());
    }
  }

  private void put(String name, String text) throws IOException {
    Path file = repository.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.writeString(file, text);
    }
  }
}
