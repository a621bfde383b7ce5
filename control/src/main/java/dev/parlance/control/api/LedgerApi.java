package dev.parlance.control.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.proto.v1.Checkpoint;
import dev.parlance.proto.v1.ConsistencyProof;
import dev.parlance.proto.v1.Entry;
import dev.parlance.proto.v1.GetCheckpointRequest;
import dev.parlance.proto.v1.GetConsistencyProofRequest;
import dev.parlance.proto.v1.GetEntriesRequest;
import dev.parlance.proto.v1.GetInclusionProofRequest;
import dev.parlance.proto.v1.InclusionProof;
import dev.parlance.proto.v1.LedgerServiceGrpc;
import dev.parlance.service.Result;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ledger for readers; no token is asked for. */
final class LedgerApi extends LedgerServiceGrpc.LedgerServiceImplBase {
  private static final int DEFAULT_ENTRIES = 1_000;
  private static final int MOST_ENTRIES = 10_000;
  private static final int PAGE = 256;

  private final LedgerWriter ledger;

  LedgerApi(LedgerWriter ledger) {
    this.ledger = ledger;
  }

  /** Work on the ledger as it is now. */
  @FunctionalInterface
  private interface Reading<T> {
    Result<T> of(LogView head) throws IOException;
  }

  @Override
  public void getCheckpoint(GetCheckpointRequest request, StreamObserver<Checkpoint> response) {
    answer(
        response,
        head ->
            Result.done(
                Checkpoint.newBuilder()
                    .setNote(ByteString.copyFrom(head.checkpoint().bytes()))
                    .setVkey(ledger.key().verifier().format())
                    .build()));
  }

  @Override
  public void getInclusionProof(
      GetInclusionProofRequest request, StreamObserver<InclusionProof> response) {
    answer(response, head -> inclusion(request, head));
  }

  private static Result<InclusionProof> inclusion(GetInclusionProofRequest request, LogView head)
      throws IOException {
    long size = request.getTreeSize() == 0 ? head.size() : request.getTreeSize();
    long index = request.getIndex();
    if (size < 0 || size > head.size() || index < 0 || index >= size) {
      return outOfRange(
          "got index "
              + Long.toUnsignedString(index)
              + " and size "
              + Long.toUnsignedString(size)
              + ", the ledger has "
              + head.size()
              + " entries");
    }
    Hash leaf = Hashing.leaf(head.entry(index));
    dev.parlance.ledger.tree.InclusionProof proof = head.inclusion(index, size);
    Hash root =
        proof
            .rootFrom(leaf)
            .orElseThrow(() -> new IllegalStateException("a proof that leads nowhere"));
    return Result.done(
        InclusionProof.newBuilder()
            .setIndex(index)
            .setTreeSize(size)
            .setLeafHash(bytes(leaf))
            .addAllPath(proof.path().stream().map(LedgerApi::bytes).toList())
            .setRootHash(bytes(root))
            .build());
  }

  @Override
  public void getConsistencyProof(
      GetConsistencyProofRequest request, StreamObserver<ConsistencyProof> response) {
    answer(response, head -> consistency(request, head));
  }

  private static Result<ConsistencyProof> consistency(
      GetConsistencyProofRequest request, LogView head) throws IOException {
    long newSize = request.getNewSize() == 0 ? head.size() : request.getNewSize();
    long oldSize = request.getOldSize();
    if (newSize < 0 || newSize > head.size() || oldSize < 0 || oldSize > newSize) {
      return outOfRange(
          "got sizes "
              + Long.toUnsignedString(oldSize)
              + " and "
              + Long.toUnsignedString(newSize)
              + ", the ledger has "
              + head.size()
              + " entries");
    }
    return Result.done(
        ConsistencyProof.newBuilder()
            .setOldSize(oldSize)
            .setNewSize(newSize)
            .addAllPath(
                head.consistency(oldSize, newSize).path().stream().map(LedgerApi::bytes).toList())
            .build());
  }

  @Override
  public void getEntries(GetEntriesRequest request, StreamObserver<Entry> response) {
    try {
      LogView head = head();
      int limit = request.getLimit() == 0 ? DEFAULT_ENTRIES : request.getLimit();
      long first = request.getFirst();
      if (limit < 1 || limit > MOST_ENTRIES) {
        response.onError(
            GrpcErrors.of(
                new Result.Refused<>(
                    Result.Kind.INVALID,
                    "limit_out_of_range",
                    "got limit "
                        + Integer.toUnsignedString(limit)
                        + ", expected 1 to "
                        + MOST_ENTRIES)));
      } else if (first < 0 || first >= head.size()) {
        response.onError(
            GrpcErrors.of(
                new Result.Refused<>(
                    Result.Kind.OUT_OF_RANGE,
                    "beyond_the_ledger",
                    "got first "
                        + Long.toUnsignedString(first)
                        + ", the ledger has "
                        + head.size()
                        + " entries")));
      } else {
        ServerCallStreamObserver<Entry> out = (ServerCallStreamObserver<Entry>) response;
        Feed feed = new Feed(head, out, first, Math.min(head.size(), first + limit));
        out.setOnReadyHandler(feed::pump);
        feed.pump();
      }
    } catch (IOException | RuntimeException e) {
      response.onError(GrpcErrors.of(e));
    }
  }

  /** Entries in the pace of their reader; gRPC calls it from one thread at a time. */
  private static final class Feed {
    private final LogView head;
    private final ServerCallStreamObserver<Entry> out;
    private final long end;
    private long next;
    private boolean done;

    Feed(LogView head, ServerCallStreamObserver<Entry> out, long first, long end) {
      this.head = head;
      this.out = out;
      this.next = first;
      this.end = end;
    }

    void pump() {
      try {
        while (!done && next < end && out.isReady()) {
          long to = Math.min(end, (next / PAGE + 1) * PAGE);
          List<Entry> page = new ArrayList<>();
          head.forEach(
              next,
              to,
              (index, bytes) ->
                  page.add(
                      Entry.newBuilder()
                          .setIndex(index)
                          .setBytes(UnsafeByteOperations.unsafeWrap(bytes))
                          .build()));
          page.forEach(out::onNext);
          next = to;
        }
        if (!done && next >= end) {
          done = true;
          out.onCompleted();
        }
      } catch (IOException | RuntimeException e) {
        if (!done && !out.isCancelled()) {
          done = true;
          out.onError(GrpcErrors.of(e));
        }
      }
    }
  }

  private <T> void answer(StreamObserver<T> response, Reading<T> reading) {
    Result<T> attempt;
    try {
      attempt = reading.of(head());
    } catch (IOException | RuntimeException e) {
      response.onError(GrpcErrors.of(e));
      return;
    }
    CertificationApi.answer(response, () -> attempt);
  }

  private LogView head() throws IOException {
    Optional<LogView> head =
        ledger.reader().isPresent() ? ledger.reader().get().head() : Optional.empty();
    return head.orElseThrow(() -> new IOException("the ledger is not open"));
  }

  private static <T> Result<T> outOfRange(String message) {
    return Result.refused(Result.Kind.OUT_OF_RANGE, "beyond_the_ledger", message);
  }

  private static ByteString bytes(Hash hash) {
    return UnsafeByteOperations.unsafeWrap(hash.bytes());
  }
}
