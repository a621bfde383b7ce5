import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compiles the database files of WordNet 3.1, which it finds on the class path, into the table that
 * {@code dev.parlance.policy.claim.Thesaurus} loads, and writes the licence beside it: {@code
 * CompileThesaurus CLASSES SOURCE}; a table that is newer than this source stays. The same database
 * gives the same bytes. The JDK that Maven finds first runs it, which may be one of 17.
 *
 * <pre>
 *   count of words     v   then of each, sorted: bytes shared with the one before u8, length of the
 *                          rest u8, the rest, parts of speech u8 (1 noun, 2 verb, 4 adjective, 8 adverb)
 *   groups             of each word: count v, steps v (a group is a set of synonyms)
 *   count of groups    v   then of each: 0, or 1 + the group that is one step more general v
 *   derived words      of each word: count v, steps v from itself to words behind it
 *   opposites          likewise
 *   count of forms     v   irregular ones, then of each: bytes shared, length, rest, word v
 * </pre>
 *
 * v: 7 bits a byte, the lowest first, the eighth bit says that more follow.
 */
public final class CompileThesaurus {
  private static final String FOLDER = "net/sf/extjwnl/data/wordnet/wn31/";
  private static final String TABLE = "dev/parlance/policy/claim/thesaurus.bin";
  private static final String LICENCE = "META-INF/licenses/WordNet-3.1.txt";
  private static final List<String> PARTS = List.of("noun", "verb", "adj", "adv");

  /** One set of synonyms as it stands in the database. */
  private record Synset(char part, List<String> words, List<Pointer> pointers) {
    /** True for what has a name: a person, a place. */
    boolean isInstance() {
      return pointers.stream().anyMatch(pointer -> pointer.symbol.equals("@i"));
    }

    /** The words of the table among its words, in their order. */
    List<String> usable() {
      boolean named = isInstance();
      return words.stream()
          .filter(CompileThesaurus::isWord)
          .filter(word -> !named || !Character.isUpperCase(word.charAt(0)))
          .map(CompileThesaurus::folded)
          .distinct()
          .toList();
    }
  }

  /** From word {@code from} of a synset to word {@code to} of the target; 0: of the whole. */
  private record Pointer(String symbol, String target, int from, int to) {}

  private final Map<String, Synset> synsets = new TreeMap<>();
  private final Map<String, Integer> parts = new TreeMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private CompileThesaurus() {}

  /** Compiles. */
  public static void main(String[] args) throws IOException {
    Path classes = Path.of(args[0]);
    Path table = classes.resolve(TABLE);
    if (Files.exists(table)
        && Files.getLastModifiedTime(table).compareTo(Files.getLastModifiedTime(Path.of(args[1])))
            > 0) {
      return;
    }
    CompileThesaurus compiler = new CompileThesaurus();
    StringBuilder licence = new StringBuilder();
    for (String part : PARTS) {
      compiler.read(part, part.equals("noun") ? licence : new StringBuilder());
    }
    byte[] bytes = compiler.compile();
    Files.createDirectories(table.getParent());
    Files.createDirectories(classes.resolve(LICENCE).getParent());
    Files.writeString(classes.resolve(LICENCE), licence);
    Files.write(table, bytes);
  }

