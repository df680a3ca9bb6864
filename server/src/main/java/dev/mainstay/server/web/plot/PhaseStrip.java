package dev.mainstay.server.web.plot;

import java.time.Instant;
import java.util.List;

/** The phases of a test: how often it failed from when to when, and what its changes began with. */
public record PhaseStrip(String title, List<Phase> phases) {
  public PhaseStrip {
    phases = List.copyOf(phases);
  }

  /** {@code began} says between what the phase began; it is empty where nobody knows. */
  public record Phase(Instant from, Instant to, double rate, String began, String href) {
    String words() {
      return Unit.SHARE.write(rate)
          + " failed from "
          + Ticks.moment(from)
          + " to "
          + Ticks.moment(to)
          + (began.isEmpty() ? "" : ", began " + began);
    }
  }

  public String svg() {
    if (phases.isEmpty()) {
      return Canvas.empty(title + ": not enough runs to tell phases apart.");
    }
    double most =
        phases.stream().mapToDouble(p -> Math.min(1, Unit.safe(p.rate()))).max().orElse(0);
    Instant from = phases.getFirst().from();
    Instant to = phases.getLast().to();
    var canvas = new Canvas(title, from, to, Math.max(most, 0.01), Unit.SHARE, List.of());
    for (Phase phase : phases) {
      double left = canvas.x(phase.from());
      double right = Math.max(left + 1, canvas.x(phase.to()));
      double y = canvas.y(Math.min(1, phase.rate()));
      StackedBars.link(canvas.svg(), phase.href(), phase.words());
      canvas
          .svg()
          .leaf(
              "rect",
              "class",
              "phase " + style(phase),
              "x",
              Canvas.at(left),
              "y",
              Canvas.at(y),
              "width",
              Canvas.at(right - left),
              "height",
              Canvas.at(canvas.bottom() - y));
      String line = "M" + Canvas.at(left) + " " + Canvas.at(y) + "H" + Canvas.at(right);
      canvas.svg().leaf("path", "class", "phase-line " + style(phase), "d", line);
      if (!phase.equals(phases.getFirst())) {
        String x = Canvas.at(left);
        canvas
            .svg()
            .leaf(
                "line",
                "class",
                "change",
                "x1",
                x,
                "x2",
                x,
                "y1",
                canvas.top() - 8,
                "y2",
                canvas.bottom());
        canvas.svg().leaf("circle", "class", "change-dot", "cx", x, "cy", canvas.top() - 8, "r", 4);
      }
      canvas.svg().close(phase.href().isEmpty() ? "g" : "a");
    }
    return canvas.end();
  }

  private static String style(Phase phase) {
    double rate = Unit.safe(phase.rate());
    return rate <= 0 ? "good" : rate < 0.1 ? "few" : rate < 0.5 ? "some" : "most";
  }
}
