package dev.mainstay.server.platform;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Traces by OpenTelemetry, of the whole process, where its standard variables ask for them. Where
 * they do not, nothing is recorded, and next to nothing is done.
 */
public final class Tracing {
  private static final String SCOPE = "mainstay";
  private static final List<String> ASKED_BY =
      List.of(
          "OTEL_EXPORTER_OTLP_ENDPOINT",
          "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
          "OTEL_TRACES_EXPORTER");

  /** Numbers and logs have ways of their own. Of two protocols, this is the one that we speak. */
  private static final Map<String, String> UNLESS_SAID_OTHERWISE =
      Map.of(
          "otel.service.name", "mainstay",
          "otel.traces.exporter", "otlp",
          "otel.exporter.otlp.protocol", "http/protobuf",
          "otel.metrics.exporter", "none",
          "otel.logs.exporter", "none");

  private static volatile Optional<OpenTelemetry> traces = Optional.empty();

  private Tracing() {}

  /** Something that takes time, until it is closed by the thread that began it. */
  public static final class Spent implements AutoCloseable {
    private static final Spent UNTOLD = new Spent(Span.getInvalid(), Scope.noop());

    private final Span span;
    private final Scope scope;

    private Spent(Span span, Scope scope) {
      this.span = span;
      this.scope = scope;
    }

    /** It is a request of this route; a name is only made where somebody records it. */
    public void of(String method, String route) {
      if (span.isRecording()) {
        span.updateName(method + " " + route).setAttribute("http.route", route);
      }
    }

    public Spent with(String attribute, String value) {
      span.setAttribute(attribute, value);
      return this;
    }

    public Spent with(String attribute, long value) {
      span.setAttribute(attribute, value);
      return this;
    }

    public Spent failed(String why) {
      span.setStatus(StatusCode.ERROR, why);
      return this;
    }

    @Override
    public void close() {
      scope.close();
      span.end();
    }
  }

  /** Begins to record where the variables of this process ask for it; returns what stops it. */
  public static Runnable start() {
    Map<String, String> variables = System.getenv();
    if (ASKED_BY.stream().allMatch(name -> variables.getOrDefault(name, "").isEmpty())) {
      return () -> {};
    }
    try {
      OpenTelemetrySdk sdk =
          AutoConfiguredOpenTelemetrySdk.builder()
              .addPropertiesSupplier(() -> UNLESS_SAID_OTHERWISE)
              .disableShutdownHook()
              .build()
              .getOpenTelemetrySdk();
      traces = Optional.of(sdk);
      return () -> {
        traces = Optional.empty();
        sdk.close();
      };
    } catch (RuntimeException e) {
      throw new StartFailure(
          "Traces cannot be sent as the variables OTEL_… say (%s): correct them, or unset %s."
              .formatted(e.getMessage(), String.join(", ", ASKED_BY)),
          e);
    }
  }

  /** A request that comes in, and may belong to a trace that its headers name. */
  public static Spent asked(String name, Function<String, Optional<String>> headers) {
    return begun(
        name,
        SpanKind.SERVER,
        all ->
            all.getPropagators()
                .getTextMapPropagator()
                .extract(Context.root(), headers, Headers.READ));
  }

  /** A request to somebody else. */
  public static Spent asking(String name) {
    return begun(name, SpanKind.CLIENT, all -> Context.current());
  }

  /** Work that nobody waits for, and what is done for it. */
  public static Spent work(String name) {
    return begun(name, SpanKind.INTERNAL, all -> Context.root());
  }

  /** A part of what is recorded now; alone it is not worth a trace. */
  public static Spent part(String name) {
    return traces.isPresent() && Span.current().getSpanContext().isValid()
        ? begun(name, SpanKind.CLIENT, all -> Context.current())
        : Spent.UNTOLD;
  }

  /** What it makes current is closed with what it returns. */
  @SuppressWarnings("MustBeClosedChecker")
  private static Spent begun(
      String name, SpanKind kind, Function<OpenTelemetry, Context> belongsTo) {
    Optional<OpenTelemetry> all = traces;
    if (all.isEmpty()) {
      return Spent.UNTOLD;
    }
    SpanBuilder builder = all.get().getTracer(SCOPE).spanBuilder(name);
    Span span = builder.setSpanKind(kind).setParent(belongsTo.apply(all.get())).startSpan();
    return new Spent(span, span.makeCurrent());
  }

  /** Only the headers that a trace is named by are asked for, so none is listed. */
  private enum Headers implements TextMapGetter<Function<String, Optional<String>>> {
    READ;

    @Override
    public Iterable<String> keys(Function<String, Optional<String>> headers) {
      return List.of();
    }

    @Override
    public @Nullable String get(@Nullable Function<String, Optional<String>> headers, String name) {
      return headers == null ? null : headers.apply(name).orElse(null);
    }
  }
}
