package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;
import dev.parlance.service.config.Binder.Inline;
import dev.parlance.service.config.HostPort;
import java.util.List;
import java.util.Optional;

/**
 * A probe of the local agent that the health listener makes in the kubelet's stead, so that it does
 * not go through the sidecar's own listeners.
 *
 * @param name last part of its path below {@code /probe/}, {@link #NAME}
 * @param host address of the agent
 * @param port port of the agent, 1-65535
 * @param check what is asked
 * @param timeoutMs longest wait for the agent, 1 or more
 */
public record Probe(String name, String host, int port, @Inline Check check, int timeoutMs) {
  /** Where the kubelet would ask: the pod's address, where the injector has told it. */
  public static final String HOST =
      Optional.ofNullable(System.getenv("PARLANCE_POD_IP"))
          .filter(address -> !address.isEmpty())
          .orElse("127.0.0.1");

  static final String NAME = "[a-z0-9]([a-z0-9-]{0,98}[a-z0-9])?";

  /** What is asked of the agent. */
  public sealed interface Check {
    /**
     * A GET that has to be answered with a status from 200 to 399; redirections are not followed.
     *
     * @param scheme with or without TLS
     * @param path the target, beginning with a slash
     * @param headers fields beside ours
     */
    record Http(Scheme scheme, String path, List<Header> headers) implements Check {
      /** Refuses a target that is no path. */
      public Http {
        headers = List.copyOf(headers);
        if (!path.startsWith("/")) {
          throw new IllegalArgumentException("expected a path, got " + path);
        }
      }
    }

    /** A connection that is accepted. */
    record Tcp() implements Check {}

    /**
     * {@code grpc.health.v1.Health/Check} that has to say SERVING.
     *
     * @param service the service; empty for the whole server
     */
    record Grpc(String service) implements Check {}
  }

  /** With or without TLS. */
  public enum Scheme implements Coded {
    /** Without. */
    HTTP,
    /** With, whatever the certificate. */
    HTTPS
  }

  /**
   * One field of a request.
   *
   * @param name its name
   * @param value its value
   */
  public record Header(String name, String value) {}

  /** Refuses what cannot be asked. */
  public Probe {
    if (!name.matches(NAME) || host.isEmpty() || port < 1 || port > 65_535 || timeoutMs < 1) {
      throw new IllegalArgumentException(
          "expected a name, an address and a time, got %s, %s:%d, %d ms"
              .formatted(name, host, port, timeoutMs));
    }
  }

  /** {@code host:port}, IPv6 in brackets. */
  public String address() {
    return HostPort.format(host, port);
  }
}
