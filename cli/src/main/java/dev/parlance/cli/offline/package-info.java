/** Commands that work on JSON Lines and files alone: score, calibrate, certify, commit, encoder. */
@NullMarked
package dev.parlance.cli.offline;

import org.jspecify.annotations.NullMarked;
