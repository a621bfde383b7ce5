package dev.parlance.control.console;

import dev.parlance.console.ConsoleServer;
import dev.parlance.console.source.AgentSource;
import dev.parlance.console.source.AnnouncedSidecar;
import dev.parlance.console.source.RecordSource;
import dev.parlance.console.source.SidecarGroup;
import dev.parlance.control.config.ConsoleConfig;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.publish.AttachHub;
import dev.parlance.control.publish.SidecarDirectory.Seat;
import dev.parlance.service.Lifecycle;
import dev.parlance.service.identity.ReloadedSslContext;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The console of a replica: pages about the sidecars that are attached to it, and its records. */
public final class MeshConsole implements AutoCloseable {
  private final Lifecycle parts = new Lifecycle(() -> {});
  private final Optional<URI> url;
  private final ConsoleServer server;

  private MeshConsole(
      ConsoleConfig config,
      String version,
      Optional<TlsFiles> tls,
      AttachHub hub,
      RecordSource records)
      throws IOException {
    url = config.url();
    Members members = new Members(hub);
    server =
        parts.open(() -> {
          SidecarGroup group = parts.keep(new SidecarGroup(members::all));
          Optional<ReloadedSslContext> context = Optional.empty();
          if (tls.isPresent() && config.issuer().isPresent()) {
            context =
                Optional.of(
                    parts.keep(
                        ReloadedSslContext.open(
                            tls.get().cert(),
                            tls.get().key(),
                            Optional.empty(),
                            TlsFiles.LOOK_MS,
                            (builder, _) -> builder)));
          }
          return parts.keep(
              ConsoleServer.start(
                  config.settings(version, context.map(now -> () -> Optional.of(now))),
                  group,
                  Optional.of(records)));
        });
  }

  /**
   * Serves it.
   *
   * @param tls the certificate of the replica's listeners; used where people log in at an issuer
   * @param hub whose sidecars are shown
   * @param records what the control plane keeps
   * @throws IOException if it cannot listen, or a TLS file cannot be used
   */
  public static MeshConsole start(
      ConsoleConfig config,
      String version,
      Optional<TlsFiles> tls,
      AttachHub hub,
      RecordSource records)
      throws IOException {
    return new MeshConsole(config, version, tls, hub, records);
  }

  /** Where people begin: a link that logs in who opens it first, or where they log in. */
  public URI opening() {
    return url.orElseGet(server::link);
  }

  @Override
  public void close() {
    parts.close();
  }

  /** The sidecars that the directory knows, each made once. */
  private static final class Members {
    private final AttachHub hub;
    private Map<Seat, AnnouncedSidecar> bySeat = Map.of();
    private SortedMap<String, AgentSource> byId = Collections.emptySortedMap();
    private long membership = -1;

    Members(AttachHub hub) {
      this.hub = hub;
    }

    synchronized SortedMap<String, AgentSource> all() {
      long now = hub.directory().membership();
      if (now != membership) {
        Map<Seat, AnnouncedSidecar> seats = new HashMap<>();
        SortedMap<String, AgentSource> ids = new TreeMap<>();
        for (Seat seat : hub.directory().seats()) {
          String id = SeatId.of(seat);
          AnnouncedSidecar one = bySeat.get(seat);
          if (one == null) {
            one =
                new AnnouncedSidecar(
                    id,
                    seat.agent(),
                    new Announced(hub.directory(), seat, id),
                    new MeshCalls(hub, seat));
          }
          seats.put(seat, one);
          ids.put(id, one);
        }
        bySeat = seats;
        byId = Collections.unmodifiableSortedMap(ids);
        membership = now;
      }
      return byId;
    }
  }
}
