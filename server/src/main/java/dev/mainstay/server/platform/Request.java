package dev.mainstay.server.platform;

import java.util.Optional;

/** A request that has passed the door: its route is known and its key is good for it. */
public final class Request {
  private final Optional<Caller> caller;
  private final Body body;

  Request(Optional<Caller> caller, Body body) {
    this.caller = caller;
    this.body = body;
  }

  /** The key's owner; only routes under {@code /v1} have one. */
  public Caller caller() {
    return caller.orElseThrow();
  }

  /** The fields of the JSON body. */
  public Fields fields() {
    return new Fields(Json.readObject(body.json()));
  }
}
