package dev.parlance.policy.commit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Numbers in words and with words of size become digits: "3.2 million" is 3200000, "third" is 3rd.
 */
final class DigitFolding {
  private static final Map<String, Integer> SMALL = new HashMap<>();
  private static final Map<String, String> OTHERS = new HashMap<>();
  private static final Map<String, Long> SCALES =
      Map.of("hundred", 100L, "thousand", 1_000L, "million", 1_000_000L, "billion", 1_000_000_000L);

  static {
    String[] units =
        ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
                + " fifteen sixteen seventeen eighteen nineteen")
            .split(" ", -1);
    for (int i = 0; i < units.length; i++) {
      SMALL.put(units[i], i);
    }
    String[] tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ", -1);
    for (int i = 0; i < tens.length; i++) {
      SMALL.put(tens[i], 20 + 10 * i);
    }
    SMALL.put("dozen", 12);
    String[] ordinals =
        ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
                + " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
                + " twentieth")
            .split(" ", -1);
    for (int i = 0; i < ordinals.length; i++) {
      String ending = i == 0 ? "st" : i == 1 ? "nd" : i == 2 ? "rd" : "th";
      OTHERS.put(ordinals[i], (i + 1) + ending);
    }
    OTHERS.put("last", "0last");
    OTHERS.put("final", "0last");
    OTHERS.put("next", "0next");
    OTHERS.put("half", "0.5");
    OTHERS.put("quarter", "0.25");
  }

  private static final Set<String> COUNTED =
      Set.of("a", "per", "every", "each", "and", "or", "in", "by", "with", "only");
  private static final int MAX_DIGITS = 30;
  private static final Pattern DECIMAL = Pattern.compile("\\d+(?:\\.\\d+)?");

  private DigitFolding() {}

  static List<String> fold(List<String> words) {
    List<String> folded = new ArrayList<>();
    for (int at = 0; at < words.size(); ) {
      int end = at;
      BigDecimal total = BigDecimal.ZERO;
      BigDecimal part = BigDecimal.ZERO;
      while (end < words.size()) {
        String word = words.get(end);
        Integer small = SMALL.get(word);
        Long scale = end > at ? SCALES.get(word) : null;
        if (end == at && isDecimal(word)) {
          part = new BigDecimal(word);
        } else if (small != null && (end == at || !isDecimal(words.get(at)))) {
          part = part.add(BigDecimal.valueOf(small));
        } else if (scale != null && scale == 100L) {
          part = part.multiply(BigDecimal.valueOf(scale));
        } else if (scale != null) {
          total = total.add(part.multiply(BigDecimal.valueOf(scale)));
          part = BigDecimal.ZERO;
        } else {
          break;
        }
        end++;
      }
      if (end > at) {
        folded.add(total.add(part).stripTrailingZeros().toPlainString());
        at = end;
      } else {
        if (words.get(at).equals("once") && isTimes(words, at + 1)) {
          folded.add("1");
          folded.add("times");
        } else {
          folded.add(OTHERS.getOrDefault(words.get(at), words.get(at)));
        }
        at++;
      }
    }
    return folded;
  }

  /** True if "once" counts here, and opens no clause. */
  private static boolean isTimes(List<String> words, int next) {
    return next >= words.size()
        || !Character.isLetter(words.get(next).charAt(0))
        || COUNTED.contains(words.get(next));
  }

  private static boolean isDecimal(String word) {
    return word.length() <= MAX_DIGITS && DECIMAL.matcher(word).matches();
  }
}
