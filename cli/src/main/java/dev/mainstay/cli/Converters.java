package dev.mainstay.cli;

import java.util.UUID;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Words of the command line read as values; a wrong one is named in plain words. */
final class Converters {
  private Converters() {}

  static CommandLine addTo(CommandLine commandLine) {
    return commandLine
        .registerConverter(UUID.class, of(UUID::fromString, "an id, which looks like this: %s"))
        .registerConverter(int.class, of(Integer::valueOf, "a whole number"))
        .registerConverter(Integer.class, of(Integer::valueOf, "a whole number"))
        .registerConverter(long.class, of(Long::valueOf, "a whole number"))
        .registerConverter(Long.class, of(Long::valueOf, "a whole number"))
        .registerConverter(double.class, of(Double::valueOf, "a number"))
        .registerConverter(Double.class, of(Double::valueOf, "a number"));
  }

  private static <T> ITypeConverter<T> of(Function<String, T> reader, String form) {
    return word -> {
      try {
        return reader.apply(word);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "'%s' is not %s"
                .formatted(word, form.formatted("0b5c0a7e-5f0a-4d1c-9a4e-3f1d2c6b7a89")));
      }
    };
  }
}
