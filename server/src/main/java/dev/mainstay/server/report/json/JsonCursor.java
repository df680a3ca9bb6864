package dev.mainstay.server.report.json;

import dev.mainstay.server.report.ReportTimes;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A place in a JSON document that is read once. The value at it may be of any kind: what a reader
 * does not ask for, or asks for as something else, is passed over.
 */
abstract class JsonCursor {
  /** Visits the fields of the object here, each with the cursor at its value. */
  final void object(Consumer<String> field) {
    for (String name = firstField(); name != null; name = nextField()) {
      field.accept(name);
    }
  }

  /**
   * Goes to the value of the first field of the object here, and then with {@link #nextField} to
   * those of the others: the same for what is read most, without a call for each field.
   */
  abstract @Nullable String firstField();

  /** The name of the next field, with the cursor at its value; null behind the last one. */
  abstract @Nullable String nextField();

  /** Visits the elements of the array here. */
  abstract void array(Runnable element);

  /** The text of the value here, also of a number; empty for null and for what has parts. */
  abstract String text();

  /** The same, of a value that is often the same. */
  abstract String text(RecentText recent);

  /** That of several words which is the text here; empty where it is none of them. */
  abstract String word(List<String> words);

  /** Keeps the text here for whoever may ask for it later. */
  abstract void hold(HeldText held);

  /** The moment that is the value here. */
  abstract long moment(ReportTimes times);

  /** The duration here, which is a number of seconds. */
  abstract int seconds();

  /** The number here; -1 where there is none. */
  abstract double number();

  abstract boolean isTrue();

  abstract boolean isArray();

  abstract boolean isObject();
}
