package dev.parlance.proxy.identity;

import dev.parlance.proxy.config.IdentitySettings.External;
import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.TlsMode;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.TlsPeer;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.service.identity.SpiffeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who sends a request.
 *
 * @param address of the connection, without its port
 * @param id as its certificate shows, or as another mesh attests
 */
public record Caller(String address, Optional<SpiffeId> id) {
  private static final String XFCC = "x-forwarded-client-cert";
  private static final String L5D = "l5d-client-id";
  private static final String L5D_MARK = ".serviceaccount.identity.";
  private static final int MAX_FIELD_CHARS = 16 * 1024;

  /** What tells callers apart: the identity, else the address. */
  public String key() {
    return id.map(SpiffeId::toString).orElse(address);
  }

  /** The caller of a request at the inbound listener. */
  public static Caller of(ServerCall call, WholeRequest request, SidecarConfig config) {
    String address = call.peer();
    Optional<SpiffeId> shown =
        call.tls()
            .flatMap(TlsPeer::id)
            .flatMap(SpiffeId::parse)
            .or(() -> attested(request, config, address));
    return new Caller(address, shown);
  }

  private static Optional<SpiffeId> attested(
      WholeRequest request, SidecarConfig config, String address) {
    Optional<External> external = config.identity().external();
    boolean believed =
        config.listeners().inbound().map(Inbound::tls).filter(TlsMode.EXTERNAL::equals).isPresent()
            && external
                .filter(by -> by.from().stream().anyMatch(range -> range.contains(address)))
                .isPresent();
    if (!believed) {
      return Optional.empty();
    }
    return switch (external.orElseThrow().field()) {
      case XFCC -> xfcc(request.headers().getAll(XFCC));
      case L5D -> linkerd(request.headers().getAll(L5D));
    };
  }

  /**
   * The URI of the last element, which the proxy next to us has written; those before it are
   * somebody else's word. A quote that one of them leaves open would turn that element inside out,
   * so that a field with a quote that nobody closes names nobody.
   */
  static Optional<SpiffeId> xfcc(List<String> fields) {
    if (fields.isEmpty() || fields.getLast().length() > MAX_FIELD_CHARS) {
      return Optional.empty();
    }
    List<String> elements = parts(fields.getLast(), ',');
    if (elements.isEmpty()) {
      return Optional.empty();
    }
    List<String> uris =
        parts(elements.getLast(), ';').stream()
            .map(String::strip)
            .filter(pair -> pair.regionMatches(true, 0, "URI=", 0, 4))
            .map(pair -> unquoted(pair.substring(4)))
            .toList();
    return uris.size() == 1 ? SpiffeId.parse(uris.getFirst()) : Optional.empty();
  }

  /** {@code SA.NS.serviceaccount.identity.CONTROL-NS.TRUST-DOMAIN}, or a SPIFFE id. */
  static Optional<SpiffeId> linkerd(List<String> fields) {
    if (fields.size() != 1) {
      return Optional.empty();
    }
    String name = fields.getFirst().strip();
    int mark = name.indexOf(L5D_MARK);
    int namespace = name.lastIndexOf('.', mark - 1);
    int domain = name.indexOf('.', mark + L5D_MARK.length());
    if (mark < 0 || namespace < 1 || domain < 0) {
      return SpiffeId.parse(name);
    }
    return SpiffeId.parse(
        "spiffe://%s/ns/%s/sa/%s"
            .formatted(
                name.substring(domain + 1),
                name.substring(namespace + 1, mark),
                name.substring(0, namespace)));
  }

  /** Parts between separators that stand outside of quotes; none if a quote is not closed. */
  private static List<String> parts(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        parts.add(text.substring(begin, i));
        begin = i + 1;
      }
    }
    parts.add(text.substring(begin));
    return quoted ? List.of() : parts;
  }

  private static String unquoted(String text) {
    return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1)
        : text;
  }
}
