package dev.parlance.inject.webhook;

/** What answers requests; called on a thread that may compute, one request at a time. */
@FunctionalInterface
interface Endpoint {
  Reply answer(Request request);
}
