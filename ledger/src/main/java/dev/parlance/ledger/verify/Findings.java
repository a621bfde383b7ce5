package dev.parlance.ledger.verify;

import dev.parlance.ledger.verify.VerifyReport.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects findings; bounded per file and in all, and says where it left some out. */
final class Findings {
  private static final int MAX_PER_FILE = 300;
  private static final int MAX_ALL = 10_000;

  private final List<Finding> all = new ArrayList<>();
  private final Map<String, Integer> perFile = new LinkedHashMap<>();
  private boolean full;

  void add(Finding.Kind kind, String path, long index, String expected, String found) {
    if (full) {
      return;
    }
    int count = perFile.merge(path, 1, Integer::sum);
    if (count < MAX_PER_FILE && all.size() < MAX_ALL) {
      all.add(new Finding(kind, path, index, expected, found));
    } else {
      full = all.size() >= MAX_ALL;
      if (full || count == MAX_PER_FILE) {
        all.add(
            new Finding(
                Finding.Kind.MORE, path, Finding.WHOLE_FILE, "nothing more", "more, left out"));
      }
    }
  }

  void add(Finding.Kind kind, String path, String expected, String found) {
    add(kind, path, Finding.WHOLE_FILE, expected, found);
  }

  boolean names(String path) {
    return perFile.containsKey(path);
  }

  List<Finding> list() {
    return all;
  }
}
