package dev.parlance.ledger.verify;

import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.verify.VerifyReport.Finding;
import dev.parlance.ledger.verify.VerifyReport.Findings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Recomputes a log from its entries and says which file is off where the parts do not agree.
 *
 * <p>A slot of a tile at level {@code l} is known up to three times over: as stored, as the root of
 * the stored tile under it, and as the root over the entries under it. The signed root decides
 * among them. First the right edges of all levels are chosen so that they give the root; then from
 * the top down each full tile must give the slot above it, as stored or else as recomputed. What is
 * chosen is certain, and whatever differs from it is named. Where nothing gives the wanted hash,
 * only what all sources agree on is taken further.
 */
final class TreeCheck {
  private final LogDirectory files;
  private final long size;
  private final Findings findings;

  /** Per level from 1: each slot as stored, as its tile below gives it, as its entries give it. */
  private final List<List<Optional<Hash>>> stored = new ArrayList<>();

  private final List<List<Optional<Hash>>> fromTiles = new ArrayList<>();
  private final List<List<Optional<Hash>>> fromEntries = new ArrayList<>();

  /** Per level from 1, and the edge of level 0: what is certain. */
  private final List<List<Optional<Hash>>> certain = new ArrayList<>();

  private List<Optional<Hash>> certainEdge0 = List.of();

  TreeCheck(LogDirectory files, long size, Findings findings) {
    this.files = files;
    this.size = size;
    this.findings = findings;
  }

  /** Checks all; without a root there is no judge, and only contradictions are found. */
  void run(Optional<Hash> root) {
    readLevel0();
    for (int level = 1; Tiles.slots(level, size) > 0; level++) {
      readLevel(level);
    }
    List<List<Optional<Hash>>> edges = chooseEdges(root);
    for (int level = 0; level < edges.size(); level++) {
      certain.add(new ArrayList<>());
    }
    certainEdge0 = edges.getFirst();
    for (int level = edges.size() - 1; level >= 0; level--) {
      long fullTiles = Tiles.slots(level, size) / Tiles.WIDTH;
      for (long tile = 0; tile < fullTiles; tile++) {
        Optional<Hash> above = certain.get(level + 1).get((int) tile);
        if (level > 0) {
          certain.get(level).addAll(judge(level, tile, above, findings));
        } else if (!agrees(tile, above)) {
          judge(0, tile, above, findings);
        }
      }
      if (level > 0) {
        certain.get(level).addAll(edges.get(level));
      }
      compareEdge(level, edges.get(level));
    }
  }

  private void readLevel0() {
    List<Optional<Hash>> tilesUp = new ArrayList<>();
    List<Optional<Hash>> entriesUp = new ArrayList<>();
    // Levels count from 0 and level 0 is never held whole, so its place in the lists stays empty.
    stored.add(List.of());
    fromTiles.add(List.of());
    fromEntries.add(List.of());
    for (long tile = 0; tile * Tiles.WIDTH < size; tile++) {
      List<Optional<Hash>> hashes = files.tile(0, tile, size, findings);
      List<Optional<Hash>> leaves = files.leaves(tile, size, findings);
      if (hashes.size() == Tiles.WIDTH) {
        Optional<Hash> up = Slots.perfectRoot(hashes);
        tilesUp.add(up);
        entriesUp.add(hashes.equals(leaves) ? up : Slots.perfectRoot(leaves));
      }
    }
    fromTiles.add(tilesUp);
    fromEntries.add(entriesUp);
  }

  private void readLevel(int level) {
    List<Optional<Hash>> slots = new ArrayList<>();
    List<Optional<Hash>> tilesUp = new ArrayList<>();
    List<Optional<Hash>> entriesUp = new ArrayList<>();
    for (long tile = 0; tile * Tiles.WIDTH < Tiles.slots(level, size); tile++) {
      List<Optional<Hash>> hashes = files.tile(level, tile, size, findings);
      slots.addAll(hashes);
      if (hashes.size() == Tiles.WIDTH) {
        tilesUp.add(Slots.perfectRoot(hashes));
        entriesUp.add(Slots.perfectRoot(slice(fromEntries.get(level), tile, Tiles.WIDTH)));
      }
    }
    stored.add(slots);
    fromTiles.add(tilesUp);
    fromEntries.add(entriesUp);
  }

  /** The sources of a tile's slots, the stored one first. */
  private List<List<Optional<Hash>>> candidates(int level, long tile) {
    int width = Tiles.width(level, tile, size);
    if (level == 0) {
      Findings known = new Findings();
      return List.of(files.tile(0, tile, size, known), files.leaves(tile, size, known));
    }
    return List.of(
        slice(stored.get(level), tile, width),
        slice(fromTiles.get(level), tile, width),
        slice(fromEntries.get(level), tile, width));
  }

  private static List<Optional<Hash>> slice(List<Optional<Hash>> slots, long tile, int width) {
    int from = (int) (tile * Tiles.WIDTH);
    return slots.subList(from, from + width);
  }

  private boolean agrees(long tile, Optional<Hash> above) {
    return above.isPresent()
        && above.equals(fromTiles.get(1).get((int) tile))
        && above.equals(fromEntries.get(1).get((int) tile));
  }

