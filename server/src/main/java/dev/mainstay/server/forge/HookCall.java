package dev.mainstay.server.forge;

import java.util.Optional;
import java.util.function.Function;

/** A call of a forge's hook, before anybody knows whether to believe it. */
public final class HookCall {
  private final Function<String, Optional<String>> headers;
  private final byte[] body;

  /** The body is not changed by anybody. */
  public HookCall(Function<String, Optional<String>> headers, byte[] body) {
    this.headers = headers;
    this.body = body;
  }

  public Optional<String> header(String name) {
    return headers.apply(name);
  }

  public byte[] body() {
    return body;
  }
}
