/** Commands that ask running sidecars: review, explain, tap, top, diagnostics, proxy-status. */
@NullMarked
package dev.parlance.cli.review;

import org.jspecify.annotations.NullMarked;