  private static BufferedReader open(String name) throws IOException {
    InputStream in = CompileThesaurus.class.getClassLoader().getResourceAsStream(FOLDER + name);
    if (in == null) {
      throw new FileNotFoundException(name + " of WordNet is not on the class path");
    }
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  private void read(String part, StringBuilder licence) throws IOException {
    try (BufferedReader reader = open("data." + part)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(" ")) {
          licence.append(line.replaceFirst("^ *\\d+ ?", "").stripTrailing()).append('\n');
          continue;
        }
        String[] fields = line.substring(0, line.indexOf('|')).split(" ");
        char pos = fields[2].charAt(0);
        List<String> words = new ArrayList<>();
        int at = 4;
        for (int n = Integer.parseInt(fields[3], 16); n > 0; n--, at += 2) {
          // an adjective may say where it stands: galore(ip)
          words.add(fields[at].replaceFirst("\\(.*", ""));
        }
        List<Pointer> pointers = new ArrayList<>();
        int count = Integer.parseInt(fields[at++]);
        for (int n = 0; n < count; n++, at += 4) {
          int places = Integer.parseInt(fields[at + 3], 16);
          pointers.add(
              new Pointer(
                  fields[at],
                  id(fields[at + 2].charAt(0), fields[at + 1]),
                  places >> 8,
                  places & 0xFF));
        }
        synsets.put(id(pos, fields[0]), new Synset(pos, words, pointers));
      }
    }
  }

  /** The satellites of an adjective stand in the same file as it. */
  private static String id(char pos, String offset) {
    return (pos == 's' ? 'a' : pos) + offset;
  }

  private static boolean isWord(String word) {
    return word.length() > 1 && word.chars().allMatch(c -> c < 0x80 && Character.isLetter(c));
  }

  private static String folded(String word) {
    return word.toLowerCase(java.util.Locale.ROOT);
  }

  private byte[] compile() throws IOException {
    for (Synset synset : synsets.values()) {
      int part = 1 << "nvasr".indexOf(synset.part);
      for (String word : synset.usable()) {
        parts.merge(word, part < 8 ? part : part >> 1, (a, b) -> a | b);
      }
    }
    for (String word : parts.keySet()) {
      numbers.put(word, numbers.size());
    }
    number(parts.size());
    String before = "";
    for (Map.Entry<String, Integer> word : parts.entrySet()) {
      shared(before, word.getKey());
      out.write(word.getValue());
      before = word.getKey();
    }
    groups();
    pairs(Arrays.asList("+", "\\"));
    pairs(List.of("!"));
    forms();
    return out.toByteArray();
  }

  private void groups() {
    List<TreeSet<Integer>> of = sets();
    Map<String, Integer> groups = new HashMap<>();
    List<String> ids = new ArrayList<>(synsets.keySet());
    ids.removeIf(id -> synsets.get(id).usable().isEmpty());
    // in the order of their first words: small steps
    ids.sort(
        Comparator.comparing((String id) -> synsets.get(id).usable().get(0))
            .thenComparing(id -> id));
    for (String id : ids) {
      for (String word : synsets.get(id).usable()) {
        of.get(numbers.get(word)).add(groups.size());
      }
      groups.put(id, groups.size());
    }
    for (TreeSet<Integer> some : of) {
      steps(0, some);
    }
    number(ids.size());
    for (String id : ids) {
      number(
          synsets.get(id).pointers.stream()
              .filter(pointer -> pointer.symbol.equals("@"))
              .map(pointer -> groups.get(pointer.target))
              .filter(java.util.Objects::nonNull)
              .findFirst()
              .map(group -> group + 1)
              .orElse(0));
    }
  }

  /** Pairs of words; each is written at the first of the two. */
  private void pairs(List<String> symbols) {
    List<TreeSet<Integer>> of = sets();
    for (Synset synset : synsets.values()) {
      for (Pointer pointer : synset.pointers) {
        if (symbols.contains(pointer.symbol) && pointer.from > 0 && pointer.to > 0) {
          Integer from = number(synset, pointer.from);
          Integer to = number(synsets.get(pointer.target), pointer.to);
          if (from != null && to != null && !from.equals(to)) {
            of.get(Math.min(from, to)).add(Math.max(from, to));
          }
        }
      }
    }
    for (int word = 0; word < of.size(); word++) {
      steps(word, of.get(word));
    }
  }

  private Integer number(Synset synset, int place) {
    return numbers.get(folded(synset.words.get(place - 1)));
  }

  private void forms() throws IOException {
    TreeMap<String, TreeSet<String>> forms = new TreeMap<>();
    for (String part : PARTS) {
      try (BufferedReader reader = open(part + ".exc")) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          String[] words = line.split(" ");
          for (String word : Arrays.copyOfRange(words, 1, words.length)) {
            if (isWord(words[0]) && numbers.containsKey(word) && !word.equals(words[0])) {
              forms.computeIfAbsent(words[0], form -> new TreeSet<>()).add(word);
            }
          }
        }
      }
    }
    number(forms.values().stream().mapToInt(TreeSet::size).sum());
    String before = "";
    for (Map.Entry<String, TreeSet<String>> form : forms.entrySet()) {
      for (String word : form.getValue()) {
        shared(before, form.getKey());
        number(numbers.get(word));
        before = form.getKey();
      }
    }
  }

  private List<TreeSet<Integer>> sets() {
    List<TreeSet<Integer>> sets = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i++) {
      sets.add(new TreeSet<>());
    }
    return sets;
  }

  private void steps(int from, TreeSet<Integer> to) {
    number(to.size());
    int last = from;
    for (int target : to) {
      number(target - last);
      last = target;
    }
  }

  private void shared(String before, String word) {
    int same = 0;
    while (same < before.length()
        && same < word.length()
        && before.charAt(same) == word.charAt(same)) {
      same++;
    }
    byte[] rest = word.substring(same).getBytes(StandardCharsets.US_ASCII);
    out.write(same);
    out.write(rest.length);
    out.writeBytes(rest);
  }

  private void number(int value) {
    int rest = value;
    while (rest >= 0x80) {
      out.write(rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}
