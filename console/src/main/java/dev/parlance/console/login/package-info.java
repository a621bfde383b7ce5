/** Who may use the console: codes and issuers that people log in with, sessions, roles. */
@NullMarked
package dev.parlance.console.login;

import org.jspecify.annotations.NullMarked;
