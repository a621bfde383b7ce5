package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.claim.change.NormWords.Role;
import java.util.function.ToLongFunction;

/**
 * The clauses of a sentence, and of each whether it allows, forbids, demands or frees: "Do not use
 * bleach", "bleach may be used", "bleach is optional". For one thread.
 */
final class NormReader {
  /** What a clause says of what is done. */
  enum Norm {
    NONE,
    ALLOWS,
    FORBIDS,
    /** Must be done. */
    DEMANDS,
    /** Tells to do it. */
    ORDERS,
    /** Need not be done. */
    FREES;

    /** True if only a norm that forbids or frees contradicts it. */
    boolean isAffirmed() {
      return this == ALLOWS || this == DEMANDS || this == ORDERS;
    }

    /** True if not both can hold. */
    boolean contradicts(Norm that) {
      return switch (this) {
        case NONE -> false;
        case ALLOWS -> that == FORBIDS;
        case FORBIDS -> that == ALLOWS || that == DEMANDS || that == ORDERS;
        case DEMANDS -> that == FORBIDS || that == FREES;
        case ORDERS -> that == FORBIDS || that == FREES;
        case FREES -> that == DEMANDS || that == ORDERS;
      };
    }
  }

  /** What a unit is to its clause. */
  enum Part {
    /** What is allowed or forbidden. */
    MAIN,
    /** Under what condition. */
    CONDITION,
    /** What is excepted. */
    EXCEPTION,
    /** Says nothing of it. */
    LITTLE
  }

  /** So many units of a sentence are looked at. */
  static final int MAX_UNITS = 48;

  private static final int MAX_NO = 4;

  /** So far behind a negation "than" may stand. */
  private static final int COMPARED = 3;

  private final CriticalWords words;
  private final NormWords norms;
  private final Thesaurus thesaurus;
  private final long no;
  private final long than;

  private int count;
  private final long[] keys = new long[MAX_UNITS];
  private final int[] flags = new int[MAX_UNITS];
  private final boolean[] parted = new boolean[MAX_UNITS];
  private final Role[] roles = new Role[MAX_UNITS];

  /** Of each unit, as the table of critical words has them. */
  private final long[] classes = new long[MAX_UNITS];

  private final Part[] parts = new Part[MAX_UNITS];
  private final int[] clauses = new int[MAX_UNITS];

  private boolean denies;
  private boolean isRead;
  private boolean isNorm;
  private int clauseCount;
  private final Norm[] found = new Norm[MAX_UNITS + 1];

  NormReader(
      CriticalWords words, NormWords norms, Thesaurus thesaurus, ToLongFunction<String> keyOf) {
    this.words = words;
    this.norms = norms;
    this.thesaurus = thesaurus;
    no = keyOf.applyAsLong("no");
    than = keyOf.applyAsLong("than");
  }

  /** Begins with another sentence. */
  void start() {
    count = 0;
    denies = false;
    isRead = false;
  }

  /**
   * Takes up the next unit.
   *
   * @param isParted a comma or another mark stands before it
   * @return false if there is no room for more
   */
  boolean add(long key, int flag, boolean isParted) {
    if (count == MAX_UNITS) {
      return false;
    }
    keys[count] = key;
    roles[count] = norms.role(key);
    classes[count] = words.classes(key);
    denies |= roles[count].denies() || is(count, WordClass.NEGATION);
    flags[count] = flag;
    parted[count++] = isParted;
    return true;
  }

  /**
   * False of a sentence that neither forbids nor frees: no word of it does, and none negates. May
   * be asked before it is read.
   */
  boolean mayDeny() {
    return denies;
  }

