package dev.parlance.proxy.gate;

import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardDocument.BoardReader;
import dev.parlance.policy.lexicon.Board;
import dev.parlance.policy.lexicon.BoardRules;
import dev.parlance.policy.lexicon.Channel;
import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.TurnFacts;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The boards of coined terms, as the message path asks for them. Nothing blocks; what is returned
 * completes within the configured time, on any thread, and never exceptionally.
 */
public interface Lexicons {
  /** Without a control plane there are no boards. */
  Lexicons NONE =
      new Lexicons() {
        @Override
        public Optional<Conversation> conversation(String id) {
          return Optional.empty();
        }

        @Override
        public Set<String> untested(
            String domain, Predicate<String> governed, Utf8Span said, Utf8Span beside) {
          return Set.of();
        }

        @Override
        public String agent() {
          return "";
        }

        @Override
        public Optional<String> agentAt(String authority) {
          return Optional.empty();
        }

        @Override
        public Opposite opposite(String authority) {
          return Opposite.UNKNOWN;
        }

        @Override
        public void met(String authority, Opposite how) {}

        @Override
        public Events events() {
          return Events.NONE;
        }
      };

  /**
   * The conversation with this id; empty if it can have no board.
   *
   * @param id the protocol's, else a trace id
   */
  Optional<Conversation> conversation(String id);

  /**
   * Keys of terms that these words use, that a board held here has put into a plan of the domain,
   * and that no audit has decided on in their meaning now; in whatever conversation.
   *
   * @param governed true for the keys that the core at hand has
   */
  Set<String> untested(String domain, Predicate<String> governed, Utf8Span said, Utf8Span beside);

  /** Id of the local agent. */
  String agent();

  /** The agent that listens there, if it is known. */
  Optional<String> agentAt(String authority);

  /** Whether a sidecar that counts turns is at a destination. */
  Opposite opposite(String authority);

  /** An answer from there has shown it. */
  void met(String authority, Opposite how);

  /** Is told what is to be counted. */
  Events events();

  /** What happens to coined terms here; any thread. */
  interface Events {
    /** Nobody listens. */
    Events NONE =
        new Events() {
          @Override
          public void reused(boolean inPublic, int terms) {}

          @Override
          public void rejected(String code) {}

          @Override
          public void injected(int tokens) {}

          @Override
          public void readOnce() {}

          @Override
          public void dropped(String code, int turns) {}
        };

    /** A turn that was brought to the ledger uses so many terms. */
    void reused(boolean inPublic, int terms);

    /** A line coins, challenges or repairs nothing. */
    void rejected(String code);

    /** The local agent is shown terms. */
    void injected(int tokens);

    /** The terms of a core and those of a board were found in one pass over a message. */
    void readOnce();

    /** Turns are not counted. */
    void dropped(String code, int turns);
  }

  /**
   * The terms that the local agent is shown.
   *
   * @param block empty if there are none
   * @param tokens of the block
   */
  record Known(String block, int tokens) {}

  /**
   * The terms that a text uses.
   *
   * @param coined those of the board, each once; usually empty
   * @param governed those of the core, if they were looked for in the same pass
   */
  record Used(Utf8Span coined, Optional<ScannedText> governed) {
    /** None of the board, and nobody has looked for others. */
    public static final Used NOTHING = new Used(Utf8Span.EMPTY, Optional.empty());
  }

  /** Who counts what the local agent says. */
  enum Opposite {
    /** Nothing was heard from there yet. */
    UNKNOWN,
    /** The sidecar there does. */
    PRESENT,
    /** There is none that does. */
    ABSENT
  }

  /** A conversation and its board. Safe for several threads. */
  interface Conversation {
    /** The protocol's id, else a trace id. */
    String id();

    /** Id of its board. */
    String board();

    /** The board as it is held here; an empty one if none is. */
    HeldBoard held();

    /**
     * The terms of the board that the local agent is shown.
     *
     * @param governed terms of these are left out, unless they came there from this board
     */
    Known known(Gate.GovernedKeys governed);

    /** True if the control plane has said once how the board stands. */
    boolean wasAsked();

    /**
     * The terms of the board that a text of this speaker uses.
     *
     * @param core whose terms are looked for in the same pass where both are made ready for that
     */
    Used used(String speaker, Utf8Span text, Optional<CompiledCore> core);

