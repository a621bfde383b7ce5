package dev.parlance.onnx;

import dev.parlance.policy.text.Coded;

/** Why a model cannot be used. The codes are stable. */
public enum ModelFault implements Coded {
  /** The folder or a file of it is missing or cannot be read. */
  UNREADABLE,
  /** The manifest is not in its form, or has impossible values. */
  BAD_MANIFEST,
  /** A file is not the one that the manifest names. */
  DIGEST_DIFFERS,
  /** A file is larger than any model's. */
  TOO_LARGE,
  /** The tokenizer's file is none. */
  BAD_TOKENIZER,
  /** The runtime cannot be loaded on this machine. */
  NO_RUNTIME,
  /** The model cannot be loaded, or has other inputs or outputs than the manifest says. */
  BAD_MODEL
}
