/**
 * Commands for Kubernetes: inject, install, check, intercept and their like. Beside {@code
 * simulate} the only package that may import the modules {@code inject} and {@code deploy}; a build
 * without them leaves this package out.
 */
@NullMarked
package dev.parlance.cli.cluster;

import org.jspecify.annotations.NullMarked;
