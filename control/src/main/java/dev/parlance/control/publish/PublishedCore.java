package dev.parlance.control.publish;

import com.google.protobuf.UnsafeByteOperations;
import dev.parlance.control.store.Store.CoreRow;
import dev.parlance.proto.v1.AttachResponse;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.CorePush;
import dev.parlance.proto.v1.SignedCore;
import java.util.List;

/**
 * A published core, with the one message that every sidecar is sent.
 *
 * @param seenNs {@link System#nanoTime} when this replica saw it
 */
record PublishedCore(
    String key,
    List<String> agents,
    long version,
    long sequence,
    AttachResponse message,
    long seenNs) {

  static PublishedCore of(CoreRow row, long nowNs) {
    SignedCore core =
        SignedCore.newBuilder()
            .setId(CoreId.newBuilder().addAllAgents(row.agents()).setDomain(row.domain()))
            .setVersion(row.version())
            // Nobody changes the row's bytes, so a thousand pushes share them.
            .setNote(UnsafeByteOperations.unsafeWrap(row.note()))
            .build();
    return new PublishedCore(
        row.coreKey(),
        row.agents(),
        row.version(),
        row.sequence(),
        AttachResponse.newBuilder().setCore(CorePush.newBuilder().setCore(core)).build(),
        nowNs);
  }
}
