/** Build step: the container image, made without a container engine. */
@NullMarked
package dev.parlance.image;

import org.jspecify.annotations.NullMarked;