    /** Members of a faction were heard to use these terms of it in public. */
    void leaked(Set<TermRef> terms);

    /** The number of a turn that begins here. */
    long next();

    /** A turn with this number was heard. */
    void saw(long number);

    /** The board once this many turns have changed it, or what can be had instead. */
    CompletableFuture<HeldBoard> atLeast(long changes);

    /**
     * Puts a turn that changes the board onto the ledger.
     *
     * @param whole true: only if every line counts
     */
    CompletableFuture<Coining> coin(TurnReport turn, boolean whole);

    /** The same for a turn that was heard before: of what it says each line counts that can. */
    CompletableFuture<Coining> bring(TurnReport turn);

    /**
     * Nobody has heard a turn that was to be put onto the ledger: what of it may be there is taken
     * off, some time later, unless it is said again before.
     *
     * @param coining what {@link #coin} came to
     */
    void retract(TurnReport turn, CompletableFuture<Coining> coining);

    /** Which lines of this turn were left out when it passed; empty if it has not, lately. */
    Optional<Set<Integer>> passed(Digest turn);

    /**
     * A turn in which lines might change the board has passed.
     *
     * @param lines numbers of those that do, and were left out of what is judged
     */
    void pass(Digest turn, Set<Integer> lines);

    /** Counts a turn, some time later. */
    void count(Spoken turn);
  }

  /**
   * A board as it is held here.
   *
   * @param id of the board
   * @param groups the factions in their order, each with its members
   * @param document the newest that was seen; empty if there was never one
   * @param reader reads turns with it
   * @param leaked terms that were heard in public, as far as the document does not say so
   */
  record HeldBoard(
      String id,
      List<Group> groups,
      Optional<BoardDocument> document,
      Optional<BoardReader> reader,
      Set<TermRef> leaked) {
    /** Takes copies. */
    public HeldBoard {
      groups = List.copyOf(groups);
      leaked = Set.copyOf(leaked);
    }

    /** One that was never seen. */
    public static HeldBoard none(String id, List<Group> groups) {
      return new HeldBoard(id, groups, Optional.empty(), Optional.empty(), Set.of());
    }

    /** The board of a document. */
    public static HeldBoard of(BoardDocument document) {
      return new HeldBoard(
          document.board(),
          document.groups().stream()
              .map(group -> new Group(group.name(), Set.copyOf(group.members())))
              .toList(),
          Optional.of(document),
          Optional.of(document.reader()),
          Set.of());
    }

    /** The same with terms that have leaked, as far as there are such and nobody knew it. */
    public HeldBoard with(Set<TermRef> leaks) {
      Set<TermRef> all = new HashSet<>(leaked);
      all.addAll(leaks);
      all.retainAll(secrets());
      return new HeldBoard(id, groups, document, reader, all);
    }

    /** Terms of factions that the document does not call leaked. */
    private Set<TermRef> secrets() {
      return document.stream()
          .flatMap(one -> one.terms().stream())
          .filter(term -> !term.leaked())
          .map(term -> term.entry().ref())
          .filter(ref -> !ref.visibility().isPublic())
          .collect(Collectors.toSet());
    }

    /**
     * Terms of factions that were heard in public: those that only this sidecar may know of, then
     * those used last. What one document says another sidecar's may not say yet.
     */
    public List<TermRef> newlyLeaked(int max) {
      if (groups.isEmpty()) {
        return List.of();
      }
      List<TermRef> terms = new ArrayList<>(leaked);
      document.stream()
          .flatMap(one -> one.terms().stream())
          .filter(BoardDocument.Term::leaked)
          .sorted(Comparator.comparingInt(BoardDocument.Term::lastUse).reversed())
          .forEach(term -> terms.add(term.entry().ref()));
      return terms.subList(0, Math.min(max, terms.size()));
    }

    /** True if the speaker sees the term whether or not it has leaked. */
    public boolean isSeen(String speaker, TermRef term) {
      return term.visibility().isPublic()
          || groups.stream()
              .anyMatch(group ->
                  term.visibility().faction().filter(group.name()::equals).isPresent()
                      && group.members().contains(speaker));
    }

    /** True if the speaker may give a term of a faction away. */
    public boolean canLeak(String speaker) {
      return !groups.isEmpty()
          && groups.stream().anyMatch(group -> group.members().contains(speaker))
          && !leaked.containsAll(secrets());
    }

    /** Which revision; 0 if there was never one. */
    public long revision() {
      return document.map(BoardDocument::revision).orElse(0L);
    }

    /** How many turns have changed it. */
    public long changes() {
      return document.map(BoardDocument::changes).orElse(0L);
    }

    /** The largest number of a turn on it. */
    public long number() {
      return document.map(BoardDocument::number).orElse(0L);
    }

    /** The board that a turn of this speaker is read with. */
    public Board readableBy(String speaker) {
      if (reader.isEmpty()) {
        return Board.empty(
            BoardRules.DEFAULT.with(
                groups.stream().collect(Collectors.toMap(Group::name, Group::members))));
      }
      Board board = reader.get().by(speaker);
      return leaked.isEmpty()
          ? board
          : new Board(
              board.rules(),
              board.entries().stream()
                  .map(entry -> leaked.contains(entry.ref()) ? entry.asLeaked() : entry)
                  .toList(),
              board.turns(),
              board.lastCheckpoint(),
              board.publicLogTokens());
    }

    /** What this agent may be shown. */
    public List<KnownTerms.Term> shownTo(String agent) {
      return reader.map(one -> one.shownTo(agent)).orElse(List.of());
    }

    /** The first group that holds both, else everybody. */
    public Channel channel(String speaker, Optional<String> listener) {
      for (Group group : groups) {
        if (group.members().contains(speaker)
            && listener.filter(group.members()::contains).isPresent()) {
          return new Channel(Optional.of(group.name()));
        }
      }
      return Channel.PUBLIC;
    }
  }

