package dev.parlance.proxy.config;

import io.netty.util.NetUtil;
import java.util.Optional;

/**
 * Addresses that begin alike, {@code 10.0.0.0/8}, or one address.
 *
 * @param text as it was written
 * @param prefix its leading bits, each 0 or 1
 */
public record AddressRange(String text, String prefix) {
  /** Reads a range; empty if it is none. */
  public static Optional<AddressRange> parse(String text) {
    int slash = text.indexOf('/');
    Optional<String> bits = bits(slash < 0 ? text : text.substring(0, slash));
    String length = slash < 0 ? "" : text.substring(slash + 1);
    if (bits.isEmpty() || (slash >= 0 && !length.matches("[0-9]{1,3}"))) {
      return Optional.empty();
    }
    int most = bits.get().length();
    int taken = slash < 0 ? most : Integer.parseInt(length);
    return taken <= most
        ? Optional.of(new AddressRange(text, bits.get().substring(0, taken)))
        : Optional.empty();
  }

  /** True for this address; false for what is none. */
  public boolean contains(String address) {
    return bits(address)
        .filter(bits -> bits.startsWith(prefix) && bits.length() == widthOf(text))
        .isPresent();
  }

  private static int widthOf(String text) {
    return text.indexOf(':') < 0 ? 32 : 128;
  }

  private static Optional<String> bits(String address) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
    if (bytes == null) {
      return Optional.empty();
    }
    StringBuilder bits = new StringBuilder(bytes.length * 8);
    for (byte one : bytes) {
      bits.append(Integer.toBinaryString((one & 0xff) | 0x100), 1, 9);
    }
    return Optional.of(bits.toString());
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }
}
