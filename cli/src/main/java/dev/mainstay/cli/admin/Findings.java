package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.server.forge.Finding;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** What a check of a repository found, for people and for programs. */
record Findings(List<Finding> all) {
  void addTo(ObjectNode answer) {
    var list = answer.withArray("findings");
    for (Finding finding : all) {
      var one = list.addObject();
      one.put("level", finding.level().name()).put("message", finding.sentence());
      finding.mend().ifPresent(mend -> one.put("mend", mend));
    }
  }

  void print(Shell shell) {
    for (Finding finding : all) {
      String level = finding.level().name().toLowerCase(Locale.ROOT);
      shell.out().printf("%-8s%s%n", level, Table.harmless(finding.sentence()));
      finding.mend().ifPresent(m -> shell.out().printf("%-8s%s%n", "", Table.harmless(m)));
    }
  }

  /** Prints all, and refuses where something is missing. */
  void print(AdminOptions options, Shell shell, ObjectNode answer) {
    answer.put("ok", missing() == 0);
    addTo(answer);
    options.answer(answer, () -> print(shell));
    if (missing() > 0) {
      throw new Refusal(
          missing() == 1 ? "One thing is missing." : "%d things are missing.".formatted(missing()));
    }
  }

  private long missing() {
    return all.stream().filter(f -> f.level() == Finding.Level.MISSING).count();
  }
}