  /** Ends the sentence; true if a clause of it says that something is to be done, or not. */
  boolean read() {
    if (isRead) {
      return isNorm;
    }
    part();
    isRead = true;
    isNorm = false;
    int from = 0;
    for (int clause = 0; clause < clauseCount; clause++) {
      int to = from;
      while (to < count && clauses[to] == clause) {
        to++;
      }
      found[clause] = normOf(from, to);
      if (clause > 0 && found[clause] == Norm.NONE && isDeniedAlone(from, to)) {
        found[clause] = found[clause - 1] == Norm.ALLOWS ? Norm.FORBIDS : Norm.NONE;
      }
      isNorm |= found[clause] != Norm.NONE;
      from = to;
    }
    return isNorm;
  }

  /** Finds where clauses begin, and what of them is a condition or an exception. */
  private void part() {
    int clause = 0;
    Part part = Part.MAIN;
    for (int i = 0; i < count; i++) {
      boolean begins = i > 0 && (parted[i] || roles[i] == Role.PARTS || beginsByAnd(i));
      if (begins) {
        clause++;
        part = Part.MAIN;
      }
      if (roles[i] == Role.CONDITION || roles[i] == Role.WITHOUT) {
        part = Part.CONDITION;
      } else if (roles[i] == Role.EXCEPTION) {
        part = Part.EXCEPTION;
      }
      clauses[i] = clause;
      parts[i] = part == Part.MAIN && isLittle(i) ? Part.LITTLE : part;
    }
    clauseCount = count == 0 ? 0 : clause + 1;
  }

  /** True of "and must", "and do not": what is joined is a clause. */
  private boolean beginsByAnd(int unit) {
    if (!is(unit, WordClass.AND) || unit + 1 >= count) {
      return false;
    }
    Role next = roles[unit + 1];
    return next == Role.ALLOWS
        || next == Role.FORBIDS
        || next == Role.MUST
        || next == Role.NEEDS
        || next == Role.FREES
        || next == Role.ORDERS
        || is(unit + 1, WordClass.NEGATION);
  }

  private boolean is(int unit, WordClass type) {
    return CriticalWords.has(classes[unit], type);
  }

  private boolean isLittle(int unit) {
    return roles[unit] != Role.NONE
        || (flags[unit] & Units.SYMBOL) != 0
        || is(unit, WordClass.FUNCTION)
        || is(unit, WordClass.NEGATION);
  }

  private Norm normOf(int from, int to) {
    boolean denied = false;
    boolean copula = false;
    Role role = Role.NONE;
    boolean avoids = false;
    for (int i = from; i < to; i++) {
      if (parts[i] == Part.CONDITION || parts[i] == Part.EXCEPTION) {
        continue;
      }
      denied ^= denies(i);
      copula |= is(i, WordClass.COPULA);
      Role next = roleAt(i, to);
      if (next == Role.AVOIDS || next == Role.FORBIDS) {
        avoids |= next == Role.AVOIDS;
        role = role == Role.NONE || role == Role.MUST ? Role.FORBIDS : Role.LIGHT;
      } else if (next != Role.NONE) {
        // "may be required" is neither; "must not be allowed" forbids.
        boolean both = role == Role.MUST && next == Role.ALLOWS;
        role = role == Role.NONE || both ? next : Role.LIGHT;
      }
    }
    return switch (role) {
      case ALLOWS -> denied ? Norm.FORBIDS : Norm.ALLOWS;
      case FORBIDS -> denied ? avoids ? Norm.NONE : Norm.ALLOWS : Norm.FORBIDS;
      case MUST -> denied ? Norm.FORBIDS : Norm.DEMANDS;
      case NEEDS -> denied ? Norm.FREES : Norm.DEMANDS;
      case FREES -> denied ? Norm.DEMANDS : Norm.FREES;
      case NONE -> ordered(from, to, denied, copula);
      default -> Norm.NONE;
    };
  }

  /** True of "videos are not" behind "photos are allowed". */
  private boolean isDeniedAlone(int from, int to) {
    return to - from <= MAX_NO + 1 && to > from && is(to - 1, WordClass.NEGATION);
  }

