package dev.parlance.console.login;

import dev.parlance.policy.text.Coded;

/** What a person may do in the console. */
public enum ConsoleRole implements Coded {
  /** Sees figures and decisions, and no words of agents. */
  VIEWER,
  /** Reads held messages, and decides about them. */
  REVIEWER,
  /** Reads held messages, entries of the ledger and configurations; decides nothing. */
  AUDITOR,
  /** Reads configurations and asks the judge; decides about no message. */
  OPERATOR
}
