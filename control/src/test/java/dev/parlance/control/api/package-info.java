/** Test access to the forms of messages at the api boundary. */
@NullMarked
package dev.parlance.control.api;

import org.jspecify.annotations.NullMarked;
