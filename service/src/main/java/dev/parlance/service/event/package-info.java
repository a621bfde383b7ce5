/** What people who look after pods are told, and who tells them. */
@NullMarked
package dev.parlance.service.event;

import org.jspecify.annotations.NullMarked;
