package dev.parlance.encoder.train;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of texts beside this class: lines under headings in square brackets; empty lines and lines
 * that begin with "#" are left out.
 *
 * @param lines by heading
 */
record Sections(Map<String, List<String>> lines) {
  /** Reads a file. */
  static Sections read(String name) throws IOException {
    try (InputStream in = Sections.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no file of texts \"" + name + "\"");
      }
      Map<String, List<String>> sections = new LinkedHashMap<>();
      List<String> open = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith("[") && line.endsWith("]")) {
          open = new ArrayList<>();
          sections.put(line.substring(1, line.length() - 1), open);
        } else if (!line.isBlank() && !line.startsWith("#")) {
          open.add(line.strip());
        }
      }
      return new Sections(sections);
    }
  }

  /** The lines under a heading; at least one. */
  List<String> under(String heading) {
    List<String> found = lines.getOrDefault(heading, List.of());
    if (found.isEmpty()) {
      throw new IllegalStateException("no lines under [" + heading + "]");
    }
    return found;
  }
}
