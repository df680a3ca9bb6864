package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the API refused, said above the form that asked for it. */
public record Fault(String sentence, List<ApiError.Fault> fields) {

  /** An action; what was typed wrongly, or does not go now, is shown again with the reason. */
  static Reply or(Supplier<Reply> act, Function<Fault, Reply> again) {
    try {
      return act.get();
    } catch (ApiError e) {
      if (e.status() != 400 && e.status() != 409) {
        throw e;
      }
      return again.apply(new Fault(e.detail(), e.faults())).with(e.status());
    }
  }

  /** An answer, or the words with which it was refused. */
  public record Readable<T>(java.util.Optional<T> value, String refusal) {
    static <T> Readable<T> of(Supplier<T> ask) {
      try {
        return new Readable<>(java.util.Optional.of(ask.get()), "");
      } catch (ApiError e) {
        if (e.status() != 403) {
          throw e;
        }
        return new Readable<>(java.util.Optional.empty(), e.detail());
      }
    }
  }
}
