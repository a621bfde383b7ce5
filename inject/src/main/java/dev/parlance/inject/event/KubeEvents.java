package dev.parlance.inject.event;

import dev.parlance.inject.kube.KubeAccess;
import dev.parlance.inject.kube.KubeClient;
import dev.parlance.inject.kube.KubeClient.KubeAnswer;
import dev.parlance.inject.kube.KubeClient.KubeEvent;
import dev.parlance.service.event.SidecarEvents;
import java.time.Clock;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events about pods whose sidecar has refused its configuration, where {@code kubectl
 * describe pod} shows them. A replica outside of a cluster, or without the right to create events,
 * goes on without.
 *
 * <p>A thread of its own, at most {@value #WAITING} events that wait and one about each pod in
 * {@value #PAUSE_MS} ms: sidecars that flap, or lie, do not flood the API server.
 */
public final class KubeEvents implements SidecarEvents {
  private static final Logger log = LoggerFactory.getLogger(KubeEvents.class);
  private static final int WAITING = 100;
  private static final long PAUSE_MS = 10_000;
  private static final int REMEMBERED = 10_000;
  private static final String COMPONENT = "parlance-control";

  private final Api api;
  private final InstantSource clock;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          0,
          1,
          30,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          Thread.ofPlatform().daemon().name("control-events").factory(),
          (_, _) -> log.atWarn().log("too many events wait for the API server; one is left out"));

  private final Map<Place, Long> lastMs =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Where events are written. */
  interface Api extends AutoCloseable {
    /** Writes one; may wait. */
    KubeAnswer write(KubeEvent event);

    @Override
    void close();
  }

  KubeEvents(Api api, InstantSource clock) {
    this.api = api;
    this.clock = clock;
  }

  /** Finds the API server of the cluster that this process runs in. */
  public static final class Provider implements SidecarEvents.Provider {
    @Override
    public Optional<SidecarEvents> inCluster() {
      return KubeAccess.inCluster(System.getenv(), KubeAccess.FOLDER)
          .map(access ->
              new KubeEvents(
                  new InCluster(new KubeClient(access, Clock.systemUTC())),
                  InstantSource.system()));
    }
  }

  private record InCluster(KubeClient client) implements Api {
    @Override
    public KubeAnswer write(KubeEvent event) {
      return client.createEvent(event);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @Override
  public void configRefused(Place place, String reason, String detail) {
    tell(
        place,
        KubeEvent.Type.Warning,
        "ConfigRefused",
        "The Parlance sidecar goes on with its configuration from before; the new one is refused ("
            + reason
            + "): "
            + detail);
  }

  @Override
  public void configInForce(Place place, String revision) {
    tell(
        place,
        KubeEvent.Type.Normal,
        "ConfigInForce",
        "The Parlance sidecar has configuration " + revision + " in force");
  }

  private void tell(Place place, KubeEvent.Type type, String reason, String message) {
    if (type == KubeEvent.Type.Warning && !isDue(place)) {
      return;
    }
    KubeEvent event =
        new KubeEvent(
            place.namespace(),
            new KubeEvent.About("v1", "Pod", place.pod(), place.uid()),
            type,
            reason,
            message,
            COMPONENT);
    thread.execute(() -> write(event));
  }

  private boolean isDue(Place place) {
    long nowMs = clock.millis();
    synchronized (lastMs) {
      Long before = lastMs.get(place);
      if (before != null && nowMs - before < PAUSE_MS) {
        return false;
      }
      lastMs.put(place, nowMs);
      return true;
    }
  }

  private void write(KubeEvent event) {
    switch (api.write(event)) {
      case KubeAnswer.Done _ -> log.atDebug().addKeyValue("pod", event.about().name()).log("event");
      case KubeAnswer.NotFound _, KubeAnswer.Conflict _ ->
          log.atWarn().addKeyValue("namespace", event.namespace()).log("no event: no namespace");
      case KubeAnswer.Refused(int status, String message) ->
          log.atWarn()
              .addKeyValue("namespace", event.namespace())
              .addKeyValue("status", status)
              .addKeyValue("message", message)
              .log("no event: the API server refuses it");
      case KubeAnswer.Unreachable(String message) ->
          log.atWarn().addKeyValue("message", message).log("no event: no API server");
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    api.close();
  }
}
