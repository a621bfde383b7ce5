package dev.parlance.deploy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import com.marcnuri.helm.jni.NativeLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The chart, rendered by Helm itself, which is linked into this process; no cluster is asked. */
public final class HelmChart {
  private final Path folder;

  /**
   * A chart in a folder.
   *
   * @param folder the one with Chart.yaml
   */
  public HelmChart(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** The folder. */
  public Path folder() {
    return folder;
  }

  /** The file of values that comes with the chart under this name: {@code ha}, {@code observe}. */
  public Path values(String profile) {
    return folder.resolve("values-" + profile + ".yaml");
  }

  /** Names of the files of values that come with the chart, in order. */
  public List<String> profiles() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith("values-") && name.endsWith(".yaml"))
          .map(name -> name.substring("values-".length(), name.length() - ".yaml".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Renders as {@code helm template} does. Where Helm is not linked in, as in the image, that is
   * refused in words.
   */
  public Rendering render(RenderRequest request) {
    if (!isHelmInside()) {
      return new Rendering.Refused(
          "there is no Helm for "
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + " in this installation; use `helm template` on the chart in deploy/helm/parlance");
    }
    TemplateCommand command = new Helm(folder).template();
    command
        .withName(request.release())
        .withNamespace(request.namespace())
        .withKubeVersion(request.kubeVersion());
    request.values().forEach(command::withValuesFile);
    for (RenderRequest.Setting setting : request.settings()) {
      set(command, setting);
    }
    try {
      String text = command.call();
      return new Rendering.Rendered(text, InstallManifests.read(text));
    } catch (IllegalStateException | IllegalArgumentException e) {
      return new Rendering.Refused(String.valueOf(e.getMessage()).strip());
    }
  }

  /**
   * Whether Helm's native code is on the class path. To be asked first: the library would fetch it
   * from the network, or take what lies in the folder for temporary files, and run it.
   */
  static boolean isHelmInside() {
    return ServiceLoader.load(NativeLibrary.class, Thread.currentThread().getContextClassLoader())
        .iterator()
        .hasNext();
  }

  /** Helm's own notation for lists, {@code {a,b}}, is taken apart here: the library quotes it. */
  private static void set(TemplateCommand command, RenderRequest.Setting setting) {
    String value = setting.value();
    if (!value.startsWith("{") || !value.endsWith("}")) {
      command.set(setting.key(), value);
      return;
    }
    String[] items = value.substring(1, value.length() - 1).split(",", -1);
    for (int i = 0; i < items.length; i++) {
      command.set(setting.key() + "[" + i + "]", items[i].strip());
    }
  }

  /** What {@code helm lint --strict} complains of, whether error or warning; empty if nothing. */
  List<String> lint() {
    if (!isHelmInside()) {
      return List.of("there is no Helm in this installation");
    }
    LintResult result = new Helm(folder).lint().strict().call();
    List<String> complaints =
        new ArrayList<>(
            result.getMessages().stream()
                .filter(message -> !message.startsWith("[INFO]"))
                .toList());
    if (result.isFailed() && complaints.isEmpty()) {
      complaints.add("helm lint failed without a word");
    }
    return complaints;
  }
}
