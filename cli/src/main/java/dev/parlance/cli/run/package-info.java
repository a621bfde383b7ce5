/** Commands that run or configure a process: demo, proxy, control, config. */
@NullMarked
package dev.parlance.cli.run;

import org.jspecify.annotations.NullMarked;
