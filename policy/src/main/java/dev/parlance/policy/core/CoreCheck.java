package dev.parlance.policy.core;

/**
 * What the core guard found, and what is to follow from it.
 *
 * @param findings what it found
 * @param policy what follows
 */
public record CoreCheck(CoreFindings findings, GuardPolicy policy) {}
