package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Texts, each once, in the order in which they came. */
public final class DistinctTexts {
  /** As many texts are compared one by one. */
  private static final int FEW = 8;

  private final List<Utf8Span> texts = new ArrayList<>(1);

  // Spans can be ordered, so the table stays fast among colliding hashes.
  private Set<Utf8Span> index = Set.of();

  /** True if this text has been added. */
  public boolean contains(Utf8Span text) {
    return index.isEmpty() ? texts.contains(text) : index.contains(text);
  }

  /** Adds a text; false, and no change, if it is there already. */
  public boolean add(Utf8Span text) {
    if (contains(text)) {
      return false;
    }
    texts.add(text);
    if (!index.isEmpty()) {
      index.add(text);
    } else if (texts.size() > FEW) {
      index = new HashSet<>(texts);
    }
    return true;
  }

  /** All of them. */
  public List<Utf8Span> inOrder() {
    return texts;
  }
}
