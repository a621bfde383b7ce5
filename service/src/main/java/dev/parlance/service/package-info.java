/** What every process of Parlance has: results, loops, and their shared parts. */
@NullMarked
package dev.parlance.service;

import org.jspecify.annotations.NullMarked;
