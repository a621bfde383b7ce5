package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.proto.ProtoField;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The request that asks an agent again, as edits of the first one: new message id, one more text
 * part. A finished task cannot be continued, so the message then leaves the task and names it as a
 * reference instead.
 */
final class A2aGrpcRepair {
  private static final byte[] NOTHING = new byte[0];

  private final ProtoMessage message;
  private final List<Edit> edits = new ArrayList<>();
  private final ProtoWriter added = new ProtoWriter();
  private int growth;

  private A2aGrpcRepair(ProtoMessage message) {
    this.message = message;
  }

  /**
   * The new request message.
   *
   * @param request the first one, without forged verdicts
   * @param rejected ids of the answer that was not good enough
   * @param openTask true if that answer is a task which can be continued
   */
  static Optional<byte[]> message(
      ProtoMessage request,
      Correlation rejected,
      boolean openTask,
      String instruction,
      String freshMessageId) {
    Optional<ProtoField> field = request.first("message");
    if (field.isEmpty()) {
      return Optional.empty();
    }
    A2aGrpcRepair repair = new A2aGrpcRepair(field.get().message().orElseThrow());
    repair.fields(rejected, openTask, freshMessageId);
    repair.added.message(5, new ProtoWriter().string(1, instruction));
    return Optional.of(Splicer.applyToBytes(request.body(), repair.finish(field.get())));
  }

  private void fields(Correlation rejected, boolean openTask, String freshMessageId) {
    for (ProtoField field : message.fields()) {
      boolean replaced =
          switch (field.known().name()) {
            case "messageId" -> true;
            case "contextId" -> rejected.contextId().isPresent();
            case "taskId" -> !openTask;
            default -> false;
          };
      if (replaced) {
        edits.add(new Edit(field.tagStart(), field.end() - field.tagStart(), NOTHING));
        growth -= field.end() - field.tagStart();
      }
    }
    added.string(1, freshMessageId);
    rejected.contextId().ifPresent(id -> added.string(2, id));
    rejected.taskId().filter(id -> !references(id)).ifPresent(id -> added.string(8, id));
  }

  private boolean references(String taskId) {
    return message
        .all("referenceTaskIds")
        .anyMatch(field -> message.text(field).toString().equals(taskId));
  }

  private List<Edit> finish(ProtoField field) {
    byte[] bytes = added.toBytes();
    byte[] length = ProtoWriter.varint(field.end() - field.start() + growth + bytes.length);
    List<Edit> all = new ArrayList<>();
    all.add(new Edit(field.lengthStart(), field.start() - field.lengthStart(), length));
    all.addAll(edits);
    all.add(new Edit(field.end(), 0, bytes));
    return all;
  }
}
