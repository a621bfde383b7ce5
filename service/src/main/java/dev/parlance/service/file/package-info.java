/** Files that survive a crash: small ones that are replaced whole, and logs that only grow. */
@NullMarked
package dev.parlance.service.file;

import org.jspecify.annotations.NullMarked;
