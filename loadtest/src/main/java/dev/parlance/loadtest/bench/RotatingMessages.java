package dev.parlance.loadtest.bench;

import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LicenseText;
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

/** Messages and bodies of many different exchanges, made of real text, for benchmarks. */
public final class RotatingMessages {
  private static final long FIRST_ID = 1_000_000;

  private RotatingMessages() {}

  /** Request bodies of about this size, in units of 1,000 bytes. */
  public static List<byte[]> requests(double kb) {
    List<byte[]> bodies = new ArrayList<>();
    for (SampleExchange exchange : exchanges(kb)) {
      bodies.add(ascii(exchange.requestBody(FIRST_ID + bodies.size())));
    }
    return List.copyOf(bodies);
  }

  /** The answers to {@link #requests}, evidence included, of about this size. */
  public static List<byte[]> answers(double kb) {
    List<byte[]> bodies = new ArrayList<>();
    for (SampleExchange exchange : exchanges(kb)) {
      long id = FIRST_ID + bodies.size();
      String rest = new String(exchange.response().toArray(), StandardCharsets.US_ASCII);
      bodies.add(
          ascii(
              SampleExchange.RESPONSE_START
                  + id
                  + SampleExchange.RESPONSE_MESSAGE
                  + id
                  + SampleExchange.FLOW
                  + id
                  + SampleExchange.AFTER_FLOW
                  + rest));
    }
    return List.copyOf(bodies);
  }

  private static List<SampleExchange> exchanges(double kb) {
    return ExchangeCorpus.build(
        new CorpusPlan(CorpusPlan.DEFAULT_SEED, CorpusPlan.DEFAULT_EXCHANGES, kb, kb, 0));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static final double BODY_KB = 4.5;

  /** What the load test's bodies of 4.5 KB say: about 690 bytes of answer, 3 KB of evidence. */
  public static List<AgentMessage> messages() {
    return exchanges(BODY_KB).stream()
        .map(exchange -> message(exchange.answer(), exchange.question(), texts(exchange.context())))
        .toList();
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
    List<AgentMessage> messages = new ArrayList<>();
    for (SampleExchange exchange : exchanges(BODY_KB)) {
      StringBuilder answer = new StringBuilder();
      while (answer.length() < bytes) {
        answer.append(sentences.get(random.nextInt(sentences.size()))).append(" [Chunk c1] ");
      }
      messages.add(
          message(answer.substring(0, bytes), exchange.question(), texts(exchange.context())));
    }
    return List.copyOf(messages);
  }

  private static List<byte[]> texts(List<String> context) {
    return context.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static AgentMessage message(String answer, String question, List<byte[]> context) {
    List<Chunk> chunks = new ArrayList<>();
    for (byte[] text : context) {
      chunks.add(new Chunk("c" + (chunks.size() + 1), Utf8Span.of(text)));
    }
    return new AgentMessage(
        Utf8Span.of(answer),
        Utf8Span.of(question),
        new Evidence(
            EvidenceSource.DECLARED, chunks, List.of(), OptionalDouble.empty(), List.of()));
  }
}
