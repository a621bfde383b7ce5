package dev.parlance.encoder;

import java.util.HashMap;
import java.util.Map;

/**
 * Brings forms of an English word together: plurals, past and progressive of verbs, and the common
 * irregular ones. What comes out is a key and no word ("licensed" and "licenses" are "licens").
 */
final class Stem {
  private static final int MIN = 3;

  private static final String IRREGULAR =
      """
      pay paid; give gave given; sell sold; hold held; keep kept; make made; take took taken
      send sent; write wrote written; know knew known; see saw seen; begin began begun
      bring brought; buy bought; build built; choose chose chosen; find found; get got gotten
      grow grew grown; hear heard; lay laid; lead led; leave left; lend lent; lose lost
      mean meant; meet met; rise rose risen; say said; show shown; speak spoke spoken
      spend spent; stand stood; steal stole stolen; teach taught; tell told; think thought
      understand understood; win won; withdraw withdrew withdrawn; break broke broken
      bear bore borne; bind bound; deal dealt; draw drew drawn; drive drove driven; eat ate eaten
      fall fell fallen; feed fed; feel felt; fly flew flown; forbid forbade forbidden
      run ran; seek sought; sit sat; catch caught; child children; person people; man men
      woman women; overtake overtook overtaken; undertake undertook undertaken
      foot feet; half halves; datum data; die died dying; lie lying
      """;

  private static final Map<String, String> BASE = irregular();

  private Stem() {}

  /** The key of a word in lower case. */
  static String of(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) < 'a' || word.charAt(i) > 'z') {
        return word;
      }
    }
    return withoutEnd(BASE.getOrDefault(word, withoutEnding(word)));
  }

  private static String withoutEnding(String word) {
    int n = word.length();
    if (n > 4 && (word.endsWith("ies") || word.endsWith("ied"))) {
      return word.substring(0, n - 3) + "y";
    }
    if (word.endsWith("s") && n > MIN) {
      if (word.endsWith("ss") || word.endsWith("us") || word.endsWith("is")) {
        return word;
      }
      boolean hissing =
          word.endsWith("sses")
              || word.endsWith("xes")
              || word.endsWith("ches")
              || word.endsWith("shes")
              || word.endsWith("zes");
      return word.substring(0, hissing ? n - 2 : n - 1);
    }
    if (n > 4 && word.endsWith("ed") && hasVowel(word, n - 2)) {
      return single(word.substring(0, n - 2));
    }
    if (n > 5 && word.endsWith("ing") && hasVowel(word, n - 3)) {
      return single(word.substring(0, n - 3));
    }
    return word;
  }

  /** "stopp" is "stop"; "pass" stays. */
  private static String single(String stem) {
    int n = stem.length();
    char last = stem.charAt(n - 1);
    boolean doubled = n > MIN && last == stem.charAt(n - 2) && "lsz".indexOf(last) < 0;
    return doubled && !isVowel(last) ? stem.substring(0, n - 1) : stem;
  }

  private static String withoutEnd(String word) {
    return word.length() > MIN && word.endsWith("e") ? word.substring(0, word.length() - 1) : word;
  }

  private static boolean hasVowel(String word, int end) {
    for (int i = 0; i < end; i++) {
      if (isVowel(word.charAt(i)) || word.charAt(i) == 'y') {
        return true;
      }
    }
    return false;
  }

  private static boolean isVowel(char c) {
    return "aeiou".indexOf(c) >= 0;
  }

  private static Map<String, String> irregular() {
    Map<String, String> map = new HashMap<>();
    for (String group : IRREGULAR.replace('\n', ';').split(";", -1)) {
      String[] forms = group.strip().split(" ", -1);
      for (int i = 1; i < forms.length; i++) {
        map.put(forms[i], forms[0]);
      }
    }
    return Map.copyOf(map);
  }
}
