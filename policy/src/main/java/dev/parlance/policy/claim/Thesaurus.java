package dev.parlance.policy.claim;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/**
 * A table of English words that answers whether two of them are synonyms, derived from one another,
 * opposites, or one the kind of which the other is; compiled from WordNet 3.1 by the build ({@code
 * src/build/java/CompileThesaurus.java} draws the file).
 *
 * <p>Words are asked for by their keys, in any of their forms: the irregular ones stand in the
 * file, the regular ones are made here. A form may be one of several words ({@code left}: the
 * adjective, and of {@code leave}); every question is then answered for all of them. Immutable;
 * nothing is allocated by a question.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public final class Thesaurus {
  public static final int NOUN = 1;
  public static final int VERB = 2;
  public static final int ADJECTIVE = 4;

  private static final int COMPARATIVE = 1;
  private static final int SUPERLATIVE = 2;
  private static final int DEGREE_BITS = 2;
  private static final long MORE = 1L << 31;
  private static final int NONE = -1;

  private final Lists groups;
  private final int[] general;
  private final Lists derived;
  private final Lists opposites;
  private final Related related;
  private final byte[] parts;

  /**
   * An open hash table of forms: half of the key above, below it the word with its degree plus one.
   * The highest bit of that says that there is another word of the key further on.
   */
  private final long[] forms = new long[1 << 18];

  private Thesaurus(ByteSource in, ToLongFunction<String> keyOf) {
    int count = in.number();
    String[] names = new String[count];
    parts = new byte[count];
    String before = "";
    for (int i = 0; i < count; i++) {
      before = in.word(before);
      names[i] = before;
      parts[i] = in.next();
    }
    groups = Lists.of(in, count, false);
    general = new int[in.number()];
    for (int i = 0; i < general.length; i++) {
      general[i] = in.number() - 1;
    }
    derived = Lists.of(in, count, true).bothWays();
    related = Related.of(groups.turned(general.length), groups, derived);
    opposites = Lists.of(in, count, true).bothWays();
    for (int i = 0; i < count; i++) {
      put(keyOf.applyAsLong(names[i]), i, 0);
    }
    before = "";
    for (int i = in.number(); i > 0; i--) {
      before = in.word(before);
      int word = in.number();
      put(keyOf.applyAsLong(before), word, irregularDegree(parts[word], before));
    }
    for (int i = 0; i < count; i++) {
      putRegularForms(names[i], i, keyOf);
    }
  }

  /**
   * Loads the table.
   *
   * @param keyOf gives a word the key under which it will be asked for
   */
  public static Thesaurus load(ToLongFunction<String> keyOf) {
    return new Thesaurus(new ByteSource(TableFile.bytes(Thesaurus.class, "thesaurus.bin")), keyOf);
  }

  /**
   * The word of which {@code key} is a form, as a number from 0, -1 if there is none; of several
   * ({@code left}, {@code meeting}) the one that is most reduced.
   */
  public int word(long key) {
    int last = slot(key);
    if (last == NONE) {
      return NONE;
    }
    while ((forms[last] & MORE) != 0) {
      last = next(last, key);
    }
    return word(last);
  }

  /** The parts of speech a word can be: {@link #NOUN} and so on. */
  public int parts(int word) {
    return parts[word];
  }

  /** The words that share a meaning with a word or are derived from one another, from here ... */
  public int firstRelated(int word) {
    return related.starts[word];
  }

  /** ... to before here, in {@link #related}. */
  public int endRelated(int word) {
    return related.starts[word + 1];
  }

  /** A word that is related to another one. */
  public int related(int place) {
    return related.words[place] >> 1;
  }

  /** True if it is derived from that, or that from it; else it is a synonym. */
  public boolean isDerivation(int place) {
    return (related.words[place] & 1) != 0;
  }

  /** The opposites of a word, from here ... */
  public int firstOpposite(int word) {
    return opposites.from(word);
  }

  /** ... to before here, in {@link #opposite}. */
  public int endOpposite(int word) {
    return opposites.to(word);
  }

  /** An opposite of a word. */
  public int opposite(int place) {
    return opposites.targets[place];
  }

  /** True if a form of a word of the table has this key. */
  public boolean isKnown(long key) {
    return slot(key) != NONE;
  }

  /** Where a key stands in the table, to ask of it more than once; -1 if it does not. */
  public int place(long key) {
    return slot(key);
  }

  /** The same of keys whose places are known. */
  public boolean isSameWord(int placeA, long a, int placeB, long b) {
    return placeA != NONE && placeB != NONE && any(placeA, a, placeB, b, Thesaurus::equal);
  }

  /** {@link #isAntonym} of keys whose places are known. */
  public boolean isAntonym(int placeA, long a, int placeB, long b) {
    return placeA != NONE && placeB != NONE && any(placeA, a, placeB, b, Thesaurus::antonyms);
  }

  /** True if a word of the key at a place has an opposite. */
  public boolean hasOpposite(int place, long key) {
    for (int i = place; i != NONE; i = next(i, key)) {
      if (opposites.from(word(i)) < opposites.to(word(i))) {
        return true;
      }
    }
    return false;
  }

  /** True if both are forms of one word: the same degree of an adjective, any tense and number. */
  public boolean isSameWord(long a, long b) {
    return any(a, b, Thesaurus::equal);
  }

  /** True if both are forms of one word or share a meaning, in the same degree. */
  public boolean isSynonym(long a, long b) {
    return any(a, b, Thesaurus::synonyms);
  }

  /** True of synonyms, and of words one of which is derived from the other. */
  public boolean isRelated(long a, long b) {
    return any(a, b, Thesaurus::related);
  }

  /** True if both are forms of one word, or one is derived from the other. */
  public boolean isDerived(long a, long b) {
    return any(a, b, Thesaurus::derived);
  }

  /** True if the two are opposites, in the same degree. */
  public boolean isAntonym(long a, long b) {
    return any(a, b, Thesaurus::antonyms);
  }

  /** True if {@code b} is, in one of its meanings, what {@code a} is a kind of: dog, animal. */
  public boolean isKindOf(long a, long b) {
    return any(a, b, Thesaurus::kindOf);
  }

  /** True if {@code key} is a form of a word that can only be an adverb. */
  public boolean isAdverb(long key) {
    return partsOf(key) == 8;
  }

  /** True if {@code key} is a form of a word that can be a verb. */
  public boolean isVerb(long key) {
    return (partsOf(key) & VERB) != 0;
  }

  private int partsOf(long key) {
    int all = 0;
    for (int slot = slot(key); slot != NONE; slot = next(slot, key)) {
      all |= parts[word(slot)];
    }
    return all;
  }

  /**
   * The groups of synonyms that a word stands in; two words are synonyms if they share one.
   *
   * @return how many were written to {@code into}, which may not hold all
   */
  public int groups(long key, int[] into) {
    int count = 0;
    for (int slot = slot(key); slot != NONE; slot = next(slot, key)) {
      int word = word(slot);
      for (int i = groups.from(word); i < groups.to(word) && count < into.length; i++) {
        into[count++] = groups.targets[i];
      }
    }
    return count;
  }

  private interface Relation {
    boolean holds(Thesaurus table, int a, int b);
  }

  private boolean any(long a, long b, Relation relation) {
    int placeA = slot(a);
    return placeA != NONE && any(placeA, a, slot(b), b, relation);
  }

  private boolean any(int placeA, long a, int placeB, long b, Relation relation) {
    for (int i = placeA; i != NONE; i = next(i, a)) {
      for (int j = placeB; j != NONE; j = next(j, b)) {
        if (degree(i) == degree(j) && relation.holds(this, word(i), word(j))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean equal(Thesaurus table, int a, int b) {
    return a == b;
  }

  private static boolean synonyms(Thesaurus table, int a, int b) {
    return a == b || table.groups.share(a, b);
  }

  private static boolean derived(Thesaurus table, int a, int b) {
    return a == b || table.derived.has(a, b);
  }

  private static boolean related(Thesaurus table, int a, int b) {
    return synonyms(table, a, b) || table.derived.has(a, b);
  }

  private static boolean antonyms(Thesaurus table, int a, int b) {
    return table.opposites.has(a, b);
  }

  private static boolean kindOf(Thesaurus table, int a, int b) {
    Lists groups = table.groups;
    for (int i = groups.from(a); i < groups.to(a); i++) {
      int parent = table.general[groups.targets[i]];
      if (parent >= 0 && groups.has(b, parent)) {
        return true;
      }
    }
    return false;
  }

  // ---- forms ----

  private static int irregularDegree(byte parts, String form) {
    if ((parts & ADJECTIVE) == 0) {
      return 0;
    }
    return form.endsWith("st") ? SUPERLATIVE : form.endsWith("r") ? COMPARATIVE : 0;
  }

  private void putRegularForms(String word, int number, ToLongFunction<String> keyOf) {
    int part = parts[number];
    if ((part & (NOUN | VERB)) != 0) {
      put(keyOf.applyAsLong(plural(word)), number, 0);
    }
    if ((part & VERB) != 0) {
      String stem = withoutFinal(word, 'e');
      put(keyOf.applyAsLong(ending(word, stem, "ed")), number, 0);
      put(keyOf.applyAsLong(ing(word)), number, 0);
      if (doubles(word)) {
        String twice = word + word.charAt(word.length() - 1);
        put(keyOf.applyAsLong(twice.concat("ed")), number, 0);
        put(keyOf.applyAsLong(twice.concat("ing")), number, 0);
      }
    }
    if ((part & ADJECTIVE) != 0 && word.length() <= 7) {
      String stem = withoutFinal(word, 'e');
      put(keyOf.applyAsLong(ending(word, stem, "er")), number, COMPARATIVE);
      put(keyOf.applyAsLong(ending(word, stem, "est")), number, SUPERLATIVE);
      if (doubles(word)) {
        String twice = word + word.charAt(word.length() - 1);
        put(keyOf.applyAsLong(twice.concat("er")), number, COMPARATIVE);
        put(keyOf.applyAsLong(twice.concat("est")), number, SUPERLATIVE);
      }
    }
  }

  private static String plural(String word) {
    if (endsInConsonantAndY(word)) {
      return word.substring(0, word.length() - 1).concat("ies");
    }
    boolean hisses =
        word.endsWith("s")
            || word.endsWith("x")
            || word.endsWith("z")
            || word.endsWith("ch")
            || word.endsWith("sh")
            || word.endsWith("o");
    return word.concat(hisses ? "es" : "s");
  }

  private static String ing(String word) {
    if (word.endsWith("ie")) {
      return word.substring(0, word.length() - 2).concat("ying");
    }
    boolean silent = word.endsWith("e") && !word.endsWith("ee") && !word.endsWith("oe");
    return (silent ? withoutFinal(word, 'e') : word).concat("ing");
  }

  /** The word with -ed, -er or -est: no e is doubled, y becomes i after a consonant. */
  private static String ending(String word, String stem, String ending) {
    return endsInConsonantAndY(word)
        ? word.substring(0, word.length() - 1) + "i" + ending
        : stem.concat(ending);
  }

  private static String withoutFinal(String word, char letter) {
    int last = word.length() - 1;
    return word.charAt(last) == letter ? word.substring(0, last) : word;
  }

  private static boolean endsInConsonantAndY(String word) {
    int last = word.length() - 1;
    return last > 0 && word.charAt(last) == 'y' && !isVowel(word.charAt(last - 1));
  }

  /**
   * True if the last consonant may be written twice: one vowel before it, a consonant or qu before.
   */
  private static boolean doubles(String word) {
    int last = word.length() - 1;
    return last >= 2
        && !isVowel(word.charAt(last))
        && "wxyh".indexOf(word.charAt(last)) < 0
        && isVowel(word.charAt(last - 1))
        && (!isVowel(word.charAt(last - 2)) || word.charAt(last - 2) == 'u');
  }

  private static boolean isVowel(char letter) {
    return "aeiou".indexOf(letter) >= 0;
  }

  // ---- the hash table ----

  private void put(long key, int word, int degree) {
    int entry = (word << DEGREE_BITS | degree) + 1;
    int slot = (int) key & forms.length - 1;
    int last = NONE;
    while (forms[slot] != 0) {
      if (isOf(slot, key)) {
        if ((forms[slot] & (MORE - 1)) == entry) {
          return;
        }
        last = slot;
      }
      slot = slot + 1 & forms.length - 1;
    }
    forms[slot] = (key & (-1L << 32)) | entry;
    if (last != NONE) {
      forms[last] |= MORE;
    }
  }

  private boolean isOf(int slot, long key) {
    return (forms[slot] ^ key) >>> 32 == 0;
  }

  /** The first slot of a key, or {@link #NONE}. */
  private int slot(long key) {
    int slot = (int) key & forms.length - 1;
    while (forms[slot] != 0) {
      if (isOf(slot, key)) {
        return slot;
      }
      slot = slot + 1 & forms.length - 1;
    }
    return NONE;
  }

  private int next(int slot, long key) {
    if ((forms[slot] & MORE) == 0) {
      return NONE;
    }
    int next = slot;
    do {
      next = next + 1 & forms.length - 1;
    } while (!isOf(next, key));
    return next;
  }

  private int word(int slot) {
    return (int) ((forms[slot] & (MORE - 1)) - 1) >> DEGREE_BITS;
  }

  private int degree(int slot) {
    return (int) ((forms[slot] & (MORE - 1)) - 1) & (1 << DEGREE_BITS) - 1;
  }

  /**
   * For each word all that are related to it in one row, so that one place of the memory is read
   * for it: twice their numbers, one more for what is derived.
   */
  private record Related(int[] starts, int[] words) {
    static Related of(Lists members, Lists groups, Lists derived) {
      int count = groups.starts.length - 1;
      int[] starts = new int[count + 1];
      int[] words = new int[1 << 20];
      int at = 0;
      int[] lastOf = new int[count];
      for (int word = 0; word < count; word++) {
        lastOf[word] = word + 1;
        for (int d = derived.from(word); d < derived.to(word); d++) {
          lastOf[derived.targets[d]] = word + 1;
          words = at == words.length ? Arrays.copyOf(words, 2 * at) : words;
          words[at++] = derived.targets[d] << 1 | 1;
        }
        for (int g = groups.from(word); g < groups.to(word); g++) {
          int group = groups.targets[g];
          for (int m = members.from(group); m < members.to(group); m++) {
            // One that shares several meanings, or is derived too, counts once.
            if (lastOf[members.targets[m]] != word + 1) {
              lastOf[members.targets[m]] = word + 1;
              words = at == words.length ? Arrays.copyOf(words, 2 * at) : words;
              words[at++] = members.targets[m] << 1;
            }
          }
        }
        starts[word + 1] = at;
      }
      return new Related(starts, Arrays.copyOf(words, at));
    }
  }

  /** A sorted list of numbers for each word, one after the other. */
  private record Lists(int[] starts, int[] targets) {
    static Lists of(ByteSource in, int count, boolean fromItself) {
      int[] starts = new int[count + 1];
      int[] targets = new int[count];
      for (int word = 0, at = 0; word < count; word++) {
        int last = fromItself ? word : 0;
        for (int n = in.number(); n > 0; n--) {
          last += in.number();
          targets = at == targets.length ? Arrays.copyOf(targets, 2 * at) : targets;
          targets[at++] = last;
        }
        starts[word + 1] = at;
      }
      return new Lists(starts, Arrays.copyOf(targets, starts[count]));
    }

    int from(int word) {
      return starts[word];
    }

    int to(int word) {
      return starts[word + 1];
    }

    boolean has(int word, int target) {
      return Arrays.binarySearch(targets, from(word), to(word), target) >= 0;
    }

    boolean share(int a, int b) {
      int i = from(a);
      int j = from(b);
      while (i < to(a) && j < to(b)) {
        if (targets[i] == targets[j]) {
          return true;
        }
        if (targets[i] < targets[j]) {
          i++;
        } else {
          j++;
        }
      }
      return false;
    }

    /** For each of so many targets the words that have it. */
    Lists turned(int count) {
      int[] ends = new int[count + 1];
      for (int target : targets) {
        ends[target + 1]++;
      }
      for (int target = 0; target < count; target++) {
        ends[target + 1] += ends[target];
      }
      int[] next = ends.clone();
      int[] words = new int[targets.length];
      for (int word = 0; word < starts.length - 1; word++) {
        for (int i = from(word); i < to(word); i++) {
          words[next[targets[i]]++] = word;
        }
      }
      return new Lists(ends, words);
    }

    /** Each pair, so far at one of its words, at both. */
    Lists bothWays() {
      int count = starts.length - 1;
      int[] ends = new int[count + 1];
      for (int word = 0; word < count; word++) {
        ends[word + 1] += to(word) - from(word);
        for (int i = from(word); i < to(word); i++) {
          ends[targets[i] + 1]++;
        }
      }
      for (int word = 0; word < count; word++) {
        ends[word + 1] += ends[word];
      }
      int[] next = ends.clone();
      int[] both = new int[ends[count]];
      for (int word = 0; word < count; word++) {
        for (int i = from(word); i < to(word); i++) {
          both[next[word]++] = targets[i];
          both[next[targets[i]]++] = word;
        }
      }
      return new Lists(ends, both);
    }
  }

  /** The bytes of the file, read in order. */
  private static final class ByteSource {
    private final byte[] bytes;
    private int at;

    ByteSource(byte[] bytes) {
      this.bytes = bytes;
    }

    byte next() {
      return bytes[at++];
    }

    int number() {
      int value = 0;
      for (int shift = 0; ; shift += 7) {
        byte part = next();
        value |= (part & 0x7F) << shift;
        if (part >= 0) {
          return value;
        }
      }
    }

    String word(String before) {
      int same = next();
      int rest = next();
      String word =
          before.substring(0, same) + new String(bytes, at, rest, StandardCharsets.US_ASCII);
      at += rest;
      return word;
    }
  }
}
