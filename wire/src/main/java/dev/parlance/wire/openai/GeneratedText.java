package dev.parlance.wire.openai;

import dev.parlance.policy.text.Sha256;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.TextAccumulator;
import dev.parlance.wire.json.DataNames;
import dev.parlance.wire.json.JsonDocument;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The text of a model's answer, put together however it comes: in pieces that belong together,
 * whole, or both (an event that repeats at the end what its deltas said). Each text has a place;
 * the text of all places in their order is the same for a stream and for the whole answer.
 *
 * <p>A whole text that was heard at its place piece by piece adds nothing; one that differs, if
 * only by going on, is a second text, and both are read: some clients show the pieces, others the
 * whole. Pieces behind a whole text are read with it and without it, for the same reason.
 */
final class GeneratedText {
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
      return aside("~");
    }

    private Place aside(String mark) {
      return new Place(tier == Tier.ANSWER ? Tier.SIDE : tier, major, minor, path + mark);
    }

    private boolean isBefore(Place that) {
      return major < that.major || (major == that.major && minor < that.minor);
    }
  }

  /** A text under way; its digest outlives what {@link #forget} drops. */
  private static final class Text {
    private final MessageDigest digest = Sha256.digest();
    private TextAccumulator kept;
    private int heard;
    private boolean beganWhole;

    Text(TextAccumulator empty) {
      this.kept = empty;
    }

    void add(Utf8Span piece, boolean detached) {
      kept.run(detached ? piece.detached() : piece);
      digest.update(piece.array(), piece.arrayOffset(), piece.length());
      heard += piece.length();
    }

    /** True if a text is all that was heard here. */
    boolean is(Utf8Span whole) {
      if (whole.length() != heard) {
        return false;
      }
      MessageDigest head = Sha256.digest();
      head.update(whole.array(), whole.arrayOffset(), heard);
      try {
        byte[] mine = ((MessageDigest) digest.clone()).digest();
        return Arrays.equals(head.digest(), mine);
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException("SHA-256 that cannot be copied", e);
      }
    }
  }

  private static final Utf8Span LINE_FEED = Utf8Span.of("\n");

  private final DataNames names = new DataNames();
  private final Map<Place, Text> texts = new TreeMap<>();
  private final Map<String, Place> latest = new HashMap<>();
  private final boolean detached;
  private final Arena memory;
  private int bytes;
  private boolean returned;

  /** Nothing yet, of an answer that comes in events, which this outlives. */
  GeneratedText() {
    this(true, Arena.unpooled());
  }

  private GeneratedText(boolean detached, Arena memory) {
    this.detached = detached;
    this.memory = memory;
  }

  /** Nothing yet, of the answer in one body. */
  static GeneratedText of(JsonDocument json) {
    return new GeneratedText(false, json.memory());
  }

  private Text at(Place place) {
    return texts.computeIfAbsent(place, _ -> new Text(new TextAccumulator(memory)));
  }

  /** The next piece of a text. */
  void append(Place place, Utf8Span piece) {
    if (piece.isEmpty()) {
      return;
    }
    Text text = at(place);
    add(text, piece);
    if (text.beganWhole) {
      add(at(place.aside("^")), piece);
    }
    if (place.tier() == Tier.ANSWER) {
      Place before = latest.put(place.path(), place);
      returned |= before != null && place.isBefore(before);
    }
  }

  private void add(Text text, Utf8Span piece) {
    text.add(piece, detached);
    bytes += piece.length();
  }

  /**
   * True if pieces of the answer went on where another text of it had begun behind them: one reader
   * shows them in the order in which they come, another one each text by itself.
   */
  boolean hasReturned() {
    return returned;
  }

  /** All of a text, of which some may have been heard. */
  void whole(Place place, Utf8Span whole) {
    if (whole.isEmpty()) {
      return;
    }
    Text text = at(place);
    if (text.heard == 0) {
      text.beganWhole = true;
      add(text, whole);
    } else if (!text.is(whole)) {
      Text other = at(place.other());
      if (!other.is(whole)) {
        if (other.heard > 0) {
          other.add(LINE_FEED, detached);
        }
        add(other, whole);
      }
    }
  }

  /** The texts of a tier, in order. */
  List<Utf8Span> of(Tier tier) {
    List<Utf8Span> found = new ArrayList<>();
    texts.forEach((place, text) -> {
      if (place.tier() == tier && text.kept.length() > 0) {
        found.add(text.kept.text());
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
    texts.values().forEach(text -> text.kept = new TextAccumulator(memory));
    bytes = 0;
  }

  /** Adds a member name, and is true if all of them say more than names do. */
  boolean hasWordyNames(Utf8Span name) {
    names.add(name);
    return names.exceeded();
  }
}
