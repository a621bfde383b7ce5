/** Pictures of Grafana dashboards, drawn from what a Prometheus server answered. */
@NullMarked
package dev.parlance.deploy.picture;

import org.jspecify.annotations.NullMarked;
