package dev.mainstay.server.web.tests;

import dev.mainstay.server.web.tests.Answers.Day;
import java.util.ArrayList;
import java.util.List;

/** The days of a test as bars: how often it ran, and how often it failed. */
public record DayBars(List<Bar> bars, int width, int most) {
  static final int HEIGHT = 64;
  private static final int STEP = 20;
  private static final int LEAST = 3;

  /** A day; heights of its runs and of its failures, in the units of the picture. */
  public record Bar(Day day, int x, int runs, int failures) {
    public String sentence() {
      return "%s: %d of %d runs failed".formatted(day.day(), day.failures(), day.runs());
    }
  }

  static DayBars of(List<Day> days) {
    int most = days.stream().mapToInt(Day::runs).max().orElse(0);
    var bars = new ArrayList<Bar>();
    for (Day day : days) {
      bars.add(
          new Bar(day, bars.size() * STEP, tall(day.runs(), most), tall(day.failures(), most)));
    }
    return new DayBars(bars, Math.max(1, bars.size()) * STEP, most);
  }

  /** What happened at all is seen, however seldom it was. */
  private static int tall(int number, int most) {
    return number == 0 ? 0 : Math.max(LEAST, (int) Math.round((double) HEIGHT * number / most));
  }

  public int height() {
    return HEIGHT;
  }

  public int barWidth() {
    return STEP - 4;
  }
}
