package dev.parlance.service.identity;

import java.util.List;
import java.util.Optional;

/**
 * A pattern for SPIFFE ids. The trust domain is exact. A segment of the path is exact, or ends in
 * {@code *}, which stands for any rest of this segment; {@code **} as the last segment stands for
 * one or more segments. {@code *} alone is every id of every domain that is believed.
 */
public final class SpiffePattern {
  private static final String REST = "**";
  private static final String ANY = "*";

  private final String text;
  private final Optional<String> trustDomain;
  private final List<String> segments;

  private SpiffePattern(String text, Optional<String> trustDomain, List<String> segments) {
    this.text = text;
    this.trustDomain = trustDomain;
    this.segments = segments;
  }

  /** Reads a pattern; empty if it is none. */
  public static Optional<SpiffePattern> parse(String text) {
    if (text.equals(ANY)) {
      return Optional.of(new SpiffePattern(text, Optional.empty(), List.of()));
    }
    if (text.length() > SpiffeId.MAX_CHARS || !text.startsWith(SpiffeId.SCHEME)) {
      return Optional.empty();
    }
    List<String> parts = segments(text.substring(SpiffeId.SCHEME.length()));
    List<String> path = parts.subList(1, parts.size());
    for (int i = 0; i < path.size(); i++) {
      String segment = path.get(i);
      boolean isRest = segment.equals(REST) && i == path.size() - 1;
      String literal = segment.endsWith(ANY) ? segment.substring(0, segment.length() - 1) : segment;
      if (!isRest && !segment.equals(ANY) && !SpiffeId.isSegment(literal)) {
        return Optional.empty();
      }
    }
    return SpiffeId.isTrustDomain(parts.getFirst()) && !path.isEmpty()
        ? Optional.of(new SpiffePattern(text, Optional.of(parts.getFirst()), List.copyOf(path)))
        : Optional.empty();
  }

  /** True for this id. */
  public boolean matches(SpiffeId id) {
    if (trustDomain.isEmpty()) {
      return true;
    }
    if (!trustDomain.get().equals(id.trustDomain()) || id.path().isEmpty()) {
      return false;
    }
    List<String> path = segments(id.path().substring(1));
    boolean open = segments.getLast().equals(REST);
    int fixed = open ? segments.size() - 1 : segments.size();
    if (open ? path.size() < segments.size() : path.size() != fixed) {
      return false;
    }
    for (int i = 0; i < fixed; i++) {
      String segment = segments.get(i);
      boolean same =
          segment.endsWith(ANY)
              ? path.get(i).startsWith(segment.substring(0, segment.length() - 1))
              : path.get(i).equals(segment);
      if (!same) {
        return false;
      }
    }
    return true;
  }

  private static List<String> segments(String path) {
    return List.of(path.split("/", -1));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SpiffePattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The pattern as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
