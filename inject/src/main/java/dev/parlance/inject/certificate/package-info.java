/**
 * The webhook's certificate: made, shared between replicas, announced, rotated; or read from files.
 */
@NullMarked
package dev.parlance.inject.certificate;

import org.jspecify.annotations.NullMarked;
