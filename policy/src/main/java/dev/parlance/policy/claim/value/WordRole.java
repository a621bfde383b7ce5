package dev.parlance.policy.claim.value;

/** Roles of words in the grammar, in the order of their bits. */
@SuppressWarnings("EnumOrdinal") // a bit that never leaves this process
enum WordRole {
  THE,
  BETWEEN,
  AND,
  TO,
  PER,
  SQUARE,
  CUBIC,
  AM,
  PM,
  CLOCK,
  ATTIME,
  VERSION,
  LABEL,
  PHONE,
  MINUS,
  PLUS,
  ORDINAL,
  OF,
  DECADE,
  QUARTER,
  HALFPART,

  /** Directly before a unit, or an article and a unit: half of it. */
  HALFOF,
  THIRDS,
  QUARTERS,
  ZONE,
  UTC,
  PERCENTBEFORE,

  /** In the name of a field: what is at most so much, what is at least. */
  UPPER,
  LOWER,

  /** The name of a field that is no unit: its value counts days of the calendar. */
  DATEPART,
  UNITNAME,

  /** If, when. */
  CONDITION,

  /** Stands beside the number in a phrase that says a bound. */
  BOUND,

  /** Says that a number becomes another one: from one to the other is no range. */
  CHANGES,
  FROM,

  /** Before a currency: that of this country. */
  STATES,

  /** Max and min, which a value may have lost and is the same. */
  LIMIT,

  /** In the phrase before a number: that is the most there is. */
  TOPMOST,

  /** Before a length of time: one of it. */
  ARTICLE,
  HALFHOUR,
  PASTHOUR,
  TOHOUR,

  /** Twelve o'clock, by day and by night. */
  NOON,
  MIDNIGHT,

  /** Behind percent: not so many hundredths, but so many of them more or less. */
  POINTS;

  final long bit = 1L << ordinal();
}
