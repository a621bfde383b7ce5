package dev.parlance.proxy.relay;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * The fields of one header block as they came, unchecked but for what is lost once they are stored:
 * that a pseudo-field came behind a regular one.
 */
final class H2Fields extends DefaultHttp2Headers {
  private static final int EXPECTED_FIELDS = 16;

  private boolean sawRegular;
  private boolean latePseudoField;

  H2Fields() {
    super(false, EXPECTED_FIELDS);
  }

  @Override
  public Http2Headers add(CharSequence name, CharSequence value) {
    if (isPseudo(name)) {
      latePseudoField |= sawRegular;
    } else {
      sawRegular = true;
    }
    return super.add(name, value);
  }

  static boolean isPseudo(CharSequence name) {
    return name.length() > 0 && name.charAt(0) == ':';
  }

  /** True if a pseudo-field stood behind a regular field. */
  boolean latePseudoField() {
    return latePseudoField;
  }
}
