package dev.mainstay.server.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressTest {
  private final Address address = new Address("acme");

  @Test
  void plain_names_stand_for_themselves() {
    var repo = new Repo("git.example", "group/sub_1", "shop-2");
    assertThat(address.pullRequest(repo, "main", 7))
        .isEqualTo("/acme/git.example/group/sub_1/shop-2/queues/main/pulls/7");
  }

  @Test
  void signs_that_mean_something_in_an_address_are_encoded() {
    var repo = new Repo("git.example", "a+b/c d", "x?y");
    assertThat(address.queue(repo, "feature/ü~"))
        .isEqualTo("/acme/git.example/a%2Bb/c%20d/x%3Fy/queues/feature%2F%C3%BC%7E");
    assertThat(Address.encoded("1/2")).isEqualTo("1%2F2");
  }

  @Test
  void times_are_shortened_in_whatever_form_they_come() {
    assertThat(Words.utc("2026-11-17T19:56:29Z")).isEqualTo("2026-11-17 19:56 UTC");
    assertThat(Words.utc("2026-11-17T19:56:29.123456Z")).isEqualTo("2026-11-17 19:56 UTC");
    assertThat(Words.utc("2026-11-17T19:56:29+01:00")).isEqualTo("2026-11-17 18:56 UTC");
    assertThat(Words.utc("yesterday")).isEqualTo("yesterday");
  }
}