  /** Per level the partial tile at its right edge, chosen so that together they give the root. */
  private List<List<Optional<Hash>>> chooseEdges(Optional<Hash> root) {
    List<List<List<Optional<Hash>>>> choices = new ArrayList<>();
    for (int level = 0; level == 0 || Tiles.slots(level, size) > 0; level++) {
      long last = Tiles.slots(level, size) / Tiles.WIDTH;
      boolean partial = Tiles.width(level, last, size) > 0;
      choices.add(partial ? candidates(level, last) : List.of(List.of()));
    }
    List<List<Optional<Hash>>> asStored = choices.stream().map(List::getFirst).toList();
    if (root.isPresent()) {
      List<List<List<Optional<Hash>>>> tries = new ArrayList<>();
      tries.add(asStored);
      // One file off is the likely case, so one level at a time before all of them.
      for (int level = 0; level < choices.size(); level++) {
        for (List<Optional<Hash>> other : choices.get(level)) {
          List<List<Optional<Hash>>> changed = new ArrayList<>(asStored);
          changed.set(level, other);
          tries.add(changed);
        }
      }
      List<List<Optional<Hash>>> recomputed = choices.stream().map(List::getLast).toList();
      tries.add(recomputed);
      for (List<List<Optional<Hash>>> edges : tries) {
        if (Slots.edgeRoot(edges).equals(root)) {
          return edges;
        }
      }
      findings.add(
          Finding.Kind.ROOT,
          "checkpoint",
          "root " + root.get() + " over " + size + " entries",
          Slots.edgeRoot(recomputed).map(Hash::hex).orElse("no root, since parts are missing")
              + " from the entries");
    }
    return choices.stream().map(Slots::agreed).toList();
  }

  /** The certain slots of a full tile, and findings for what differs from them. */
  private List<Optional<Hash>> judge(int level, long tile, Optional<Hash> above, Findings into) {
    List<List<Optional<Hash>>> candidates = candidates(level, tile);
    for (List<Optional<Hash>> candidate : candidates) {
      if (above.isPresent() && Slots.perfectRoot(candidate).equals(above)) {
        compare(level, tile, candidate, candidates, into);
        return candidate;
      }
    }
    List<Optional<Hash>> agreed = Slots.agreed(candidates);
    String path = new TlogPath.HashTile(level, tile, Tiles.WIDTH).path();
    Optional<Hash> leadsTo = Slots.perfectRoot(candidates.getFirst());
    if (above.isPresent() && leadsTo.isPresent()) {
      into.add(
          Finding.Kind.TILE, path, "hashes that lead to " + above.get(), "to " + leadsTo.get());
      if (level == 0 && Slots.perfectRoot(candidates.getLast()).equals(leadsTo)) {
        // Tile and bundle tell the same wrong story, so somebody wrote both.
        into.add(
            Finding.Kind.ENTRY,
            new TlogPath.EntryBundle(tile, Tiles.WIDTH).path(),
            "entries that lead to " + above.get(),
            "to " + leadsTo.get());
      }
    }
    compare(level, tile, agreed, candidates, into);
    return agreed;
  }

  private void compareEdge(int level, List<Optional<Hash>> edge) {
    if (!edge.isEmpty()) {
      long last = Tiles.slots(level, size) / Tiles.WIDTH;
      compare(level, last, edge, candidates(level, last), findings);
    }
  }

  private void compare(
      int level,
      long tile,
      List<Optional<Hash>> certainSlots,
      List<List<Optional<Hash>>> candidates,
      Findings into) {
    String path = new TlogPath.HashTile(level, tile, certainSlots.size()).path();
    compare(Finding.Kind.TILE, path, tile, certainSlots, candidates.getFirst(), candidates, into);
    if (level == 0) {
      String bundle = new TlogPath.EntryBundle(tile, certainSlots.size()).path();
      compare(
          Finding.Kind.ENTRY, bundle, tile, certainSlots, candidates.getLast(), candidates, into);
    }
  }

  private static void compare(
      Finding.Kind kind,
      String path,
      long tile,
      List<Optional<Hash>> certainSlots,
      List<Optional<Hash>> present,
      List<List<Optional<Hash>>> candidates,
      Findings into) {
    for (int i = 0; i < present.size(); i++) {
      Optional<Hash> found = present.get(i);
      Optional<Hash> expected = certainSlots.get(i);
      // What is missing has been said; what nothing decides is said of both sides.
      if (found.isPresent() && !found.equals(expected)) {
        int at = i;
        String wanted =
            expected
                .map(hash -> "hash " + hash)
                .orElseGet(
                    () -> "one of " + candidates.stream().map(c -> known(c.get(at))).toList());
        into.add(kind, path, tile * Tiles.WIDTH + i, wanted, known(found));
      }
    }
  }

  private static String known(Optional<Hash> hash) {
    return hash.map(Hash::hex).orElse("unknown");
  }

  /** What is certain of a tile after {@link #run}. */
  List<Optional<Hash>> certainTile(int level, long tile) {
    int width = Tiles.width(level, tile, size);
    if (level > 0) {
      return slice(certain.get(level), tile, width);
    }
    return width < Tiles.WIDTH
        ? certainEdge0
        : judge(0, tile, certain.get(1).get((int) tile), new Findings());
  }
}
