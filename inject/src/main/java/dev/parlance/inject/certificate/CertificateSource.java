package dev.parlance.inject.certificate;

import java.util.Optional;

/** Where the webhook's certificate comes from; {@link #look} is called again and again. */
public interface CertificateSource {
  /** Does what is due and says how it stands; it may block for some seconds. */
  Look look();

  /**
   * How it stands.
   *
   * @param material what to serve; empty if there is none yet
   * @param announced whether API servers are told whom to believe, as far as that is ours to do
   * @param failure what did not work this time
   */
  record Look(Optional<KeyMaterial> material, boolean announced, Optional<String> failure) {}
}
