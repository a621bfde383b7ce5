package dev.parlance.proxy.control;

import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Names;
import dev.parlance.service.IoWords;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The newest version of each core that was ever in force here, so that deleting or replacing a
 * core's file brings no older one back. Not signed: whoever may write the data folder may delete
 * it, but an old core alone, from the network or a backup, does not get past it.
 *
 * <pre>
 * {"version":1,"cores":[{"agents":["alice","bob"],"domain":"license","version":7,
 *   "documentSha256":"..."}]}
 * </pre>
 */
final class HighWater {
  /** Largest file that is read, in bytes. */
  static final int MAX_BYTES = 4 << 20;

  private static final int SHA256_HEX = 64;

  private final CoreFiles files;
  private final Map<CoreId, Mark> marks = new ConcurrentHashMap<>();

  private HighWater(CoreFiles files) {
    this.files = files;
  }

  /**
   * The newest version seen.
   *
   * @param documentSha256 of its signed document, hex
   */
  record Mark(long version, String documentSha256) {}

  /** The marks and, where the file could not be used, why. */
  record Opened(HighWater marks, Optional<String> problem) {}

  /** Reads the marks; a file that is damaged counts as none and is reported. */
  static Opened open(CoreFiles files) {
    HighWater marks = new HighWater(files);
    byte[] bytes;
    try {
      bytes = CoreFiles.read(files.highWater(), MAX_BYTES);
    } catch (NoSuchFileException e) {
      return new Opened(marks, Optional.empty());
    } catch (IOException e) {
      return new Opened(
          marks, Optional.of("cannot read " + files.highWater() + ": " + IoWords.why(e)));
    }
    Optional<Map<CoreId, Mark>> read =
        bytes.length > MAX_BYTES
            ? Optional.empty()
            : StrictJson.read(bytes).flatMap(HighWater::marks);
    read.ifPresent(marks.marks::putAll);
    return new Opened(
        marks,
        read.isPresent() ? Optional.empty() : Optional.of(files.highWater() + " is damaged"));
  }

  private static Optional<Map<CoreId, Mark>> marks(JsonNode root) {
    Map<CoreId, Mark> read = new ConcurrentHashMap<>();
    if (root.path("version").asInt(0) != 1 || !root.path("cores").isArray()) {
      return Optional.empty();
    }
    for (JsonNode one : root.path("cores")) {
      List<String> agents = new ArrayList<>();
      one.path("agents").forEach(agent -> agents.add(agent.asString("")));
      String domain = one.path("domain").asString("");
      long version = one.path("version").asLong(0);
      String sha256 = one.path("documentSha256").asString("");
      if (agents.size() < 2
          || !agents.stream().allMatch(Names::isName)
          || !Names.isName(domain)
          || version < 1
          || sha256.length() != SHA256_HEX) {
        return Optional.empty();
      }
      read.put(new CoreId(agents, domain), new Mark(version, sha256));
    }
    return Optional.of(read);
  }

  /** The newest version of this core that was ever in force. */
  Optional<Mark> of(CoreId id) {
    return Optional.ofNullable(marks.get(id));
  }

  /** Raises the mark of a core, durably. */
  void raise(CoreId id, Mark mark) throws IOException {
    Map<CoreId, Mark> next = new ConcurrentHashMap<>(marks);
    next.put(id, mark);
    SafeFile.replace(files.highWater(), StrictJson.write(json(next)));
    marks.put(id, mark);
  }

  private static ObjectNode json(Map<CoreId, Mark> marks) {
    ObjectNode root = JsonNodeFactory.instance.objectNode().put("version", 1);
    ArrayNode list = root.putArray("cores");
    marks.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.comparing(CoreId::toString)))
        .forEach(entry -> {
          ObjectNode one = list.addObject();
          ArrayNode agents = one.putArray("agents");
          entry.getKey().agents().forEach(agents::add);
          one.put("domain", entry.getKey().domain())
              .put("version", entry.getValue().version())
              .put("documentSha256", entry.getValue().documentSha256());
        });
    return root;
  }
}
