package dev.mainstay.core.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepoNameTest {

  @ParameterizedTest
  @CsvSource({
    "github.com/acme/shop, github.com/acme/shop",
    "https://github.com/acme/shop.git, github.com/acme/shop",
    "https://user:secret@github.com/acme/shop, github.com/acme/shop",
    "git@github.com:acme/shop.git, github.com/acme/shop",
    "ssh://git@github.com:22/acme/shop.git, github.com/acme/shop",
    "gitlab.example.com:8443/group/sub/shop, gitlab.example.com:8443/group/sub/shop",
    "GitHub.com/Acme/Shop/, GitHub.com/Acme/Shop",
    "dev.azure.com/acme/My Project/_git/Web Shop, dev.azure.com/acme/My Project/_git/Web Shop",
    "https://acme@dev.azure.com/acme/My%20Project/_git/Web%20Shop, dev.azure.com/acme/My Project/_git/Web Shop",
    "git@ssh.dev.azure.com:v3/acme/My%20Project/Web%20Shop, ssh.dev.azure.com/v3/acme/My Project/Web Shop",
  })
  void a_repository_is_read_as_people_write_it(String text, String expected) {
    assertThat(RepoName.parse(text).map(RepoName::toString)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "shop",
        "acme/shop",
        "github.com//shop",
        "github.com/../shop",
        "a b/c/d",
        "h/o/n#x",
        "h/ o/n",
        "h/o /n",
        "h/o/a\tb",
        "/o/n"
      })
  void what_names_no_repository_is_refused(String text) {
    assertThat(RepoName.parse(text)).isEmpty();
  }

  @org.junit.jupiter.api.Test
  void spellings_that_differ_in_case_share_a_key() {
    assertThat(new RepoName("GitHub.com", "Acme", "Shop").key())
        .isEqualTo(new RepoName("github.com", "acme", "shop").key());
  }
}
