/**
 * {@code parlance simulate}: the simulations of the papers. The only package that may import the
 * module {@code sim}; a build without it leaves this package out.
 */
@NullMarked
package dev.parlance.cli.simulate;

import org.jspecify.annotations.NullMarked;
