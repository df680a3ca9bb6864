package dev.mainstay.server.queue.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.MergeMethod;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsFieldsTest {
  @Test
  void what_is_not_named_stays() {
    var before = QueueSettings.defaults().edit().concurrency(9).batch(true).build();
    var after = read("{\"mode\":\"PARALLEL\",\"mergeMethod\":\"merge_commit\"}", before);
    assertThat(after)
        .isEqualTo(before.edit().mode(Mode.PARALLEL).mergeMethod(MergeMethod.MERGE_COMMIT).build());
    assertThat(read("{}", before)).isEqualTo(before);
    assertThat(read("{\"concurrency\":null,\"nonsense\":7}", before)).isEqualTo(before);
  }

  @Test
  void required_statuses_are_set_emptied_and_given_back_to_the_forge() {
    var set = read("{\"requiredStatuses\":[\"b\",\"a\",\"b\"]}", QueueSettings.defaults());
    assertThat(set.requiredStatuses()).isEqualTo(Optional.of(List.of("b", "a")));
    assertThat(read("{\"requiredStatuses\":[]}", set).requiredStatuses())
        .isEqualTo(Optional.of(List.of()));
    assertThat(read("{\"requiredStatuses\":null}", set)).isEqualTo(set);
    assertThat(read("{\"deleteRequiredStatuses\":false}", set)).isEqualTo(set);
    assertThat(read("{\"deleteRequiredStatuses\":true}", set).requiredStatuses()).isEmpty();
  }

  @Test
  void every_fault_is_named_at_once() {
    var error =
        fault(
            """
            {"mode":"both","concurrency":0,"bisectionConcurrency":1001,"testingTimeoutMinutes":-1,
             "pendingFailureDepth":"2","canOptimisticallyMerge":"yes","batch":1,"batchingMinSize":1.5,
             "batchingMaxWaitTimeMinutes":1441,"mergeMethod":7,"directMergeMode":"","optimizationMode":[],
             "requiredStatuses":["ok","",5,"a\\u0000b"],"commentsEnabled":{},"commandsEnabled":"true",
             "statusCheckEnabled":0,"createPrsForTestingBranches":"no","rewriteHeadBranches":1,"deleteRequiredStatuses":"x",
             "hermeticTests":"no","speculationBudget":11,"flakeRetries":6,"batchSizing":"BIG","timeoutSizing":3,
             "enqueueingLabel":" ","labelCommandsEnabled":1,"stateLabelsEnabled":"","extensionEnabled":[]}
            """);
    assertThat(error.faults().stream().map(ApiError.Fault::field))
        .containsExactlyInAnyOrder(
            "mode",
            "concurrency",
            "bisectionConcurrency",
            "testingTimeoutMinutes",
            "pendingFailureDepth",
            "canOptimisticallyMerge",
            "batch",
            "batchingMinSize",
            "batchingMaxWaitTimeMinutes",
            "mergeMethod",
            "directMergeMode",
            "optimizationMode",
            "requiredStatuses[1]",
            "requiredStatuses[2]",
            "requiredStatuses[3]",
            "commentsEnabled",
            "commandsEnabled",
            "statusCheckEnabled",
            "createPrsForTestingBranches",
            "rewriteHeadBranches",
            "hermeticTests",
            "speculationBudget",
            "flakeRetries",
            "batchSizing",
            "timeoutSizing",
            "deleteRequiredStatuses",
            "enqueueingLabel",
            "labelCommandsEnabled",
            "stateLabelsEnabled",
            "extensionEnabled");
    assertThat(error.faults()).contains(new ApiError.Fault("mode", "must be single or parallel"));
  }

  @Test
  void statuses_cannot_be_set_and_deleted_at_once() {
    assertThat(fault("{\"requiredStatuses\":[\"a\"],\"deleteRequiredStatuses\":true}").faults())
        .singleElement()
        .extracting(ApiError.Fault::field)
        .isEqualTo("deleteRequiredStatuses");
  }

  @ParameterizedTest
  @CsvSource({
    "concurrency,1,1000",
    "bisectionConcurrency,1,1000",
    "testingTimeoutMinutes,0,10080",
    "pendingFailureDepth,0,100",
    "batchingMinSize,1,100",
    "batchingMaxWaitTimeMinutes,0,1440",
    "flakeRetries,0,5"
  })
  void a_number_is_taken_up_to_its_bounds_and_not_beyond(String field, int least, int most) {
    for (int good : List.of(least, most)) {
      read("{\"%s\":%d}".formatted(field, good), QueueSettings.defaults());
    }
    for (int bad : List.of(least - 1, most + 1)) {
      assertThat(fault("{\"%s\":%d}".formatted(field, bad)).faults())
          .containsExactly(
              new ApiError.Fault(
                  field, "must be a whole number from %d to %d".formatted(least, most)));
    }
  }

  @Test
  void statuses_are_counted_and_measured() {
    String hundredOne = "\"a\",".repeat(101).replaceFirst(",$", "");
    assertThat(fault("{\"requiredStatuses\":[%s]}".formatted(hundredOne)).detail())
        .isEqualTo("requiredStatuses: must be a list of at most 100 texts");
    assertThat(fault("{\"requiredStatuses\":[\"%s\"]}".formatted("x".repeat(256))).detail())
        .isEqualTo("requiredStatuses[0]: must have 1 to 255 characters");
  }

  private static QueueSettings read(String json, QueueSettings before) {
    var in = new Fields(Json.readObject(json.getBytes(StandardCharsets.UTF_8)));
    var edit = SettingsFields.read(in);
    in.check();
    return edit.apply(before);
  }

  private static ApiError fault(String json) {
    return catchThrowableOfType(ApiError.class, () -> read(json, QueueSettings.defaults()));
  }
}
