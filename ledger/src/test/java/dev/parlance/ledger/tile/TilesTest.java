package dev.parlance.ledger.tile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TilesTest {
  @Test
  void pathsOfTheFormat_areReadBack() {
    List<TlogPath> paths =
        List.of(
            new TlogPath.Head(),
            new TlogPath.HashTile(0, 0, 256),
            new TlogPath.HashTile(7, 999, 1),
            new TlogPath.HashTile(63, 1000, 255),
            new TlogPath.EntryBundle(1234067, 256),
            new TlogPath.EntryBundle(1L << 54, 8));
    for (TlogPath path : paths) {
      assertThat(TlogPath.parse(path.path())).contains(path);
    }
    assertThat(new TlogPath.EntryBundle(1234067, 8).path())
        .isEqualTo("tile/entries/x001/x234/067.p/8");
  }

  @Test
  void otherPaths_areRefused() {
    for (String path :
        List.of(
            "",
            "/checkpoint",
            "checkpoint/",
            "CHECKPOINT",
            "tile/0",
            "tile/00/000",
            "tile/64/000",
            "tile/-1/000",
            "tile/0/0",
            "tile/0/0000",
            "tile/0/x000/001",
            "tile/0/001/002",
            "tile/0/x001",
            "tile/0/000.p/0",
            "tile/0/000.p/256",
            "tile/0/000.p/01",
            "tile/0/000.p/",
            "tile/0/000.p",
            "tile/0/../0/000",
            "tile/0/000/..",
            "tile/entries/%30%30%30",
            "tile/entries/000\n",
            "tile/entries/\u0660\u0660\u0660",
            "tile/0/x999/x999/x999/x999/x999/999",
            "tile/0/x001/x000/x000/x000/x000/x000/000")) {
      assertThat(TlogPath.parse(path)).as(path).isEmpty();
    }
  }

  @Test
  void widths_areThoseOfTheSpecificationsExamples() {
    assertThat(Tiles.width(0, 273, 70_000)).isEqualTo(112);
    assertThat(Tiles.width(0, 272, 70_000)).isEqualTo(256);
    assertThat(Tiles.width(1, 1, 70_000)).isEqualTo(17);
    assertThat(Tiles.width(2, 0, 70_000)).isEqualTo(1);
    assertThat(Tiles.width(3, 0, 70_000)).isZero();
    assertThat(Tiles.width(0, 1, 256)).isZero();
    assertThat(Tiles.width(1, 0, 256)).isEqualTo(1);
    assertThat(Tiles.sizeNeeded(new TlogPath.HashTile(1, 1, 17))).isEqualTo(69_888);
    assertThat(Tiles.sizeNeeded(new TlogPath.HashTile(7, 200, 1))).isEqualTo(Long.MAX_VALUE);
    assertThat(Tiles.sizeNeeded(new TlogPath.HashTile(63, 0, 1))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void bundles_areReadBack_andEveryCutIsMalformed() {
    Random random = new Random(9);
    List<byte[]> entries = new ArrayList<>();
    for (int length : new int[] {0, 1, 300, EntryBundles.MAX_ENTRY_BYTES}) {
      byte[] entry = new byte[length];
      random.nextBytes(entry);
      entries.add(entry);
    }
    byte[] bytes = EntryBundles.encode(entries);
    assertThat(EntryBundles.decode(bytes))
        .isInstanceOfSatisfying(
            EntryBundles.Decoded.Entries.class,
            decoded -> assertThat(decoded.entries().get(3)).isEqualTo(entries.get(3)));
    byte[] cut = Arrays.copyOf(bytes, 2 + 3 + 100);
    assertThat(EntryBundles.decode(cut))
        .isInstanceOfSatisfying(
            EntryBundles.Decoded.Malformed.class,
            malformed -> {
              assertThat(malformed.before()).hasSize(2);
              assertThat(malformed.offset()).isEqualTo(5);
            });
    assertThat(EntryBundles.decode(new byte[2 * 257]))
        .isInstanceOf(EntryBundles.Decoded.Malformed.class);
  }
}
