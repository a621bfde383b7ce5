/**
 * What typed finality holds up against: a diagnostic in the manner of BCS_v1 of H. Xu et al.,
 * "Hierarchical Certified Semantic Commitment for Byzantine-Resilient LLM-Agent Collaboration"
 * (arXiv 2606.07316), and a study of adversaries that know everything, both played through the
 * round machine and the algorithm that the product uses.
 */
@NullMarked
package dev.parlance.sim.finality;

import org.jspecify.annotations.NullMarked;
