package dev.parlance.encoder.train;

import java.util.List;

/**
 * What is done.
 *
 * @param words verbs that say the same
 * @param opposites verbs that say the opposite; may be empty
 * @param learned true if the trainer sees these verbs
 */
record Deed(List<Verb> words, List<Verb> opposites, boolean learned) {
  Deed {
    words = List.copyOf(words);
    opposites = List.copyOf(opposites);
  }
}
