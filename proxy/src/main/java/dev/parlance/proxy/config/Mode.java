package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** Whether a decision is carried out or only recorded. */
public enum Mode implements Coded {
  /** Everything is scored and recorded, nothing is held back. */
  OBSERVE,
  /** Decisions are carried out. */
  ENFORCE
}
