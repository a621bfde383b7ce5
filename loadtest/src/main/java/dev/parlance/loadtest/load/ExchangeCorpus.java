package dev.parlance.loadtest.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * Builds many different exchanges of A2A v1.0 out of real sentences.
 *
 * <p>A grounded answer quotes the beginnings of its context chunks and cites them, and its question
 * takes up two fifths of its different words: by the paper's profile (ideal overlap with the
 * question .17/.45 of that with the context) such an answer drifts little and is executed. An
 * ungrounded one is made of sentences whose words the context does not have, without a citation.
 * Many different bodies rotate because one repeated body flatters every byte loop: the branch
 * predictor learns it. Every chunk ends with a word that says nothing ({@link
 * SampleExchange#NONCE}), in whose place the upstream writes one that never was before, where
 * evidence is to be new.
 */
public final class ExchangeCorpus {
  private static final String EVIDENCE = "https://w3id.org/parlance/ext/evidence/v1";
  private static final String HISTORY = "https://w3id.org/parlance/ext/loadtest-history/v1";
  private static final double ANSWER_SHARE = 0.15;
  private static final int ANSWER_CHARS_MAX = 3000;
  private static final int CHUNK_CHARS = 1300;
  private static final double QUESTION_SHARE = 0.42;
  private static final int ATTEMPTS = 100;
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+");
  private static final Pattern ID_SLOTS =
      Pattern.compile("^.*?\"contextId\":\"flow-0\",", Pattern.DOTALL);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final List<String> INVENTED =
      List.of(
          "Buyers receive quarterly refunds whenever delivery slips beyond seventeen days.",
          "Regional inspectors visit each warehouse twice, usually before Easter.",
          "Prices rise eleven percent once freight insurance lapses.",
          "Our chemists recommend storing solvents below twelve degrees Celsius.",
          "Passengers holding gold vouchers board earliest, regardless what gate agents announce.",
          "Tenants must repaint kitchens every fourth autumn using washable emulsion.",
          "Pilots log turbulence reports inside forty minutes after landing.",
          "Farmers rotate barley, clover then wheat across terraced fields.");

  private final CorpusPlan plan;
  private final List<String> sentences = LicenseText.sentences();
  private final Random random;

  private ExchangeCorpus(CorpusPlan plan) {
    this.plan = plan;
    this.random = new Random(plan.seed());
  }

  /** The exchanges of a plan; always the same for the same plan. */
  public static List<SampleExchange> build(CorpusPlan plan) {
    ExchangeCorpus corpus = new ExchangeCorpus(plan);
    List<SampleExchange> exchanges = new ArrayList<>(plan.exchanges());
    Set<SampleExchange.Bytes> bodies = new HashSet<>();
    for (int i = 0; i < plan.exchanges(); i++) {
      // Spreads the ungrounded ones evenly: the running total rounds up at these places.
      boolean ungrounded =
          Math.floor((i + 1) * plan.ungroundedShare()) > Math.floor(i * plan.ungroundedShare());
      SampleExchange next = corpus.next(!ungrounded);
      for (int again = 0; again < ATTEMPTS && !bodies.add(next.response()); again++) {
        next = corpus.next(!ungrounded);
      }
      exchanges.add(next);
    }
    return List.copyOf(exchanges);
  }

  private SampleExchange next(boolean grounded) {
    int wanted = (int) Math.round(plan.answerKb() * 1000);
    int answerChars = (int) Math.min(ANSWER_CHARS_MAX, Math.max(110, wanted * ANSWER_SHARE));
    List<String> chunks = chunks(Math.max(200, wanted - 900 - 2 * answerChars));
    List<String> cited = new ArrayList<>();
    List<String> quotes = quotes(chunks, answerChars);
    StringBuilder answer = new StringBuilder();
    for (int i = 0; i < quotes.size(); i++) {
      String id = "c" + (i + 1);
      cited.add(id);
      answer
          .append(i == 0 ? "" : " ")
          .append(quotes.get(i))
          .append(" [Chunk ")
          .append(id)
          .append(']');
    }
    String question = question(String.join(" ", quotes));
    if (!grounded) {
      cited.clear();
      answer.setLength(0);
      answer.append(invented(answerChars));
    }
    SampleExchange.Bytes response = response(answer.toString(), evidence(question, chunks, cited));
    int missing = wanted - response.length() - 100; // the ids and what stands around them
    if (missing > 0) {
      String longer = chunks.getLast() + " " + text(missing);
      chunks.set(chunks.size() - 1, longer);
      response = response(answer.toString(), evidence(question, chunks, cited));
    }
    List<String> context = chunks.stream().map(ExchangeCorpus::withNonce).toList();
    return new SampleExchange(
        grounded, question, answer.toString(), context, request(question), response);
  }

  private static Map<String, Object> evidence(
      String question, List<String> chunks, List<String> cited) {
    Map<String, Object> evidence = new LinkedHashMap<>();
    evidence.put("question", question);
    evidence.put("context", contextMembers(chunks));
    evidence.put("citations", cited);
    return evidence;
  }

  private List<String> chunks(int chars) {
    int count = Math.max(1, (int) Math.round((double) chars / CHUNK_CHARS));
    List<String> chunks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chunks.add(text(chars / count));
    }
    return chunks;
  }

  /** Sentences in random order, cut at a word. */
  private String text(int chars) {
    StringBuilder text = new StringBuilder();
    while (text.length() < chars) {
      text.append(text.isEmpty() ? "" : " ");
      text.append(sentences.get(random.nextInt(sentences.size())));
    }
    return cut(text.toString(), chars);
  }

  private static List<String> quotes(List<String> chunks, int answerChars) {
    int pieces = Math.min(chunks.size(), Math.max(1, answerChars / 250));
    List<String> quotes = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      quotes.add(cut(chunks.get(i), answerChars / pieces));
    }
    return quotes;
  }

  private static String question(String quoted) {
    int distinct = words(quoted).size();
    Set<String> taken = new LinkedHashSet<>();
    Matcher matcher = WORD.matcher(quoted);
    int end = 0;
    while (taken.size() < QUESTION_SHARE * distinct && matcher.find()) {
      taken.add(matcher.group().toLowerCase(Locale.ROOT));
      end = matcher.end();
    }
    return "Please explain: " + quoted.substring(0, end) + "?";
  }

  private String invented(int chars) {
    StringBuilder text = new StringBuilder();
    while (text.length() < chars) {
      text.append(text.isEmpty() ? "" : " ").append(INVENTED.get(random.nextInt(INVENTED.size())));
    }
    return text.toString();
  }

  private static List<Map<String, Object>> contextMembers(List<String> chunks) {
    List<Map<String, Object>> members = new ArrayList<>();
    for (int i = 0; i < chunks.size(); i++) {
      Map<String, Object> member = new LinkedHashMap<>();
      member.put("id", "c" + (i + 1));
      member.put("text", withNonce(chunks.get(i)));
      members.add(member);
    }
    return members;
  }

  /** The word at the end is where an answer that is to bring new evidence is made different. */
  private static String withNonce(String chunk) {
    return chunk + SampleExchange.NONCE;
  }

  private SampleExchange.Bytes request(String question) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("contextId", "flow-0");
    message.put("role", "ROLE_USER");
    message.put("parts", List.of(Map.of("text", question)));
    int missing = (int) Math.round(plan.requestKb() * 1000) - question.length() - 330;
    if (missing > 0) {
      // What went before in the conversation, as clients carry it along; not part of the question.
      message.put("metadata", Map.of(HISTORY, text(missing)));
    }
    return tail(JSON.writeValueAsString(message) + ",\"configuration\":{}}}");
  }

  private static SampleExchange.Bytes response(String answer, Map<String, Object> evidence) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("contextId", "flow-0");
    message.put("role", "ROLE_AGENT");
    message.put("parts", List.of(Map.of("text", answer)));
    message.put("metadata", Map.of(EVIDENCE, evidence));
    message.put("extensions", List.of(EVIDENCE));
    return tail(JSON.writeValueAsString(message) + "}}");
  }

  private static SampleExchange.Bytes tail(String json) {
    return new SampleExchange.Bytes(
        ID_SLOTS.matcher(json).replaceFirst("").getBytes(StandardCharsets.US_ASCII));
  }

  private static String cut(String text, int chars) {
    if (text.length() <= chars) {
      return text;
    }
    int blank = text.lastIndexOf(' ', chars);
    return text.substring(0, blank > 0 ? blank : chars);
  }

  private static Set<String> words(String text) {
    Set<String> words = new LinkedHashSet<>();
    WORD.matcher(text).results().forEach(m -> words.add(m.group().toLowerCase(Locale.ROOT)));
    return words;
  }

  /**
   * What kind of exchanges to build. The same plan always gives the same bytes, so the load
   * generator and the fake upstream each build their own copy.
   *
   * @param seed of the recombination
   * @param exchanges how many different ones, 1-65536
   * @param requestKb wanted size of a request body in units of 1,000 bytes, 0.3-1000
   * @param answerKb wanted size of an answer body in units of 1,000 bytes, 0.8-1000
   * @param ungroundedShare share of answers that nothing in their context supports, in [0,1]
   */
  public record CorpusPlan(
      long seed, int exchanges, double requestKb, double answerKb, double ungroundedShare) {
    public static final long DEFAULT_SEED = 20261121L;
    public static final int DEFAULT_EXCHANGES = 64;

    public CorpusPlan {
      if (exchanges < 1 || exchanges > 65_536) {
        throw new IllegalArgumentException("exchanges must lie in 1-65536, got " + exchanges);
      }
      if (!(requestKb >= 0.3 && requestKb <= 1000)) {
        throw new IllegalArgumentException(
            "request size must lie in 0.3-1000 KB, got " + requestKb);
      }
      if (!(answerKb >= 0.8 && answerKb <= 1000)) {
        throw new IllegalArgumentException("answer size must lie in 0.8-1000 KB, got " + answerKb);
      }
      if (!(ungroundedShare >= 0 && ungroundedShare <= 1)) {
        throw new IllegalArgumentException(
            "ungrounded share must lie in [0,1], got " + ungroundedShare);
      }
    }

    /** The same with other sizes. */
    public CorpusPlan withSizes(double newRequestKb, double newAnswerKb) {
      return new CorpusPlan(seed, exchanges, newRequestKb, newAnswerKb, ungroundedShare);
    }
  }
}
