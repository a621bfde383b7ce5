package dev.parlance.control.embed;

/** Texts become rows. For any number of threads. */
interface TextInput {
  /** A text's row; what is too long is cut. */
  Row read(String text);

  /** The longest row there is, with the largest number there is: what a model must take. */
  Row longest();
}
