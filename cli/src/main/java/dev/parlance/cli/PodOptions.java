package dev.parlance.cli;

import dev.parlance.client.SidecarClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How to reach the admin API of a sidecar in a pod: through the API server, with {@code kubectl}.
 */
public final class PodOptions {
  private static final int ADMIN_PORT = 15000;
  private static final String NAME = "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";
  private static final Pattern POD = Pattern.compile("(" + NAME + ")/(" + NAME + ")");
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{20,128}");

  @Option(
      names = "--pod",
      paramLabel = "NAMESPACE/NAME",
      description = {
        "a sidecar in a pod instead of a data folder; needs kubectl and the right to",
        "create pods/portforward, and pods/exec where there is no --token-file"
      })
  Optional<String> pod = Optional.empty();

  @Mixin KubectlOptions kubectl = new KubectlOptions();

  /** True if a pod is named. */
  public boolean isGiven() {
    return pod.isPresent();
  }

  /** The options as they were given, to be repeated in a command that is suggested. */
  String asArguments() {
    var arguments = new StringBuilder();
    pod.ifPresent(name -> arguments.append(" --pod ").append(name));
    kubectl.context.ifPresent(name -> arguments.append(" --context ").append(name));
    kubectl.kubeconfig.ifPresent(file -> arguments.append(" --kubeconfig ").append(file));
    return arguments.toString();
  }

  /**
   * A client of the pod's admin port, which is forwarded until the client is closed.
   *
   * @param tokenFile the admin token; if empty it is read in the pod
   * @throws CommandProblem with what stands against it
   */
  public SidecarClient client(Optional<Path> tokenFile) throws IOException {
    Matcher name = POD.matcher(pod.orElseThrow());
    if (!name.matches()) {
      throw CommandProblem.usage(
          "--pod: expected NAMESPACE/NAME, got " + TerminalEscaper.shortened(pod.get(), 80));
    }
    String namespace = name.group(1);
    String token =
        tokenFile.isPresent()
            ? Files.readString(tokenFile.get(), StandardCharsets.UTF_8).strip()
            : token(namespace, name.group(3));
    PodForward open = PodForward.open(kubectl(), namespace, name.group(3), ADMIN_PORT);
    return new SidecarClient(
        new SidecarClient.Address(URI.create("http://127.0.0.1:" + open.port()), token),
        Json.MAPPER,
        open::close);
  }

  private List<String> kubectl() {
    List<String> words = new ArrayList<>(List.of(kubectl.program));
    kubectl.context.ifPresent(one -> words.add("--context=" + one));
    kubectl.kubeconfig.ifPresent(one -> words.add("--kubeconfig=" + one));
    return words;
  }

  /** The image has no shell, and its Java is there: a moment's second one prints the file. */
  private String token(String namespace, String name) throws IOException {
    List<String> command = kubectl();
    command.addAll(
        List.of(
            "exec",
            "--namespace=" + namespace,
            "--container=parlance-sidecar",
            name,
            "--",
            "/opt/java/bin/java",
            "-Xmx8m",
            "@/opt/parlance/cli.args",
            "config",
            "admin-token",
            "--data-dir=/var/lib/parlance"));
    Process exec = new ProcessBuilder(command).start();
    String last = "";
    String error;
    try (BufferedReader out = exec.inputReader(StandardCharsets.UTF_8);
        BufferedReader err = exec.errorReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = line.strip();
      }
      error = err.lines().reduce("", (_, line) -> line);
    }
    if (!TOKEN.matcher(last).matches()) {
      throw CommandProblem.failed(
          "the admin token cannot be read in the pod (%s); name a file that holds it with --token-file"
              .formatted(error.isEmpty() ? "kubectl exec printed none" : error));
    }
    return last;
  }
}
