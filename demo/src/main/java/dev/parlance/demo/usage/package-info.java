/** How the two agents use the words of the license domain, and the events they are asked about. */
@NullMarked
package dev.parlance.demo.usage;

import org.jspecify.annotations.NullMarked;
