package dev.parlance.proxy.relay;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of one header block as they came, unchecked. Remembers what is lost once they are
 * stored: that a pseudo-field came behind a regular one, and each content-length.
 */
final class H2Fields extends DefaultHttp2Headers {
  private static final int EXPECTED_FIELDS = 16;

  private final List<CharSequence> contentLengths = new ArrayList<>(1);
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
      if (HttpHeaderNames.CONTENT_LENGTH.contentEquals(name)) {
        contentLengths.add(value);
      }
    }
    return super.add(name, value);
  }

  /** Every content-length as it came: Netty makes one of several that are equal. */
  List<CharSequence> contentLengths() {
    return List.copyOf(contentLengths);
  }

  static boolean isPseudo(CharSequence name) {
    return name.length() > 0 && name.charAt(0) == ':';
  }

  /** True if a pseudo-field stood behind a regular field. */
  boolean latePseudoField() {
    return latePseudoField;
  }
}