  /** True of a negation, but not in "no later than", "not be hotter than", which say how much. */
  private boolean denies(int unit) {
    boolean denies = is(unit, WordClass.NEGATION);
    for (int i = unit + 2; i <= unit + COMPARED && i < count; i++) {
      denies &= keys[i] != than;
    }
    return denies;
  }

  private Role roleAt(int unit, int to) {
    return switch (roles[unit]) {
      case ALLOWS, FORBIDS, AVOIDS, MUST -> roles[unit];
      case NEEDS, FREES -> isSaidOfIt(unit) ? roles[unit] : Role.NONE;
      case HAVE -> unit + 1 < to && roles[unit + 1] == Role.TO ? Role.NEEDS : Role.NONE;
      default -> Role.NONE;
    };
  }

  /** True of "it is optional", but not of "an optional part". */
  private boolean isSaidOfIt(int unit) {
    return unit == 0
        || clauses[unit - 1] != clauses[unit]
        || is(unit - 1, WordClass.COPULA)
        || is(unit - 1, WordClass.NEGATION)
        || is(unit - 1, WordClass.AND);
  }

  /** What a clause without such a word orders: by "do not" and "no", or by a verb. */
  private Norm ordered(int from, int to, boolean denied, boolean copula) {
    int first = from;
    while (first < to && roles[first] == Role.POLITE) {
      first++;
    }
    if (first == to || parts[first] == Part.CONDITION || parts[first] == Part.EXCEPTION) {
      return Norm.NONE;
    }
    boolean few = keys[first] == no && to - first <= MAX_NO && !copula;
    if (denied) {
      return roles[first] == Role.ORDERS || few ? Norm.FORBIDS : Norm.NONE;
    }
    boolean orders = !copula && (parts[first] == Part.MAIN || roles[first] == Role.LIGHT);
    return orders && thesaurus.isVerb(keys[first]) ? Norm.ORDERS : Norm.NONE;
  }

  /** The only clause that says what is to be done, or -1. */
  int onlyNorm() {
    int only = -1;
    for (int clause = 0; clause < clauseCount; clause++) {
      if (found[clause] != Norm.NONE) {
        if (only >= 0) {
          return -1;
        }
        only = clause;
      }
    }
    return only;
  }

  /** True if something is denied that is not what a clause is about. */
  boolean deniesElsewhere(int clause) {
    for (int i = 0; i < count; i++) {
      boolean own = clauses[i] == clause && (parts[i] == Part.MAIN || parts[i] == Part.LITTLE);
      if (!own && is(i, WordClass.NEGATION)) {
        return true;
      }
    }
    return false;
  }

  int count() {
    return count;
  }

  int clauses() {
    return clauseCount;
  }

  Norm norm(int clause) {
    return found[clause];
  }

  int clause(int unit) {
    return clauses[unit];
  }

  long key(int unit) {
    return keys[unit];
  }

  Part part(int unit) {
    return parts[unit];
  }

  boolean hasDigits(int unit) {
    return (flags[unit] & Units.DIGITS) != 0;
  }

  /** True if another condition begins with a unit: or, a comma, another word that makes one. */
  boolean beginsCondition(int unit) {
    return unit == 0
        || parts[unit - 1] != parts[unit]
        || clauses[unit - 1] != clauses[unit]
        || roles[unit] == Role.OR
        || roles[unit] == Role.CONDITION
        || roles[unit] == Role.WITHOUT;
  }

  /** True of a unit of a condition or an exception that says something. */
  boolean saysSomething(int unit) {
    return !isLittle(unit);
  }

  /**
   * Marks the units of a clause that say what it is about: its own, and those of no norm.
   *
   * @return how many they are
   */
  int mark(int clause, boolean[] into) {
    int marked = 0;
    for (int i = 0; i < count; i++) {
      into[i] = !isLittle(i) && (clauses[i] == clause || found[clauses[i]] == Norm.NONE);
      marked += into[i] ? 1 : 0;
    }
    return marked;
  }
}
