package dev.parlance.loadtest.bench;

import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LicenseText;
import dev.parlance.loadtest.load.RequestBytes;
import dev.parlance.loadtest.load.SampleExchange;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Messages and bodies of many different exchanges, made of real text, for benchmarks. */
public final class RotatingMessages {
  private static final double BODY_KB = 4.5;

  private RotatingMessages() {}

  /** Request bodies of about this size, in units of 1,000 bytes. */
  static List<byte[]> requests(double kb) {
    return bodies(kb, SampleExchange::requestBody);
  }

  /** The answers to {@link #requests}, evidence included, of about this size. */
  static List<byte[]> answers(double kb) {
    return bodies(kb, SampleExchange::responseBody);
  }

  private static List<byte[]> bodies(double kb, BiFunction<SampleExchange, Long, String> body) {
    List<byte[]> bodies = new ArrayList<>();
    for (SampleExchange exchange : exchanges(kb)) {
      String text = body.apply(exchange, RequestBytes.FIRST_ID + bodies.size());
      bodies.add(text.getBytes(StandardCharsets.US_ASCII));
    }
    return List.copyOf(bodies);
  }

  private static List<SampleExchange> exchanges(double kb) {
    return ExchangeCorpus.build(
        new CorpusPlan(CorpusPlan.DEFAULT_SEED, CorpusPlan.DEFAULT_EXCHANGES, kb, kb, 0));
  }

  /** What the load test's bodies of 4.5 KB say: about 690 bytes of answer, 3 KB of evidence. */
  static List<AgentMessage> messages() {
    return messages(SampleExchange::answer);
  }

  /** The same, but that the answer says all of the evidence over again. */
  static List<AgentMessage> sayingTheirEvidence() {
    return messages(exchange -> exchange.answer() + " " + String.join(" ", exchange.context()));
  }

  /**
   * The same with an answer of another size, its sentences at random.
   *
   * @param answerKb size of the answer in units of 1,000 bytes
   */
  public static List<AgentMessage> withAnswers(double answerKb) {
    int bytes = (int) Math.round(answerKb * 1000);
    List<String> sentences = LicenseText.sentences();
    Random random = new Random(CorpusPlan.DEFAULT_SEED);
    return messages(_ -> {
      StringBuilder answer = new StringBuilder();
      while (answer.length() < bytes) {
        answer.append(sentences.get(random.nextInt(sentences.size()))).append(" [Chunk c1] ");
      }
      return answer.substring(0, bytes);
    });
  }

  private static List<AgentMessage> messages(Function<SampleExchange, String> answer) {
    List<AgentMessage> messages = new ArrayList<>();
    for (SampleExchange exchange : exchanges(BODY_KB)) {
      List<Chunk> chunks = new ArrayList<>();
      for (String text : exchange.context()) {
        chunks.add(new Chunk("c" + (chunks.size() + 1), Utf8Span.of(text)));
      }
      messages.add(
          new AgentMessage(
              Utf8Span.of(answer.apply(exchange)),
              Utf8Span.of(exchange.question()),
              new Evidence(
                  EvidenceSource.DECLARED, chunks, List.of(), OptionalDouble.empty(), List.of())));
    }
    return List.copyOf(messages);
  }
}
