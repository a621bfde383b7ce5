package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One question and its answer, ready to send. A JSON-RPC id {@code N} picks the exchange {@code N
 * mod count} on both sides, so question and answer always belong together.
 *
 * @param grounded true if the answer quotes its context and cites it
 * @param question text that the answer is measured against
 * @param answer text of the answering agent
 * @param context texts of the chunks {@code c1, c2, ...}, each ending with {@link #NONCE}
 * @param request body of the request from the member after the flow id on
 * @param response body of the answer from the member after the flow id on
 */
public record SampleExchange(
    boolean grounded,
    String question,
    String answer,
    List<String> context,
    Bytes request,
    Bytes response) {
  public SampleExchange {
    context = List.copyOf(context);
  }

  /** What stands before the id in a request body. */
  static final String REQUEST_START = "{\"jsonrpc\":\"2.0\",\"id\":";

  /** What stands between the id and the message id in a request body. */
  static final String REQUEST_MESSAGE =
      ",\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"q-";

  /** What stands between message id and flow id, in both bodies. */
  public static final String FLOW = "\",\"contextId\":\"flow-";

  /** What stands before the id in an answer body. */
  public static final String RESPONSE_START = "{\"jsonrpc\":\"2.0\",\"id\":";

  /** What stands between the id and the message id in an answer body. */
  public static final String RESPONSE_MESSAGE = ",\"result\":{\"message\":{\"messageId\":\"a-";

  /** What follows the flow id, in both bodies. */
  public static final String AFTER_FLOW = "\",";

  /** The last word of every chunk, with the blank before it. */
  static final String NONCE = " nonce0000000000";

  /** Digits of that word. */
  static final int NONCE_DIGITS = 10;

  /** Where in {@link #response} the digits of its nonces begin, one for each chunk. */
  int[] nonceSlots() {
    String text = new String(response.toArray(), StandardCharsets.US_ASCII);
    int[] slots = new int[context.size()];
    int at = 0;
    for (int i = 0; i < slots.length; i++) {
      int nonce = text.indexOf(NONCE + "\"", at);
      if (nonce < 0) {
        throw new IllegalStateException("expected " + slots.length + " nonces in " + text);
      }
      at = nonce + NONCE.length();
      slots[i] = at - NONCE_DIGITS;
    }
    return slots;
  }

  /** Writes a number as so many digits, with zeros in front. */
  static void putDigits(ByteBuf out, int at, int digits, long number) {
    long rest = number;
    for (int i = at + digits - 1; i >= at; i--) {
      out.setByte(i, (int) ('0' + rest % 10));
      rest /= 10;
    }
  }

  /** Size of the answer body, in bytes, to a request whose id has {@code idDigits} digits. */
  int responseBytes(int idDigits) {
    return RESPONSE_START.length()
        + RESPONSE_MESSAGE.length()
        + FLOW.length()
        + AFTER_FLOW.length()
        + 3 * idDigits
        + response.length();
  }

  /** A whole request body with this id. */
  public String requestBody(long id) {
    return body(REQUEST_START, REQUEST_MESSAGE, request, id);
  }

  /** A whole answer body with this id. */
  public String responseBody(long id) {
    return body(RESPONSE_START, RESPONSE_MESSAGE, response, id);
  }

  private static String body(String start, String message, Bytes rest, long id) {
    return start
        + id
        + message
        + id
        + FLOW
        + id
        + AFTER_FLOW
        + new String(rest.toArray(), StandardCharsets.US_ASCII);
  }

  /** Bytes that nobody changes; equal by content. */
  public static final class Bytes {
    private final byte[] bytes;

    Bytes(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    int length() {
      return bytes.length;
    }

    /** A copy. */
    public byte[] toArray() {
      return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes that && java.util.Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return java.util.Arrays.hashCode(bytes);
    }
  }
}
