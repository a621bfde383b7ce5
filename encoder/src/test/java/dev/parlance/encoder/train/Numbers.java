package dev.parlance.encoder.train;

import java.util.random.RandomGenerator;

/** Numbers, other ones in each part, and how they are written. */
final class Numbers {
  private static final String[] UNITS =
      ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
              + " fifteen sixteen seventeen eighteen nineteen")
          .split(" ", -1);
  private static final String[] TENS =
      "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ", -1);

  private Numbers() {}

  /** A number from 2 to 999 of that part: those of each ten consecutive ones are parted 6:2:2. */
  static int draw(Split split, RandomGenerator random) {
    while (true) {
      int number = random.nextInt(3) == 0 ? random.nextInt(100, 1_000) : random.nextInt(2, 100);
      int place = number * 7 % 10;
      Split owner = place < 6 ? Split.TRAIN : place < 8 ? Split.DEV : Split.TEST;
      if (owner == split) {
        return number;
      }
    }
  }

  /** Writes a number: in digits, in words or both. */
  static String write(int number, RandomGenerator random) {
    if (number >= 100) {
      return Integer.toString(number);
    }
    return switch (random.nextInt(4)) {
      case 0 -> words(number);
      case 1 -> words(number) + " (" + number + ")";
      default -> Integer.toString(number);
    };
  }

  private static String words(int number) {
    if (number < UNITS.length) {
      return UNITS[number];
    }
    String tens = TENS[number / 10];
    return number % 10 == 0 ? tens : tens + "-" + UNITS[number % 10];
  }
}
