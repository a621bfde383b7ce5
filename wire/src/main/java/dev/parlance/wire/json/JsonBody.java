package dev.parlance.wire.json;

/**
 * A body that has been scanned as JSON, so that codecs which look at it one after the other need
 * not scan it again.
 */
public final class JsonBody {
  private final JsonDocument json;

  public JsonBody(JsonDocument json) {
    this.json = json;
  }

  /** Where everything lies. */
  public JsonDocument json() {
    return json;
  }
}
