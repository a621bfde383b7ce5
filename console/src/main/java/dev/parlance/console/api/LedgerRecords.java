package dev.parlance.console.api;

import dev.parlance.client.CallRefused;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.ConsistencyProof;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.tree.InclusionProof;
import dev.parlance.proto.v1.Checkpoint;
import dev.parlance.proto.v1.Entry;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.GetConsistencyProofRequest;
import dev.parlance.proto.v1.GetEntriesRequest;
import dev.parlance.proto.v1.GetInclusionProofRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The ledger; what the control plane says of it is recomputed, not believed. */
final class LedgerRecords {
  private final ControlClient client;

  /** The last checkpoint that was good: a later one must extend it. */
  private final AtomicReference<Optional<SignedCheckpoint>> seen =
      new AtomicReference<>(Optional.empty());

  LedgerRecords(ControlClient client) {
    this.client = client;
  }

  private Checkpoint newest() throws CallRefused {
    return client
        .ledger()
        .ask(stub -> stub.getCheckpoint(GetCheckpointRequest.getDefaultInstance()));
  }

  private static Optional<SignedCheckpoint> open(Checkpoint checkpoint) {
    return VerifierKey.parse(checkpoint.getVkey())
        .value()
        .flatMap(key -> SignedCheckpoint.open(checkpoint.getNote().toByteArray(), key).value());
  }

  ObjectNode checkpoint() throws CallRefused {
    Checkpoint newest = newest();
    Optional<SignedCheckpoint> signed = open(newest);
    String note = newest.getNote().toStringUtf8();
    List<String> lines = note.lines().toList();
    ObjectNode view = ControlRecords.object();
    view.put("origin", lines.isEmpty() ? "" : lines.getFirst());
    view.put("size", signed.map(SignedCheckpoint::size).orElse(0L));
    view.put("rootHash", signed.map(good -> good.checkpoint().root().hex()).orElse(""));
    view.put("checkpoint", note).put("verifierKey", newest.getVkey());
    view.put("signed", signed.isPresent());
    if (signed.isPresent()) {
      extend(signed.get(), view);
    }
    return view;
  }

  private void extend(SignedCheckpoint now, ObjectNode view) throws CallRefused {
    Optional<SignedCheckpoint> before = seen.get();
    if (before.isEmpty()) {
      seen.compareAndSet(before, Optional.of(now));
      return;
    }
    boolean good = isExtended(before.get(), now);
    view.put("extends", good).put("since", before.get().size());
    if (good) {
      seen.compareAndSet(before, Optional.of(now));
    }
  }

  private boolean isExtended(SignedCheckpoint before, SignedCheckpoint now) throws CallRefused {
    if (now.size() < before.size()) {
      return false;
    }
    if (now.size() == before.size() || before.size() == 0) {
      return before.size() == 0 || now.checkpoint().root().equals(before.checkpoint().root());
    }
    GetConsistencyProofRequest request =
        GetConsistencyProofRequest.newBuilder()
            .setOldSize(before.size())
            .setNewSize(now.size())
            .build();
    List<Hash> path =
        hashes(client.ledger().ask(stub -> stub.getConsistencyProof(request)).getPathList());
    return new ConsistencyProof(before.size(), now.size(), path)
        .verifies(before.checkpoint().root(), now.checkpoint().root());
  }

  private static List<Hash> hashes(List<com.google.protobuf.ByteString> path) {
    List<Hash> hashes = new ArrayList<>();
    for (var hash : path) {
      if (hash.size() == Hash.BYTES) { // with one missing the proof does not hold
        hashes.add(Hash.of(hash.toByteArray()));
      }
    }
    return hashes;
  }

  ObjectNode entries(int limit, OptionalLong before) throws CallRefused {
    long size = open(newest()).map(SignedCheckpoint::size).orElse(0L);
    long end = Math.min(size, before.orElse(size));
    long first = Math.max(0, end - limit);
    ObjectNode view = ControlRecords.object();
    ArrayNode list = view.putArray("entries");
    for (Entry entry : entries(first, (int) (end - first)).reversed()) {
      list.add(entry(entry));
    }
    return view;
  }

  private List<Entry> entries(long first, int count) throws CallRefused {
    if (count == 0) {
      return List.of();
    }
    GetEntriesRequest request =
        GetEntriesRequest.newBuilder().setFirst(first).setLimit(count).build();
    return client
        .ledger()
        .ask(stub -> {
          List<Entry> all = new ArrayList<>();
          for (Iterator<Entry> stream = stub.getEntries(request); stream.hasNext(); ) {
            all.add(stream.next());
          }
          return all;
        });
  }

  private static ObjectNode entry(Entry entry) {
    byte[] bytes = entry.getBytes().toByteArray();
    ObjectNode view = ControlRecords.object();
    view.put("index", entry.getIndex());
    Optional<JsonNode> said = parse(bytes);
    view.put("kind", said.map(json -> json.path("type").asString("unknown")).orElse("unknown"));
    said.ifPresent(json -> view.set("entry", json));
    view.put("leafHash", Hashing.leaf(bytes).hex());
    return view;
  }

  private static Optional<JsonNode> parse(byte[] bytes) {
    try {
      return Optional.of(JsonMapper.shared().readTree(bytes)).filter(ObjectNode.class::isInstance);
    } catch (JacksonException _) {
      return Optional.empty();
    }
  }

  ObjectNode entry(long index) throws CallRefused {
    Optional<SignedCheckpoint> newest = open(newest());
    List<Entry> found =
        newest.isPresent() && index < newest.get().size() ? entries(index, 1) : List.of();
    if (found.isEmpty()) {
      // asked for anyhow, so that the control plane's own refusal is what is told
      found =
          client
              .ledger()
              .ask(stub ->
                  List.of(
                      stub.getEntries(
                              GetEntriesRequest.newBuilder().setFirst(index).setLimit(1).build())
                          .next()));
    }
    ObjectNode view = entry(found.getFirst());
    if (newest.isPresent()) {
      SignedCheckpoint checkpoint = newest.get();
      GetInclusionProofRequest request =
          GetInclusionProofRequest.newBuilder()
              .setIndex(index)
              .setTreeSize(checkpoint.size())
              .build();
      List<Hash> path =
          hashes(client.ledger().ask(stub -> stub.getInclusionProof(request)).getPathList());
      ObjectNode proof = view.putObject("proof").put("treeSize", checkpoint.size());
      proof.put("rootHash", checkpoint.checkpoint().root().hex());
      ArrayNode hashes = proof.putArray("path");
      path.forEach(hash -> hashes.add(hash.hex()));
      proof.put(
          "holds",
          new InclusionProof(index, checkpoint.size(), path)
              .verifies(
                  Hashing.leaf(found.getFirst().getBytes().toByteArray()),
                  checkpoint.checkpoint().root()));
    }
    return view;
  }
}
