package dev.mainstay.cli;

import dev.mainstay.cli.shell.Shell;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes commands and options; each that wants the shell in its constructor gets it. */
record CommandFactory(Shell shell) implements IFactory {
  private static final Class<?>[] WANTS_SHELL = {Shell.class};

  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (var constructor : type.getDeclaredConstructors()) {
      if (Arrays.equals(constructor.getParameterTypes(), WANTS_SHELL)) {
        constructor.setAccessible(true);
        return type.cast(constructor.newInstance(shell));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
