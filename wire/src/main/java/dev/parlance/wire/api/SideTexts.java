package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.Texts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Joins texts beside the answer to the text that is judged, each once: what stands there already
 * word for word, what the asker said itself, ids of the evidence and what passed here before are
 * left out.
 *
 * <p>Looking for a text in the answer is bounded by {@value #MAX_COMPARED_BYTES} compared bytes for
 * one answer; past them everything is added, which judges more and never less.
 */
public final class SideTexts {
  private static final int MAX_COMPARED_BYTES = 1 << 24;

  private final Relayed relayed;
  private final Arena memory;

  // Spans can be ordered, so the table stays fast among colliding hashes.
  private final Set<Utf8Span> known = new HashSet<>();
  private long compared;

  /**
   * Nothing is known yet.
   *
   * @param memory for what is put together
   */
  public SideTexts(Relayed relayed, Arena memory) {
    this.relayed = relayed;
    this.memory = memory;
  }

  /** Texts that are no news. */
  public void know(Collection<Utf8Span> texts) {
    known.addAll(texts);
  }

  /** The answer and whatever of the others is not in it, joined by line feeds. */
  public Utf8Span join(List<Utf8Span> answer, List<Utf8Span> others) {
    Utf8Span main = Texts.join(answer, memory);
    List<Utf8Span> all = new ArrayList<>(answer);
    for (Utf8Span other : others) {
      if (!other.isEmpty()
          && !known.contains(other)
          && !relayed.knows(other)
          && !isIn(main, other)) {
        known.add(other);
        all.add(other);
      }
    }
    return all.size() == answer.size() ? main : Texts.join(all, memory);
  }

  private boolean isIn(Utf8Span text, Utf8Span part) {
    byte[] bytes = text.array();
    byte[] sought = part.array();
    int last = text.arrayOffset() + text.length() - part.length();
    for (int at = text.arrayOffset(); at <= last && compared < MAX_COMPARED_BYTES; at++) {
      int same = 0;
      while (same < part.length() && bytes[at + same] == sought[part.arrayOffset() + same]) {
        same++;
      }
      compared += same + 1;
      if (same == part.length()) {
        return true;
      }
    }
    return false;
  }
}
