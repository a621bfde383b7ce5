package dev.parlance.control.publish;

import dev.parlance.control.publish.api.SidecarHello.PodName;
import dev.parlance.control.publish.api.SidecarReport.ConfigState;
import dev.parlance.service.event.SidecarEvents;
import java.util.Optional;

/** What one sidecar says of its configuration, and when somebody is to hear of it. */
final class ConfigEvents {
  private static final int MAX_REVISION = 64;
  private static final int MAX_REASON = 40;
  private static final int MAX_DETAIL = 512;

  private final SidecarEvents news;
  private final Optional<SidecarEvents.Place> place;
  private ConfigState last = ConfigState.UNSAID;

  ConfigEvents(SidecarEvents news, PodName pod) {
    this.news = news;
    this.place = SidecarEvents.Place.of(pod.namespace(), pod.name(), pod.uid());
  }

  /** As last said, every text bounded and fit to be shown. */
  ConfigState last() {
    return last;
  }

  /** {@code NAMESPACE/NAME}; empty outside of Kubernetes. */
  String pod() {
    return place.map(at -> at.namespace() + "/" + at.pod()).orElse("");
  }

  /** The sidecar has said how it stands; tells whoever listens if that is news. */
  void said(ConfigState status) {
    ConfigState before = last;
    last =
        new ConfigState(
            shown(status.revision(), MAX_REVISION),
            shown(status.refusedReason(), MAX_REASON),
            shown(status.refusedDetail(), MAX_DETAIL));
    if (place.isEmpty()) {
      return;
    }
    if (last.isRefused()) {
      if (!last.refusedDetail().equals(before.refusedDetail()) || !before.isRefused()) {
        news.configRefused(place.get(), last.refusedReason(), last.refusedDetail());
      }
    } else if (before.isRefused()) {
      news.configInForce(place.get(), last.revision());
    }
  }

  private static String shown(String text, int most) {
    String cut = text.length() > most ? text.substring(0, most) : text;
    return cut.replaceAll("\\p{C}", "?");
  }
}
