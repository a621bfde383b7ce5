package dev.parlance.proxy.wire;

import dev.parlance.policy.text.Utf8Span;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a model says, however it comes: in pieces that belong together, whole, or both (an event
 * that repeats at the end what its deltas said). Each text has a place; the text of all places in
 * their order is the same for a stream and for the whole answer.
 *
 * <p>A whole text that begins with what was heard at its place adds only the rest; one that differs
 * is a second text, and both are read.
 */
final class Spoken {
  /** What becomes of a text. */
  enum Tier {
    /** It is the answer. */
    ANSWER,
    /** It stands beside the answer and is judged with it. */
    SIDE,
    /** It is read for terms only: arguments of tool calls, what was found by a search. */
    BESIDE
  }

  /**
   * Where a text stands.
   *
   * @param major number of the choice or output item; -1 outside all
   * @param minor number of the part in it
   * @param path name of the text in the part
   */
  record Place(Tier tier, int major, int minor, String path) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::tier)
            .thenComparingInt(Place::major)
            .thenComparingInt(Place::minor)
            .thenComparing(Place::path);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }

    Place other() {
      return new Place(tier == Tier.ANSWER ? Tier.SIDE : tier, major, minor, path + "~");
    }
  }

  /** A text under way; its digest outlives what {@link #forget} drops. */
  private static final class Text {
    private final MessageDigest digest = sha256();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    private int heard;

    void add(byte[] from, int offset, int length) {
      bytes.write(from, offset, length);
      digest.update(from, offset, length);
      heard += length;
    }

    /** True if a text begins with all that was heard here. */
    boolean begins(Utf8Span whole) {
      if (whole.length() < heard) {
        return false;
      }
      MessageDigest head = sha256();
      head.update(whole.array(), whole.arrayOffset(), heard);
      try {
        byte[] mine = ((MessageDigest) digest.clone()).digest();
        return Arrays.equals(head.digest(), mine);
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException("SHA-256 that cannot be copied", e);
      }
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }
  }

  private final Map<Place, Text> texts = new TreeMap<>();
  private int bytes;

  /** The next piece of a text. */
  void append(Place place, Utf8Span piece) {
    if (!piece.isEmpty()) {
      Text text = texts.computeIfAbsent(place, _ -> new Text());
      text.add(piece.array(), piece.arrayOffset(), piece.length());
      bytes += piece.length();
    }
  }

  /** All of a text, of which some may have been heard. */
  void whole(Place place, Utf8Span whole) {
    if (whole.isEmpty()) {
      return;
    }
    Text text = texts.computeIfAbsent(place, _ -> new Text());
    if (text.begins(whole)) {
      int rest = whole.length() - text.heard;
      text.add(whole.array(), whole.arrayOffset() + text.heard, rest);
      bytes += rest;
    } else {
      Text other = texts.computeIfAbsent(place.other(), _ -> new Text());
      if (!other.begins(whole) || other.heard != whole.length()) {
        other.add(new byte[] {'\n'}, 0, other.heard == 0 ? 0 : 1);
        append(place.other(), whole);
      }
    }
  }

  /** The texts of a tier, in order. */
  List<Utf8Span> of(Tier tier) {
    List<Utf8Span> found = new ArrayList<>();
    texts.forEach((place, text) -> {
      if (place.tier() == tier && text.bytes.size() > 0) {
        found.add(Utf8Span.of(text.bytes.toByteArray()));
      }
    });
    return found;
  }

  /** Bytes of all texts. */
  int bytes() {
    return bytes;
  }

  /** Drops the texts; where they stood and what they began with stays known. */
  void forget() {
    texts.values().forEach(text -> text.bytes.reset());
    bytes = 0;
  }
}
