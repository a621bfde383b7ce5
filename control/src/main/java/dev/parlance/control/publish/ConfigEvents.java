package dev.parlance.control.publish;

import dev.parlance.proto.v1.ConfigStatus;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.Pod;
import java.util.Optional;

/** What one sidecar says of its configuration, and when somebody is to hear of it. */
final class ConfigEvents {
  private static final int MAX_REVISION = 64;
  private static final int MAX_REASON = 40;
  private static final int MAX_DETAIL = 512;

  private final SidecarEvents news;
  private final Optional<SidecarEvents.Place> place;
  private ConfigStatus last = ConfigStatus.getDefaultInstance();

  ConfigEvents(SidecarEvents news, Hello hello) {
    this.news = news;
    Pod pod = hello.getPod();
    boolean isPlace =
        hello.hasPod()
            && SidecarEvents.Place.isPlace(pod.getNamespace(), pod.getName(), pod.getUid());
    this.place =
        isPlace
            ? Optional.of(new SidecarEvents.Place(pod.getNamespace(), pod.getName(), pod.getUid()))
            : Optional.empty();
  }

  /** As last said, every text bounded and fit to be shown. */
  ConfigStatus last() {
    return last;
  }

  /** {@code NAMESPACE/NAME}; empty outside of Kubernetes. */
  String pod() {
    return place.map(at -> at.namespace() + "/" + at.pod()).orElse("");
  }

  /** The sidecar has said how it stands; tells whoever listens if that is news. */
  void said(ConfigStatus status) {
    ConfigStatus before = last;
    last =
        ConfigStatus.newBuilder()
            .setRevision(shown(status.getRevision(), MAX_REVISION))
            .setRefusals(status.getRefusals())
            .setRefusedReason(shown(status.getRefusedReason(), MAX_REASON))
            .setRefusedDetail(shown(status.getRefusedDetail(), MAX_DETAIL))
            .build();
    if (place.isEmpty()) {
      return;
    }
    if (isRefused(last)) {
      if (!last.getRefusedDetail().equals(before.getRefusedDetail()) || !isRefused(before)) {
        news.configRefused(place.get(), last.getRefusedReason(), last.getRefusedDetail());
      }
    } else if (isRefused(before)) {
      news.configInForce(place.get(), last.getRevision());
    }
  }

  private static boolean isRefused(ConfigStatus status) {
    return !status.getRefusedReason().isEmpty();
  }

  private static String shown(String text, int most) {
    String cut = text.length() > most ? text.substring(0, most) : text;
    return cut.replaceAll("\\p{C}", "?");
  }
}
