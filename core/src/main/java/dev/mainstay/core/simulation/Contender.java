package dev.mainstay.core.simulation;

import dev.mainstay.core.simulation.world.World;
import java.util.function.Function;

/** A policy that takes part in a comparison; a fresh one is made for every world. */
public record Contender(String label, Function<World, Policy> policy) {}
