package dev.parlance.cli.ledger;

import dev.parlance.client.ControlClient;
import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.InclusionProof;
import dev.parlance.proto.v1.Checkpoint;
import dev.parlance.proto.v1.Entry;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.GetEntriesRequest;
import dev.parlance.proto.v1.GetInclusionProofRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** The ledger of a control plane over gRPC. What it says is checked, not believed. */
record GrpcLedger(ControlClient client, VerifierKey key, SignedCheckpoint checkpoint)
    implements LedgerSource {
  private static final int ENTRIES_A_CALL = 1000;

  /**
   * The ledger as its newest checkpoint has it.
   *
   * @param trusted the log's key; without one the control plane's word is taken for it
   */
  static LedgerSource open(ControlClient.Address address, Optional<VerifierKey> trusted)
      throws IOException {
    var client = new ControlClient(address);
    try {
      Checkpoint newest =
          client
              .ledger()
              .ask(stub -> stub.getCheckpoint(GetCheckpointRequest.getDefaultInstance()));
      VerifierKey key =
          trusted.isPresent()
              ? trusted.get()
              : VerifierKey.parse(newest.getVkey())
                  .value()
                  .orElseThrow(() -> new IOException("the control plane names no key of its log"));
      return switch (SignedCheckpoint.open(newest.getNote().toByteArray(), key)) {
        case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint checkpoint) ->
            new GrpcLedger(client, key, checkpoint);
        case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
            throw new IOException("the checkpoint is refused: " + fault.code() + ", " + detail);
      };
    } catch (IOException | RuntimeException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public SignedCheckpoint checkpoint() {
    return checkpoint;
  }

  @Override
  public VerifierKey key() {
    return key;
  }

  @Override
  public byte[] entry(long index) throws IOException {
    return client
        .ledger()
        .ask(stub -> entries(stub.getEntries(request(index, 1)), index))
        .getFirst();
  }

  @Override
  public InclusionProof inclusion(long index) throws IOException {
    var proof =
        client
            .ledger()
            .ask(stub ->
                stub.getInclusionProof(
                    GetInclusionProofRequest.newBuilder()
                        .setIndex(index)
                        .setTreeSize(checkpoint.size())
                        .build()));
    List<Hash> path = new ArrayList<>();
    for (var hash : proof.getPathList()) {
      if (hash.size() != Hash.BYTES) {
        throw new IOException("the proof holds what is no hash");
      }
      path.add(Hash.of(hash.toByteArray()));
    }
    return new InclusionProof(index, checkpoint.size(), path);
  }

  @Override
  public void forEach(LogView.EntryVisitor visitor) throws IOException {
    long next = 0;
    while (next < checkpoint.size()) {
      long first = next;
      int count = (int) Math.min(ENTRIES_A_CALL, checkpoint.size() - first);
      List<byte[]> entries =
          client.ledger().ask(stub -> entries(stub.getEntries(request(first, count)), first));
      if (entries.size() != count) {
        throw new IOException(
            "expected " + count + " entries from " + first + ", got " + entries.size());
      }
      for (byte[] entry : entries) {
        visitor.entry(next++, entry);
      }
    }
  }

  private static GetEntriesRequest request(long first, int limit) {
    return GetEntriesRequest.newBuilder().setFirst(first).setLimit(limit).build();
  }

  /** The entries in order; what comes out of it ends the list. */
  private static List<byte[]> entries(Iterator<Entry> stream, long first) {
    List<byte[]> entries = new ArrayList<>();
    boolean inOrder = true;
    while (stream.hasNext()) { // to the end, so that the call is over
      Entry entry = stream.next();
      inOrder &= entry.getIndex() == first + entries.size();
      if (inOrder) {
        entries.add(entry.getBytes().toByteArray());
      }
    }
    return entries;
  }

  @Override
  public void close() {
    client.close();
  }
}
