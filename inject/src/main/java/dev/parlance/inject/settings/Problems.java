package dev.parlance.inject.settings;

import java.util.ArrayList;
import java.util.List;

/** Everything that is wrong with one file. */
final class Problems {
  private final List<String> found = new ArrayList<>();

  void add(String path, String message) {
    found.add((path.isEmpty() ? "" : path + ": ") + message);
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  List<String> all() {
    return List.copyOf(found);
  }
}
