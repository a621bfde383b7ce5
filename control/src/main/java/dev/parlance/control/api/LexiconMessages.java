package dev.parlance.control.api;

import com.google.protobuf.UnsafeByteOperations;
import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.proto.v1.SignedBoard;

/** Boards as messages. */
final class LexiconMessages {
  private LexiconMessages() {}

  static SignedBoard signed(PublishedBoard board) {
    return SignedBoard.newBuilder()
        .setBoard(board.board())
        .setRevision(board.revision())
        .setNote(UnsafeByteOperations.unsafeWrap(board.note()))
        .build();
  }
}
