package dev.parlance.proxy.review;

/** Where a held message stands; {@link ReviewItem} has the transition table. */
public enum ReviewState {
  /** It waits for a person. */
  PENDING("pending"),
  /** A person let it pass; it waits to be collected. */
  RELEASED("released"),
  /** A person refused it. */
  REJECTED("rejected"),
  /** It was released and collected. */
  DELIVERED("delivered"),
  /** It was released and nobody collected it in time. */
  EXPIRED("expired");

  private final String code;

  ReviewState(String code) {
    this.code = code;
  }

  /** The stable name in logs, metrics and over the admin API. */
  public String code() {
    return code;
  }

  /** True if nothing can happen to the message any more; its content is gone then. */
  public boolean isSettled() {
    return switch (this) {
      case PENDING, RELEASED -> false;
      case REJECTED, DELIVERED, EXPIRED -> true;
    };
  }
}
