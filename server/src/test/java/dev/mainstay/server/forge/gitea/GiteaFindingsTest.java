package dev.mainstay.server.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Finding.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What we find at a real Gitea when a repository is connected. */
class GiteaFindingsTest extends GiteaScene {
  private List<String> sentences(GiteaApi asked, Level level) {
    return asked.findings(Set.of("main")).stream()
        .filter(finding -> finding.level() == level)
        .map(Finding::sentence)
        .toList();
  }

  @Test
  void a_repository_that_is_set_up_well_lacks_nothing() {
    protect(
        Map.of(
            "rule_name",
            "main",
            "enable_push",
            true,
            "enable_push_whitelist",
            true,
            "push_whitelist_usernames",
            List.of("owner")));
    assertThat(sentences(api, Level.MISSING)).isEmpty();
    assertThat(sentences(api, Level.ADVICE)).isEmpty();
    assertThat(sentences(api, Level.GOOD))
        .contains("owner may push to main.", "main is protected.");
  }

  @Test
  void what_is_not_set_up_is_said_with_how_to_mend_it() {
    gitea
        .owner()
        .patch(gitea.path(), Map.of("allow_manual_merge", false, "autodetect_manual_merge", false));
    protect(Map.of("rule_name", "main*/**", "enable_push", true));
    protect(
        Map.of(
            "rule_name",
            "main",
            "enable_push",
            false,
            "enable_status_check",
            true,
            "status_check_contexts",
            List.of("ci/*")));
    assertThat(sentences(api, Level.MISSING))
        .containsExactly(
            "Pull requests cannot be marked as merged: they would be closed when they land.",
            "The protection \"main*/**\" covers the test branches mainstay/**, which then cannot be"
                + " replaced and deleted.",
            "owner may not push to main: nothing can land there.");
    assertThat(String.join("\n", sentences(api, Level.ADVICE)))
        .contains("does not notice merges", "main requires ci/*.", "by the pattern ci/*");
    assertThat(api.findings(Set.of("main")))
        .filteredOn(finding -> finding.level() != Level.GOOD)
        .allSatisfy(finding -> assertThat(finding.mend()).isPresent());
  }

  @Test
  void a_branch_that_others_can_push_to_is_advised_to_be_protected() {
    assertThat(String.join("\n", sentences(api, Level.ADVICE)))
        .contains("main is not protected: others can push to it past the queue.");
    protect(Map.of("rule_name", "main", "enable_push", true));
    assertThat(String.join("\n", sentences(api, Level.ADVICE)))
        .contains("Others than owner can push to main.");
    assertThat(api.findings(Set.of("nowhere")).getLast().sentence())
        .isEqualTo("There is no branch nowhere.");
  }

  @Test
  void a_token_that_lacks_a_scope_is_told_which() {
    GiteaApi little = gitea.api(gitea.token("owner", "write:repository"));
    assertThat(String.join("\n", sentences(little, Level.MISSING)))
        .contains("lacks the scope write:issue", "lacks the scope read:user")
        .doesNotContain("lacks the scope write:repository");
    little.close();
    GiteaApi reader = gitea.api(gitea.token("owner", "read:repository", "write:issue"));
    assertThat(String.join("\n", sentences(reader, Level.MISSING)))
        .contains("lacks the scope write:repository")
        .doesNotContain("lacks the scope write:issue");
    reader.close();
  }

  @Test
  void one_who_may_only_read_is_told_so() {
    GiteaApi bob = gitea.api(gitea.as("bob").token());
    assertThat(sentences(bob, Level.MISSING))
        .contains("The token is of somebody who may only read the repository.");
    assertThat(String.join("\n", sentences(bob, Level.ADVICE)))
        .contains("only an administrator", "nobody may command a queue");
    bob.close();
  }

  @Test
  void a_token_that_is_none_is_refused() {
    GiteaApi wrong = gitea.api("0".repeat(40));
    assertThatThrownBy(() -> wrong.findings(Set.of("main"))).isInstanceOf(CredentialsRefused.class);
    assertThatThrownBy(() -> gitea.node("0".repeat(40)).heads())
        .isInstanceOf(CredentialsRefused.class);
    wrong.close();
  }
}
