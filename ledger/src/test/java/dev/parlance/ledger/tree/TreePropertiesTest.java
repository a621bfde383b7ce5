package dev.parlance.ledger.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Trees of many sizes against RFC 6962's own recursion over the whole list. */
final class TreePropertiesTest {
  private static final int MAX = 300;

  private final List<Hash> leaves = new ArrayList<>();

  TreePropertiesTest() {
    Random random = new Random(20261121);
    for (int i = 0; i < MAX; i++) {
      byte[] entry = new byte[random.nextInt(40)];
      random.nextBytes(entry);
      leaves.add(Hashing.leaf(entry));
    }
  }

  @Test
  void rootOfCompactRange_isTheRootOfTheWholeList() {
    CompactRange range = CompactRange.empty();
    assertThat(range.root()).isEqualTo(Hashing.EMPTY_ROOT);
    for (int size = 1; size <= MAX; size++) {
      range.append(leaves.get(size - 1), (level, index, hash) -> {});
      assertThat(range.root()).isEqualTo(naive(leaves.subList(0, size)));
    }
  }

  @Test
  void loadedRange_goesOnLikeTheOneThatWasLeft() throws Exception {
    for (int size = 0; size < 70; size++) {
      CompactRange range = CompactRange.load(size, this::node);
      range.append(leaves.get(size), (level, index, hash) -> {});
      assertThat(range.root()).isEqualTo(naive(leaves.subList(0, size + 1)));
    }
  }

  @Test
  void everyInclusionProof_holdsForItsLeafAndForNoOther() throws Exception {
    for (int size : List.of(1, 2, 3, 7, 8, 9, 64, 65, 255, 256, 257, 300)) {
      Hash root = naive(leaves.subList(0, size));
      for (int index = 0; index < size; index++) {
        InclusionProof proof = InclusionProof.build(index, size, this::node);
        assertThat(proof.verifies(leaves.get(index), root)).isTrue();
        assertThat(proof.verifies(leaves.get((index + 1) % MAX), root)).isFalse();
        if (!proof.path().isEmpty()) {
          List<Hash> shorter = proof.path().subList(0, proof.path().size() - 1);
          assertThat(new InclusionProof(index, size, shorter).verifies(leaves.get(index), root))
              .isFalse();
        }
        List<Hash> longer = new ArrayList<>(proof.path());
        longer.add(root);
        assertThat(new InclusionProof(index, size, longer).verifies(leaves.get(index), root))
            .isFalse();
      }
    }
  }

  @Test
  void everyConsistencyProof_holdsForItsRootsAndForNoOther() throws Exception {
    for (int newSize = 1; newSize <= 70; newSize++) {
      Hash newRoot = naive(leaves.subList(0, newSize));
      for (int oldSize = 1; oldSize <= newSize; oldSize++) {
        Hash oldRoot = naive(leaves.subList(0, oldSize));
        ConsistencyProof proof = ConsistencyProof.build(oldSize, newSize, this::node);
        assertThat(proof.verifies(oldRoot, newRoot)).isTrue();
        assertThat(proof.verifies(leaves.get(MAX - 1), newRoot)).isFalse();
        assertThat(proof.verifies(oldRoot, leaves.get(MAX - 1))).isFalse();
        List<Hash> longer = new ArrayList<>(proof.path());
        longer.add(newRoot);
        assertThat(new ConsistencyProof(oldSize, newSize, longer).verifies(oldRoot, newRoot))
            .isFalse();
      }
    }
  }

  @Test
  void fromTheEmptyTree_nothingIsProved() {
    assertThat(new ConsistencyProof(0, 1, List.of()).verifies(Hashing.EMPTY_ROOT, leaves.get(0)))
        .isFalse();
  }

  @Test
  void hashesInText_haveOneForm() {
    Hash hash = leaves.getFirst();
    assertThat(Hash.parseBase64(hash.base64())).contains(hash);
    assertThat(Hash.parseHex(hash.hex())).contains(hash);
    assertThat(Hash.parseHex(hash.hex().replace('a', 'A'))).isEmpty();
    assertThat(StrictBase64.decode("AA==")).isPresent();
    // The same byte with stray bits at the end, without padding, and with a line feed.
    assertThat(List.of("AB==", "AA", "AA==\n", "A\u0660=="))
        .allMatch(text -> StrictBase64.decode(text).isEmpty());
  }

  private Hash node(int level, long index) {
    return naive(leaves.subList((int) (index << level), (int) ((index + 1) << level)));
  }

  private static Hash naive(List<Hash> hashes) {
    if (hashes.size() == 1) {
      return hashes.getFirst();
    }
    int split = 1;
    while (split * 2 < hashes.size()) {
      split *= 2;
    }
    return Hashing.node(
        naive(Collections.unmodifiableList(hashes.subList(0, split))),
        naive(hashes.subList(split, hashes.size())));
  }
}
