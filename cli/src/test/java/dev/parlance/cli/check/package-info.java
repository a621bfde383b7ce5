@NullMarked
package dev.parlance.cli.check;

import org.jspecify.annotations.NullMarked;