  /** A faction. */
  record Group(String name, Set<String> members) {
    /** Takes a copy. */
    public Group {
      members = Set.copyOf(members);
    }
  }

  /**
   * What was said in a turn.
   *
   * @param held the board that it is read with
   * @param digest of conversation, message, speaker and text
   * @param number that the message carried
   * @param isOfHeld false if nobody here knows with which board it was said: where none is held, it
   *     is read with the newest
   */
  record Spoken(
      HeldBoard held,
      Digest digest,
      long number,
      String speaker,
      Channel channel,
      String text,
      boolean isOfHeld) {}

  /**
   * A turn without its text.
   *
   * @param digest of conversation, message, speaker and text
   * @param number that its message carried
   * @param after how many changes were on the board that it was read with
   */
  record TurnReport(String board, Digest digest, long number, long after, TurnFacts facts) {}

  /** What came of a turn that changes its board. */
  sealed interface Coining {
    /**
     * It is on the ledger, if a line was accepted.
     *
     * @param accepted numbers of the lines that count
     * @param refused by number of line, the code why it does not
     */
    record Entered(Set<Integer> accepted, SortedMap<Integer, String> refused) implements Coining {
      /** Takes copies. */
      public Entered {
        accepted = Set.copyOf(accepted);
        refused = new TreeMap<>(refused);
      }
    }

    /**
     * None of it counts.
     *
     * @param code stable
     */
    record Lost(String code, String detail) implements Coining {}
  }

  /** The SHA-256 by which a turn is known. */
  record Digest(String hex) {
    private static final int BYTES = 32;

    /** Refuses anything else. */
    public Digest {
      if (HexFormat.of().parseHex(hex).length != BYTES) {
        throw new IllegalArgumentException("expected 64 hex digits, got " + hex);
      }
    }

    /** Of these parts, each behind its length in bytes as four bytes, big-endian. */
    public static Digest of(String conversation, String messageId, String speaker, byte[] text) {
      MessageDigest all = Digests.sha256();
      for (String part : List.of(conversation, messageId, speaker)) {
        add(all, part.getBytes(StandardCharsets.UTF_8));
      }
      add(all, text);
      return new Digest(HexFormat.of().formatHex(all.digest()));
    }

    private static void add(MessageDigest all, byte[] part) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        all.update((byte) (part.length >>> shift));
      }
      all.update(part);
    }

    /** The bytes. */
    public byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  /** Id of the board of a conversation. */
  static String boardOf(String conversation) {
    byte[] whole =
        Digests.sha256()
            .digest(("parlance-board-v1\n" + conversation).getBytes(StandardCharsets.UTF_8));
    return "b-" + HexFormat.of().formatHex(Arrays.copyOf(whole, whole.length / 2));
  }
}
