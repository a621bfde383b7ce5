package dev.parlance.ledger.record;

import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.core.Names;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.text.Coded;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Entries of boards of coined terms. What counts is decided by their order on the ledger alone. A
 * turn is known by its digest: its text is on no ledger. Where a turn changes its board, its {@link
 * Used} comes first and the changes follow in the order of their lines.
 */
public sealed interface LexiconEntry extends Entry {
  /** Ids of boards. */
  Pattern BOARD = Pattern.compile("b-[0-9a-f]{32}");

  /** Most groups of a board. */
  int GROUPS_MAX = 16;

  /** Most members of all groups of a board together. */
  int MEMBERS_MAX = 400;

  /** Most terms that one turn is said to use: the first ones. */
  int USES_MAX = 128;

  /** Most characters of a key: 48 of a term, each of which may stand for many. */
  int KEY_LENGTH_MAX = 1024;

  /** Which board. */
  String board();

  /**
   * A board takes turns from here on.
   *
   * @param groups the factions, sorted by name
   * @param share when a coined term is seen by others
   */
  record BoardOpened(String board, List<Group> groups, Share share, long atMs)
      implements LexiconEntry {
    /** Refuses groups that are not sorted or too many, and another way to share. */
    public BoardOpened {
      checkBoard(board);
      groups = List.copyOf(groups);
      int members = groups.stream().mapToInt(group -> group.members().size()).sum();
      if (groups.size() > GROUPS_MAX || members > MEMBERS_MAX) {
        throw new IllegalArgumentException(
            "expected at most 16 groups with 400 members together, got " + members);
      }
      if (!Checks.isAscending(groups.stream().map(Group::name).toList())) {
        throw new IllegalArgumentException("expected groups in order");
      }
      Checks.atLeast(0, atMs, "atMs");
    }

    /** What the board takes. */
    public BoardRules rules() {
      return BoardRules.DEFAULT.with(
          groups.stream().collect(Collectors.toMap(Group::name, one -> Set.copyOf(one.members()))));
    }
  }

  /** When a coined term is seen by others than its coiner. */
  enum Share implements Coded {
    /** At once, by everybody who may. */
    AUTO,
    /** Once a person has shared it. */
    REVIEWED;
  }

  /**
   * A faction.
   *
   * @param name the NAME of {@code faction:NAME}
   * @param members agents, sorted
   */
  record Group(String name, List<String> members) {
    /** Refuses names that are none, and members that are not sorted. */
    public Group {
      checkName(name);
      members = List.copyOf(members);
      members.forEach(LexiconEntry::checkAgent);
      if (!Checks.isAscending(members)) {
        throw new IllegalArgumentException("expected members in order");
      }
    }
  }

  /**
   * One turn of a board.
   *
   * @param turn hex SHA-256 of conversation, message id, speaker and text
   * @param speaker who spoke
   * @param channel to whom, {@code public} or {@code faction:NAME}
   */
  record TurnId(String board, String turn, String speaker, String channel) {
    /** Refuses ids that are none. */
    public TurnId {
      checkBoard(board);
      Digest.checked(turn);
      checkAgent(speaker);
      checkChannel(channel);
    }
  }

  /** An entry of a turn. */
  sealed interface OfTurn extends LexiconEntry {
    /** Which. */
    TurnId id();

    @Override
    default String board() {
      return id().board();
    }
  }

  /** An entry of a turn that changes its board. */
  sealed interface Change extends OfTurn {
    /** The number of its line, from 0. */
    int line();
  }

  /** An entry about a term of a board. */
  sealed interface OfTerm extends LexiconEntry {
    /** Who sees the term, {@code public} or {@code faction:NAME}. */
    String visibility();

    /** In what the term is compared. */
    String key();

    /** The term. */
    default TurnFacts.TermRef ref() {
      return new TurnFacts.TermRef(Channel.of(visibility()).orElseThrow(), key());
    }
  }

  /**
   * What a turn used; of a turn that changes nothing its only entry.
   *
   * @param number that the message carried; among turns between two changes the smaller comes first
   * @param after how many turns that changed the board were on the one that it was read with
   * @param tokens of the whole turn
   * @param checkpoint true if an interval ends behind it
   */
  record Used(
      TurnId id, long number, long after, int tokens, boolean checkpoint, List<Use> uses, long atMs)
      implements OfTurn {
    /** Refuses impossible numbers. */
    public Used {
      Checks.atLeast(0, number, "number");
      Checks.atLeast(0, after, "after");
      Checks.atLeast(0, tokens, "tokens");
      Checks.atLeast(0, atMs, "atMs");
      uses = List.copyOf(uses);
      if (uses.size() > USES_MAX) {
        throw new IllegalArgumentException("expected at most 128 uses, got " + uses.size());
      }
    }
  }

  /**
   * A term stands in a turn.
   *
   * @param times how often, from 1
   */
  record Use(String visibility, String key, int times) {
    /** Refuses a use that is none. */
    public Use {
      checkChannel(visibility);
      checkKey(key);
      Checks.atLeast(1, times, "times");
    }
  }

