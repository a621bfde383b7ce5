package dev.parlance.service.event;

import java.util.Optional;
import java.util.ServiceLoader;

/** Hears what whoever looks after a pod should know of its sidecar. Must not wait. */
public interface SidecarEvents extends AutoCloseable {
  /** Tells nobody. */
  SidecarEvents NOBODY =
      new SidecarEvents() {
        @Override
        public void configRefused(Place place, String reason, String detail) {
          // nobody listens
        }

        @Override
        public void configInForce(Place place, String revision) {
          // nobody listens
        }
      };

  /**
   * A pod, as its sidecar says; nobody has checked that it is there.
   *
   * @param namespace a DNS label
   * @param pod a DNS subdomain
   * @param uid empty if unknown
   */
  record Place(String namespace, String pod, String uid) {
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final String SUBDOMAIN = "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";
    private static final String UID = "[0-9a-f-]{0,36}";

    /** Refuses what could be something else in a path. */
    public Place {
      if (!isPlace(namespace, pod, uid)) {
        throw new IllegalArgumentException("no pod: " + namespace + "/" + pod);
      }
    }

    /** The pod of that name; empty if that cannot be one. */
    public static Optional<Place> of(String namespace, String pod, String uid) {
      return isPlace(namespace, pod, uid)
          ? Optional.of(new Place(namespace, pod, uid))
          : Optional.empty();
    }

    private static boolean isPlace(String namespace, String pod, String uid) {
      return namespace.matches(LABEL) && pod.matches(SUBDOMAIN) && uid.matches(UID);
    }
  }

  /**
   * A sidecar has refused its file and goes on with the one before.
   *
   * @param reason stable code
   * @param detail line, column and what is wrong; at most 512 characters, without control
   *     characters
   */
  void configRefused(Place place, String reason, String detail);

  /** A sidecar that had refused its file has a good one in force. */
  void configInForce(Place place, String revision);

  /** Lets go of what it tells people by. */
  @Override
  default void close() {}

  /**
   * Finds who tells people about the pods of this process's cluster; a service on the class path.
   */
  interface Provider {
    /** Whoever tells people; empty outside of a cluster. */
    Optional<SidecarEvents> inCluster();
  }

  /** Whoever tells people about pods, where this process runs in a cluster; else nobody. */
  static SidecarEvents here() {
    return ServiceLoader.load(Provider.class).stream()
        .flatMap(found -> found.get().inCluster().stream())
        .findFirst()
        .orElse(NOBODY);
  }
}
