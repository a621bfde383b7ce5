package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;
import java.math.BigInteger;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Convention {@code asp-text-1} once more, slow and plain: strings, hash sets and regular
 * expressions. What {@link TokenOverlapEstimator} is compared with.
 */
final class ReferenceEstimator implements Estimator {
  private static final String OWN =
      "\u3040-\u30FF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF"
          + "\\x{20000}-\\x{2FA1F}\\x{30000}-\\x{323AF}";
  private static final Pattern TOKEN =
      Pattern.compile("[" + OWN + "]|[\\p{L}\\p{M}\\p{N}&&[^" + OWN + "]]+");
  private static final Pattern COUNTS = Pattern.compile("[\\p{L}\\p{N}" + OWN + "]");
  private static final Pattern DIGIT = Pattern.compile("\\p{Nd}");

  private static final Pattern CANDIDATE =
      Pattern.compile("\\[([^\\[\\]()\n]{0,256})\\]|\\(([^\\[\\]()\n]{0,256})\\)");
  private static final String KEYWORD = "chunks?(?:[ \t:#_-]+|(?=[0-9]))";
  private static final Pattern LISTED = Pattern.compile("[ \t]*" + KEYWORD + "(.*?)[ \t]*");
  private static final Pattern BARE =
      Pattern.compile("[ \t]*[0-9]{1,9}(?:[ \t]*[,;][ \t]*[0-9]{1,9})*[ \t]*");
  private static final String SEPARATOR = "[ \t]*(?:[,;&]|[ \t]and[ \t])[ \t]*";
  private static final Pattern ITEM =
      Pattern.compile(
          "(?:"
              + KEYWORD
              + ")?(?:([0-9]+)[-\u2013\u2014]([0-9]+)|([a-z0-9](?:[a-z0-9._/:#-]*[a-z0-9])?))");

  @Override
  public Measurement measure(AgentMessage message) {
    Set<String> cited = new LinkedHashSet<>();
    String answer = cutCitations(normal(message.answer().toString()), cited);
    message.evidence().citations().stream()
        .map(citation -> lower(normal(citation).strip()))
        .filter(Predicate.not(String::isEmpty))
        .forEach(cited::add);
    Set<String> known = new HashSet<>();
    Set<String> context = new HashSet<>();
    message
        .evidence()
        .chunks()
        .forEach(chunk -> {
          known.add(lower(normal(chunk.id()).strip()));
          context.addAll(tokens(normal(chunk.text().toString())));
        });
    Set<String> question = tokens(normal(message.question().toString()));
    Set<String> tokens = tokens(answer);
    Set<String> novel = new HashSet<>(tokens);
    novel.removeAll(context);
    novel.removeAll(question);
    List<String> valid = cited.stream().filter(known::contains).toList();
    Counts counts =
        new Counts(
            tokens.size(),
            (int) tokens.stream().filter(context::contains).count(),
            novel.size(),
            (int) tokens.stream().filter(question::contains).count(),
            (int) novel.stream().filter(token -> DIGIT.matcher(token).find()).count(),
            cited.size(),
            valid.size(),
            List.copyOf(cited),
            valid);
    return Measurement.of(counts, SignalWeights.PAPER);
  }

  private static String normal(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFKC).replaceAll("\\p{Cf}", "");
  }

  private static String lower(String text) {
    StringBuilder lower = new StringBuilder();
    text.codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
    return lower.toString();
  }

  private static Set<String> tokens(String text) {
    Set<String> tokens = new HashSet<>();
    Matcher run = TOKEN.matcher(text);
    while (run.find()) {
      if (COUNTS.matcher(run.group()).find()) {
        tokens.add(lower(run.group()));
      }
    }
    return tokens;
  }

  private static String cutCitations(String text, Set<String> cited) {
    StringBuilder rest = new StringBuilder();
    Matcher candidate = CANDIDATE.matcher(text);
    int from = 0;
    int search = 0;
    while (candidate.find(search)) {
      boolean square = candidate.group(1) != null;
      Optional<List<String>> ids = ids(candidate.group(square ? 1 : 2), square);
      if (ids.isEmpty()) {
        search = candidate.start() + 1;
        continue;
      }
      cited.addAll(ids.get());
      rest.append(text, from, candidate.start()).append(' ');
      from = candidate.end();
      search = from;
    }
    return rest.append(text, from, text.length()).toString();
  }

  private static Optional<List<String>> ids(String rawBody, boolean square) {
    String body = lower(rawBody);
    Matcher listed = LISTED.matcher(body);
    List<String> ids = new ArrayList<>();
    if (listed.matches()) {
      for (String item : listed.group(1).split(SEPARATOR, -1)) {
        Matcher parts = ITEM.matcher(item);
        if (!parts.matches() || !item.matches(".*[0-9].*")) {
          return Optional.empty();
        }
        if (parts.group(1) != null) {
          addRange(parts.group(1), parts.group(2), ids);
        } else if (parts.group(3).matches(".*[0-9].*")) {
          ids.add(parts.group(3));
        } else {
          return Optional.empty();
        }
      }
      return Optional.of(ids);
    }
    if (square && BARE.matcher(body).matches()) {
      return Optional.of(List.of(body.strip().split("[ \t]*[,;][ \t]*")));
    }
    return Optional.empty();
  }

  private static void addRange(String first, String last, List<String> ids) {
    BigInteger a = new BigInteger(first);
    BigInteger b = new BigInteger(last);
    if (a.compareTo(b) <= 0 && b.subtract(a).compareTo(BigInteger.valueOf(63)) <= 0) {
      for (BigInteger i = a; i.compareTo(b) <= 0; i = i.add(BigInteger.ONE)) {
        ids.add(i.toString());
      }
    } else {
      ids.add(first + "-" + last);
    }
  }
}
