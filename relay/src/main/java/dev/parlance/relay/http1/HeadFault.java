package dev.parlance.relay.http1;

/**
 * Why the bytes of a message are not HTTP/1.1 as strictly read.
 *
 * @param status status to answer a request with; a response with a fault is never passed on
 * @param code stable reason code
 * @param detail bad value and what was expected; ASCII
 */
public record HeadFault(int status, String code, String detail) {
  public static HeadFault bad(String code, String detail) {
    return new HeadFault(400, code, detail);
  }
}
