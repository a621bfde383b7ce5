package dev.parlance.control.store;

/** The database cannot be used now. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what what was to be done
   * @param cause why it could not
   */
  public StoreException(String what, Throwable cause) {
    super(what + ": " + cause.getMessage(), cause);
  }
}
