package dev.mainstay.server.queue;

import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeKind;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A real kind of forge whose forges are wrapped as they are opened. */
record WrappedKind(ForgeKind real, UnaryOperator<Forge> wrapped) implements ForgeKind {
  @Override
  public String name() {
    return real.name();
  }

  @Override
  public Given read(String address) {
    return real.read(address);
  }

  @Override
  public Forge open(String location, Supplier<Optional<Credentials>> credentials) {
    return wrapped.apply(real.open(location, credentials));
  }

  @Override
  public Optional<String> hookToken(Map<String, String> parameters) {
    return real.hookToken(parameters);
  }
}
