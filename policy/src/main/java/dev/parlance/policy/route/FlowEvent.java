package dev.parlance.policy.route;

/** What happens in a flow. */
public enum FlowEvent {
  /** A draft has arrived and wants to be judged. */
  DRAFTED,
  /** A draft was judged Regenerate and the author is to be asked again. */
  REGENERATED,
  /** A message went on to its receiver, by itself or released by a person. */
  DELIVERED,
  /** A message was handed to the review queue. */
  YIELDED
}
