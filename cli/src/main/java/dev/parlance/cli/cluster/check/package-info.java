/**
 * The checks of {@code parlance check}: what must hold in a cluster before and after installation,
 * one look each, through {@code kubectl}. Imports nothing of the other commands.
 */
@NullMarked
package dev.parlance.cli.cluster.check;

import org.jspecify.annotations.NullMarked;
