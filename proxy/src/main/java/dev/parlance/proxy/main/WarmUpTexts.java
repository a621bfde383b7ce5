package dev.parlance.proxy.main;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The messages of a warm-up: A2A over JSON-RPC, a question with a conversation before it and an
 * answer that quotes declared evidence, each of some kilobytes. {@value #KINDS} different ones in
 * turn, half of what is asked again, so that new and known evidence are both met.
 */
final class WarmUpTexts {
  static final String PATH = "/warm-up";

  private static final int KINDS = 64;
  private static final int CHUNKS = 4;
  private static final int CHUNK_WORDS = 110;
  private static final int QUOTE_WORDS = 28;
  private static final int HISTORY_WORDS = 500;
  private static final int WORDS = 600;
  private static final String EVIDENCE = "https://w3id.org/parlance/ext/evidence/v1";
  private static final String EARLIER = "https://w3id.org/parlance/ext/warm-up-history/v1";

  private static final List<Pair> PAIRS = pairs();

  /** Body of a question and of its answer, but for their ids. */
  private record Pair(String question, String answer) {}

  private WarmUpTexts() {}

  /**
   * The request with this number, as it goes over the wire.
   *
   * @param port of the agent on loopback that it is for
   */
  static byte[] request(int number, int port) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + number
            + ",\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"w-"
            + number
            + "\",\"contextId\":\"warm-up-"
            + number
            + PAIRS.get(kind(number)).question();
    return wire(
        "POST " + PATH + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nA2A-Version: 1.0\r\n", body);
  }

  /** The answer to it. */
  static byte[] answer(int number) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + number
            + ",\"result\":{\"message\":{\"messageId\":\"a-"
            + number
            + "\",\"contextId\":\"warm-up-"
            + number
            + PAIRS.get(kind(number)).answer();
    return wire("HTTP/1.1 200 OK\r\n", body);
  }

  private static int kind(int number) {
    return number / 2 % KINDS;
  }

  private static byte[] wire(String start, String body) {
    return (start
            + "Content-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static List<Pair> pairs() {
    SplittableRandom random = new SplittableRandom(1);
    String[] words = words(random);
    List<Pair> pairs = new ArrayList<>(KINDS);
    for (int i = 0; i < KINDS; i++) {
      pairs.add(pair(random, words));
    }
    return pairs;
  }

  private static Pair pair(SplittableRandom random, String[] words) {
    StringBuilder context = new StringBuilder();
    StringBuilder said = new StringBuilder();
    StringBuilder cited = new StringBuilder();
    String question = "";
    for (int chunk = 1; chunk <= CHUNKS; chunk++) {
      String quote = text(random, words, QUOTE_WORDS);
      String separator = chunk == 1 ? "" : ",";
      context
          .append(separator)
          .append("{\"id\":\"c")
          .append(chunk)
          .append("\",\"text\":\"")
          .append(quote)
          .append(' ')
          .append(text(random, words, CHUNK_WORDS))
          .append("\"}");
      said.append(quote).append(" [Chunk c").append(chunk).append("] ");
      cited.append(separator).append("\"c").append(chunk).append('"');
      question = question.isEmpty() ? "Please explain: " + quote + "?" : question;
    }
    String asked =
        "\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\""
            + question
            + "\"}],\"metadata\":{\""
            + EARLIER
            + "\":\""
            + text(random, words, HISTORY_WORDS)
            + "\"}},\"configuration\":{}}}";
    String answered =
        "\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\""
            + said
            + "\"}],\"metadata\":{\""
            + EVIDENCE
            + "\":{\"question\":\""
            + question
            + "\",\"context\":["
            + context
            + "],\"citations\":["
            + cited
            + "]}},\"extensions\":[\""
            + EVIDENCE
            + "\"]}}}";
    return new Pair(asked, answered);
  }

  private static String text(SplittableRandom random, String[] words, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      // small indexes more often, as words of a language are
      int bound = 1 + random.nextInt(words.length);
      text.append(i == 0 ? "" : i % 13 == 0 ? ". " : " ").append(words[random.nextInt(bound)]);
    }
    return text.append('.').toString();
  }

  private static String[] words(SplittableRandom random) {
    String[] syllables = {"ba", "ren", "to", "li", "mas", "ke", "dor", "vi", "sun", "pa", "gri"};
    String[] words = new String[WORDS];
    for (int i = 0; i < words.length; i++) {
      StringBuilder word = new StringBuilder();
      int length = 1 + random.nextInt(4);
      for (int j = 0; j < length; j++) {
        word.append(syllables[random.nextInt(syllables.length)]);
      }
      words[i] = word.toString();
    }
    return words;
  }
}
