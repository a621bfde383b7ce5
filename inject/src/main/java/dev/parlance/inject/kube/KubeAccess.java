package dev.parlance.inject.kube;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where the API server is and who asks it.
 *
 * @param server its address, {@code https://host:port}
 * @param ca PEM file of the authorities that may vouch for it
 * @param token file with the bearer token; read again at each request, because it is rotated
 * @param namespace namespace of this pod
 */
public record KubeAccess(URI server, Path ca, Path token, String namespace) {
  /** Where Kubernetes puts a pod's credentials. */
  public static final Path FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /** Refuses a server without TLS: the token would be anybody's. */
  public KubeAccess {
    if (!"https".equals(server.getScheme()) || server.getHost() == null) {
      throw new IllegalArgumentException("expected https://host:port, got " + server);
    }
    if (namespace.isEmpty()) {
      throw new IllegalArgumentException("expected a namespace");
    }
  }

  /**
   * What a pod is told by its environment and its service account's folder.
   *
   * @param env environment of the process
   * @param folder {@link #FOLDER}, but in tests
   * @return empty if this process runs in no pod, or in one without a token
   */
  public static Optional<KubeAccess> inCluster(Map<String, String> env, Path folder) {
    String host = env.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = env.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    Path token = folder.resolve("token");
    Path ca = folder.resolve("ca.crt");
    if (host.isEmpty() || !port.matches("[0-9]{1,5}") || !Files.isReadable(token)) {
      return Optional.empty();
    }
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    try {
      String namespace = Files.readString(folder.resolve("namespace")).strip();
      return namespace.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new KubeAccess(URI.create("https://" + shown + ":" + port), ca, token, namespace));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
