/**
 * The licence as the agents know it: its pieces and what bears on a question (ASP paper, section
 * 5.2), its words, and events about them.
 */
@NullMarked
package dev.parlance.demo.license;

import org.jspecify.annotations.NullMarked;
