package dev.parlance.control.publish.api;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.parlance.proto.v1.Question;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A question to an agent, as it lies in the store and is sent to a sidecar. */
public record StoredQuestion(Question message) {
  private static final Logger log = LoggerFactory.getLogger(StoredQuestion.class);

  /** From the store's bytes. */
  public static Optional<StoredQuestion> read(String id, byte[] document) {
    try {
      return Optional.of(new StoredQuestion(Question.parseFrom(document)));
    } catch (InvalidProtocolBufferException e) {
      log.atError()
          .setCause(e)
          .addKeyValue("question", id)
          .log("the store holds a question that cannot be read");
      return Optional.empty();
    }
  }

  /** How long the agent has. */
  public int timeoutMs() {
    return message.getTimeoutMs();
  }

  /** The same with another time. */
  public StoredQuestion withTimeoutMs(int timeoutMs) {
    return new StoredQuestion(message.toBuilder().setTimeoutMs(timeoutMs).build());
  }
}
