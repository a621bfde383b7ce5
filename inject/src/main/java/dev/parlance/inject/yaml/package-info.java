/** YAML as trees and back; edits of YAML text that keep what they do not touch. */
@NullMarked
package dev.parlance.inject.yaml;

import org.jspecify.annotations.NullMarked;