  /**
   * A turn coins a term.
   *
   * @param line the number of its line, from 0
   */
  record Coined(TurnId id, int line, String term, String definition, long atMs) implements Change {
    /** Refuses what no board takes. */
    public Coined {
      Checks.atLeast(0, line, "line");
      checkMeaning(term, definition);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * A turn contests a term.
   *
   * @param line the number of its line, from 0
   * @param reason why
   */
  record Challenged(TurnId id, int line, String visibility, String key, String reason, long atMs)
      implements Change, OfTerm {
    /** Refuses an empty reason, and one that is too long. */
    public Challenged {
      Checks.atLeast(0, line, "line");
      checkChannel(visibility);
      checkKey(key);
      checkLine(reason);
      if (!BoardRules.isReason(reason)) {
        throw new IllegalArgumentException("expected a reason, got " + reason);
      }
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * A turn gives a term a new meaning.
   *
   * @param line the number of its line, from 0
   */
  record Repaired(TurnId id, int line, String visibility, String key, String definition, long atMs)
      implements Change, OfTerm {
    /** Refuses what no board takes. */
    public Repaired {
      Checks.atLeast(0, line, "line");
      checkChannel(visibility);
      checkKey(key);
      checkLine(definition);
      if (!BoardRules.isDefinition(definition)) {
        throw new IllegalArgumentException("expected a definition, got " + definition);
      }
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * A term that has waited is seen from here on.
   *
   * @param by who has looked at it
   */
  record Shared(String board, String visibility, String key, String by, long atMs)
      implements OfTerm {
    /** Refuses names that are none. */
    public Shared {
      checkTerm(board, visibility, key);
      checkAgent(by);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * A term is in a plan as a governed term from that revision on. A repair makes it untested there;
   * once the new meaning was audited, the term is promoted again with its version.
   *
   * @param domain of the plan
   * @param version whose definition is tested
   * @param uses how often it was used, at least, when it was decided
   * @param speakers by how many in public, at least
   * @param by who has decided it; {@code rule} for the rule of the configuration
   */
  record Promoted(
      String board,
      String visibility,
      String key,
      String plan,
      String domain,
      long revision,
      int version,
      int uses,
      int speakers,
      String by,
      long atMs)
      implements OfTerm {
    /** Refuses names and numbers that are none. */
    public Promoted {
      checkTerm(board, visibility, key);
      checkAgent(plan);
      Names.checked(domain);
      checkAgent(by);
      Checks.atLeast(1, revision, "revision");
      Checks.atLeast(1, version, "version");
      Checks.atLeast(0, uses, "uses");
      Checks.atLeast(0, speakers, "speakers");
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * A term is off the board: it is shown to nobody, and its use is no use of it.
   *
   * @param by who has decided it
   */
  record Retired(String board, String visibility, String key, String by, long atMs)
      implements OfTerm {
    /** Refuses names that are none. */
    public Retired {
      checkTerm(board, visibility, key);
      checkAgent(by);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  /**
   * A turn that changed its board was not heard by anybody: the board is one without it.
   *
   * @param turn hex SHA-256, as in {@link TurnId}
   * @param by the agent whose sidecar says so
   */
  record Retracted(String board, String turn, String by, long atMs) implements LexiconEntry {
    /** Refuses names that are none. */
    public Retracted {
      checkBoard(board);
      Digest.checked(turn);
      checkAgent(by);
      Checks.atLeast(0, atMs, "atMs");
    }
  }

  private static void checkTerm(String board, String visibility, String key) {
    checkBoard(board);
    checkChannel(visibility);
    checkKey(key);
  }

  private static void checkBoard(String board) {
    if (!BOARD.matcher(board).matches()) {
      throw new IllegalArgumentException("expected the id of a board, got " + board);
    }
  }

  private static void checkChannel(String channel) {
    Optional<Channel> read = Channel.of(channel);
    if (read.isEmpty()
        || read.get().faction().filter(name -> !RoundNames.isName(name)).isPresent()) {
      throw new IllegalArgumentException("expected public or faction:NAME, got " + channel);
    }
  }

  /** A key need not be its own key: a lower-case letter may join the mark behind it. */
  private static void checkKey(String key) {
    boolean words =
        key.length() <= KEY_LENGTH_MAX
            && Stream.of(key.split(" ", -1)).noneMatch(String::isEmpty)
            && key.split(" ", -1).length <= BoardRules.TERM_WORDS_MAX;
    if (!words) {
      throw new IllegalArgumentException("expected the key of a term, got " + key);
    }
    checkLine(key);
  }

  private static void checkMeaning(String term, String definition) {
    checkLine(term);
    checkLine(definition);
    if (BoardRules.DEFAULT.refusal(term, definition).isPresent()) {
      throw new IllegalArgumentException("expected a term and a definition, got " + term);
    }
  }

  /** Lines of a turn end at line feeds, so none stands in them. */
  private static void checkLine(String text) {
    if (text.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("expected one line, got " + text);
    }
  }

  private static void checkName(String name) {
    if (!RoundNames.isName(name)) {
      throw new IllegalArgumentException("expected a name, got " + name);
    }
  }

  private static void checkAgent(String agent) {
    if (!Names.isName(agent)) {
      throw new IllegalArgumentException("expected the id of an agent, got " + agent);
    }
  }
}
