package dev.parlance.proxy.probe;

import dev.parlance.proxy.admin.AdminPorts;
import dev.parlance.proxy.admin.AdminPorts.ProbePort.ProbeResult;
import dev.parlance.proxy.config.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Makes the configured probes, each by one thread at a time: whoever else asks meanwhile gets the
 * same outcome, so that strangers who ask often cost the agent no more than the kubelet does.
 */
public final class AgentProbes implements AdminPorts.ProbePort {
  private final Supplier<List<Probe>> configured;
  private final GrpcCheck grpc;
  private final Map<Probe, CompletableFuture<ProbeResult>> underWay = new ConcurrentHashMap<>();

  /**
   * Probes as they are configured when they are asked for.
   *
   * @param grpc asks by gRPC
   */
  public AgentProbes(Supplier<List<Probe>> configured, GrpcCheck grpc) {
    this.configured = configured;
    this.grpc = grpc;
  }

  @Override
  public Optional<ProbeResult> probe(String name) {
    return configured.get().stream()
        .filter(probe -> probe.name().equals(name))
        .findFirst()
        .map(this::shared);
  }

  private ProbeResult shared(Probe probe) {
    CompletableFuture<ProbeResult> mine = new CompletableFuture<>();
    CompletableFuture<ProbeResult> before = underWay.putIfAbsent(probe, mine);
    if (before != null) {
      return before.join();
    }
    ProbeResult outcome = new ProbeResult(false, "the probe itself failed; see the sidecar's log");
    try {
      outcome = make(probe);
    } finally {
      underWay.remove(probe);
      mine.complete(outcome);
    }
    return outcome;
  }

  private ProbeResult make(Probe probe) {
    return switch (probe.check()) {
      case Probe.Check.Http http -> HttpCheck.make(probe, http);
      case Probe.Check.Tcp() -> TcpCheck.make(probe);
      case Probe.Check.Grpc(String service) -> grpc.make(probe, service);
    };
  }

  /** Connects, and that is all. */
  static final class TcpCheck {
    private TcpCheck() {}

    static ProbeResult make(Probe probe) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(probe.host(), probe.port()), probe.timeoutMs());
        return new ProbeResult(true, "connected");
      } catch (IOException e) {
        return new ProbeResult(false, "cannot connect: " + e.getMessage());
      }
    }
  }
}
