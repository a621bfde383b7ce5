package dev.parlance.encoder.train;

import java.util.List;

/**
 * Something named in a claim.
 *
 * @param words words for it in the singular, with article; the first is the common one
 * @param plural without article; empty for someone
 */
record Noun(List<String> words, String plural) {
  Noun {
    words = List.copyOf(words);
  }
}
