package dev.parlance.cli.review;

import dev.parlance.cli.AdminClient;
import dev.parlance.cli.Json;
import dev.parlance.cli.LineReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Decision log files, read while a sidecar may be writing them: a torn or foreign line is passed
 * over.
 */
final class DecisionFiles {
  private static final Pattern NAME = Pattern.compile("decisions(?:-(\\d{1,9}))?\\.jsonl");
  private static final int LINE_BYTES_MAX = 1 << 20;
  private static final int RELATED_MAX = 200;

  /**
   * A decision and what the log says about it later.
   *
   * @param decision the line of the decision
   * @param related later lines that name it or its held message: repairs, people's acts, decisions;
   *     oldest first
   */
  record Found(String decision, List<String> related) {
    /** Copies the list. */
    Found {
      related = List.copyOf(related);
    }
  }

  private final List<Path> oldestFirst;

  private DecisionFiles(List<Path> oldestFirst) {
    this.oldestFirst = oldestFirst;
  }

  /** One file. */
  static DecisionFiles of(Path file) {
    return new DecisionFiles(List.of(file));
  }

  /** The files of a data folder: in it, or in one folder below. */
  static DecisionFiles in(Path dataDir) throws IOException {
    try (Stream<Path> paths = Files.walk(dataDir, 2)) {
      return new DecisionFiles(
          paths
              .filter(path -> NAME.matcher(path.getFileName().toString()).matches())
              .sorted(Comparator.comparingInt(DecisionFiles::age).reversed())
              .toList());
    }
  }

  private static int age(Path file) {
    Matcher name = NAME.matcher(file.getFileName().toString());
    return name.matches() && name.group(1) != null ? Integer.parseInt(name.group(1)) : 0;
  }

  boolean isEmpty() {
    return oldestFirst.isEmpty();
  }

  /**
   * The decision with this id, or the one by which the message with this id in the review queue was
   * held. Later decisions about the same held message, such as its delivery, are among the related.
   */
  Optional<Found> find(String id) throws IOException {
    Optional<String> decision = Optional.empty();
    Set<String> ids = new HashSet<>();
    List<String> related = new ArrayList<>();
    for (Path file : oldestFirst) {
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
        var lines = new LineReader(in, LINE_BYTES_MAX, () -> {});
        LineReader.Line line = lines.next();
        while (!(line instanceof LineReader.Line.End)) {
          if (line instanceof LineReader.Line.Whole(byte[] bytes)) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (text.contains(id) || ids.stream().anyMatch(text::contains)) {
              Optional<JsonNode> entry = parse(text);
              if (entry.isPresent() && isDecision(entry.get(), id, decision.isEmpty())) {
                decision = Optional.of(text);
                ids = idsOf(entry.get());
                related.clear();
              } else if (entry.isPresent()
                  && related.size() < RELATED_MAX
                  && isAbout(entry.get(), ids)) {
                related.add(text);
              }
            }
          }
          line = lines.next();
        }
      }
    }
    return decision.map(text -> new Found(text, related));
  }

  private static Optional<JsonNode> parse(String line) {
    try {
      JsonNode node = Json.MAPPER.readTree(line);
      return node.isObject() ? Optional.of(node) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty(); // torn by a crash, or being written at this moment
    }
  }

  private static boolean isDecision(JsonNode line, String id, boolean first) {
    return AdminClient.firstText(line, "type").equals("decision")
        && (AdminClient.firstText(line, "id").equals(id)
            || (first && AdminClient.firstText(line, "reviewId").equals(id)));
  }

  private static boolean isAbout(JsonNode line, Set<String> ids) {
    return ids.contains(AdminClient.firstText(line, "decisionId"))
        || ids.contains(AdminClient.firstText(line, "reviewId"));
  }

  private static Set<String> idsOf(JsonNode decision) {
    Set<String> ids = new HashSet<>();
    ids.add(AdminClient.firstText(decision, "id"));
    ids.add(AdminClient.firstText(decision, "reviewId"));
    ids.remove("");
    return ids;
  }
}
