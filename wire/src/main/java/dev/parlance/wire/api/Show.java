package dev.parlance.wire.api;

/** Where an agent is shown the terms that it can use. */
public enum Show {
  /** In the metadata of the message: for agents that look there. */
  METADATA,
  /** As a text of its own: for agents that give a model all that they are told. */
  PART,
  /** At both places. */
  BOTH;

  /** True if the metadata has it. */
  public boolean inMetadata() {
    return this != PART;
  }

  /** True if there is a text of its own. */
  public boolean asText() {
    return this != METADATA;
  }
}
