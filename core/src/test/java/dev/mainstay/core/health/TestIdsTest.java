package dev.mainstay.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class TestIdsTest {
  private static final TestIdentity PLAIN =
      new TestIdentity("file", "class_name", "parent_name", "test_name", "");

  @Test
  void an_id_without_a_variant_equals_the_published_vector() {
    assertThat(new TestIds("org_slug", "host/owner/name").of(PLAIN))
        .isEqualTo(UUID.fromString("aad1f138-09ab-5ea9-9c21-af48a03d6edd"));
  }

  @Test
  void an_id_with_a_variant_equals_the_published_vector() {
    var test =
        new TestIdentity("src/lib.rs", "ExampleClass", "parent/fact/path", "example_name", "unix");
    assertThat(new TestIds("example_org", "example_repo").of(test))
        .isEqualTo(UUID.fromString("1bf61475-b542-5faf-aa85-e66a691257a3"));
  }

  @Test
  void an_id_is_the_same_each_time_and_of_version_5() {
    var ids = new TestIds("org", "host/owner/name");
    UUID first = ids.of(PLAIN);
    assertThat(ids.of(PLAIN)).isEqualTo(first);
    assertThat(first.version()).isEqualTo(5);
    assertThat(first.variant()).isEqualTo(2);
  }

  @Test
  void every_part_of_the_identity_tells_tests_apart() {
    var ids = new TestIds("org", "host/owner/name");
    assertThat(
            java.util.stream.Stream.of(
                    PLAIN,
                    new TestIdentity("file2", "class_name", "parent_name", "test_name", ""),
                    new TestIdentity("file", "class_name2", "parent_name", "test_name", ""),
                    new TestIdentity("file", "class_name", "parent_name2", "test_name", ""),
                    new TestIdentity("file", "class_name", "parent_name", "test_name2", ""),
                    new TestIdentity("file", "class_name", "parent_name", "test_name", "linux"))
                .map(ids::of))
        .doesNotHaveDuplicates();
  }
}
