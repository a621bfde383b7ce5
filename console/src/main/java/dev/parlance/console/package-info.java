/** The console: pages for people who watch agents and decide about held messages, and their API. */
@NullMarked
package dev.parlance.console;

import org.jspecify.annotations.NullMarked;
