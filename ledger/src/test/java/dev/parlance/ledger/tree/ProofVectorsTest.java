package dev.parlance.ledger.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.Vectors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The public vectors of transparency-dev/merkle, read in place. */
final class ProofVectorsTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  @TestFactory
  List<DynamicTest> inclusion() throws Exception {
    Path directory = Vectors.directory("merkle-proofs/testdata/inclusion");
    return Vectors.files(directory, ".json", 98)
        .map(file ->
            DynamicTest.dynamicTest(
                directory.relativize(file).toString(),
                () -> {
                  JsonNode vector = MAPPER.readTree(file);
                  assertThat(inclusionHolds(vector))
                      .isNotEqualTo(vector.get("wantErr").asBoolean());
                }))
        .toList();
  }

  @TestFactory
  List<DynamicTest> consistency() throws Exception {
    Path directory = Vectors.directory("merkle-proofs/testdata/consistency");
    return Vectors.files(directory, ".json", 98)
        .map(file ->
            DynamicTest.dynamicTest(
                directory.relativize(file).toString(),
                () -> {
                  JsonNode vector = MAPPER.readTree(file);
                  assertThat(consistencyHolds(vector))
                      .isNotEqualTo(vector.get("wantErr").asBoolean());
                }))
        .toList();
  }

  private static boolean inclusionHolds(JsonNode vector) {
    Optional<Hash> leaf = Hash.parseBase64(vector.get("leafHash").asString());
    Optional<Hash> root = Hash.parseBase64(vector.get("root").asString());
    Optional<List<Hash>> path = path(vector);
    long index = vector.get("leafIdx").bigIntegerValue().longValue();
    long size = vector.get("treeSize").asLong();
    // A hash that is none and an index outside of the tree cannot even be said in our types.
    return leaf.isPresent()
        && root.isPresent()
        && path.isPresent()
        && index >= 0
        && index < size
        && new InclusionProof(index, size, path.get()).verifies(leaf.get(), root.get());
  }

  private static boolean consistencyHolds(JsonNode vector) {
    long oldSize = vector.get("size1").asLong();
    long newSize = vector.get("size2").asLong();
    Optional<List<Hash>> path = path(vector);
    return path.isPresent()
        && oldSize <= newSize
        && new ConsistencyProof(oldSize, newSize, path.get())
            .verifies(root(vector, "root1"), root(vector, "root2"));
  }

  /**
   * Some vectors have a few words for a root, where only equality counts; those stand as hashes.
   */
  private static Hash root(JsonNode vector, String name) {
    String text = vector.get(name).asString();
    return Hash.parseBase64(text).orElseGet(() -> Hashing.leaf(Base64.getDecoder().decode(text)));
  }

  private static Optional<List<Hash>> path(JsonNode vector) {
    List<Hash> path = new ArrayList<>();
    for (JsonNode hash : vector.path("proof")) {
      Optional<Hash> parsed = Hash.parseBase64(hash.asString());
      if (parsed.isEmpty()) {
        return Optional.empty();
      }
      path.add(parsed.get());
    }
    return Optional.of(path);
  }
}
