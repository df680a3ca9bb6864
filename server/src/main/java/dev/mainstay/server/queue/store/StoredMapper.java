package dev.mainstay.server.queue.store;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.EntryId;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingId;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.SentValue;
import dev.mainstay.server.platform.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;

/**
 * Turns core types into JSON: ids as numbers, commits as text, events and actions by the name of
 * their kind, what is absent or false left out, and long lists of targets by their hash. A list
 * that an older version did not write is empty.
 */
final class StoredMapper {
  /** The attribute that says where lists of targets are looked up by their hash. */
  static final String SETS = "sets";

  private static final List<Class<?>> SEALED =
      List.of(QueueEvent.class, QueueAction.class, LandingProblem.class, Run.Outcome.class);

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
  private interface OfKind {}

  /** Left out where it is empty, as older versions did that did not know it. */
  interface MayBringNothing {
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<PullRequestRef> bringNothing();
  }

  /** Left out where there are none, as older versions did that did not know them. */
  interface MayHaveObstacles {
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<String> obstacles();
  }

  /** Left out where there are none, as older versions did that did not know them. */
  interface MayHaveSentValues {
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<SentValue> sentValues();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<String> commandPrefixes();
  }

  /** Left out where it leaves out nobody. */
  interface MayAssume extends MayBringNothing {
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<PullRequestRef> leaves();
  }

  /** Left out where it leaves out nobody. */
  interface MayLeaveOut {
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<PullRequestRef> leavesOut();
  }

  /** Left out where there are none. */
  interface MayGuess {
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    int flakeRetries();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<Run> guesses();
  }

  private StoredMapper() {}

  static JsonMapper create() {
    var builder =
        JsonMapper.builder(Json.factory().build())
            .addModule(module())
            .changeDefaultVisibility(v -> v.withIsGetterVisibility(Visibility.NONE))
            .changeDefaultPropertyInclusion(
                i -> i.withValueInclusion(JsonInclude.Include.NON_ABSENT))
            .withConfigOverride(
                boolean.class,
                o ->
                    o.setInclude(
                        JsonInclude.Value.construct(
                            JsonInclude.Include.NON_DEFAULT, JsonInclude.Include.ALWAYS)))
            .withConfigOverride(
                List.class, o -> o.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    builder.addMixIn(Run.class, MayAssume.class);
    builder.addMixIn(Group.class, MayGuess.class);
    builder.addMixIn(QueueAction.StartRun.class, MayLeaveOut.class);
    builder.addMixIn(PullRequestSnapshot.class, MayHaveObstacles.class);
    builder.addMixIn(QueueSettings.class, MayHaveSentValues.class);
    builder.addMixIn(QueueEvent.TestBranchBuilt.class, MayBringNothing.class);
    for (Class<?> sealed : SEALED) {
      builder.addMixIn(sealed, OfKind.class);
      Arrays.stream(sealed.getPermittedSubclasses())
          .forEach(kind -> builder.registerSubtypes(new NamedType(kind, kind.getSimpleName())));
    }
    return builder.build();
  }

  private static SimpleModule module() {
    var module = new SimpleModule();
    number(module, EntryId.class, EntryId::number, EntryId::new);
    number(module, GroupId.class, GroupId::number, GroupId::new);
    number(module, RunId.class, RunId::number, RunId::new);
    number(module, LandingId.class, LandingId::number, LandingId::new);
    number(module, Priority.class, Priority::value, n -> new Priority((int) n));
    number(module, PullRequestRef.class, PullRequestRef::number, n -> new PullRequestRef((int) n));
    module.addSerializer(CommitSha.class, new CommitWriter());
    module.addDeserializer(CommitSha.class, new CommitReader());
    module.addSerializer(ImpactedTargets.class, new TargetsWriter());
    module.addDeserializer(ImpactedTargets.class, new TargetsReader());
    return module;
  }

  private interface FromLong<T> {
    T of(long number);
  }

  private static <T> void number(
      SimpleModule module, Class<T> type, ToLongFunction<T> toNumber, FromLong<T> fromNumber) {
    module.addSerializer(
        type,
        new ValueSerializer<T>() {
          @Override
          public void serialize(T value, JsonGenerator json, SerializationContext context) {
            json.writeNumber(toNumber.applyAsLong(value));
          }
        });
    module.addDeserializer(
        type,
        new ValueDeserializer<T>() {
          @Override
          public T deserialize(JsonParser json, DeserializationContext context) {
            return fromNumber.of(json.getLongValue());
          }
        });
  }

  private static final class CommitWriter extends ValueSerializer<CommitSha> {
    @Override
    public void serialize(CommitSha sha, JsonGenerator json, SerializationContext context) {
      json.writeString(sha.value());
    }
  }

  private static final class CommitReader extends ValueDeserializer<CommitSha> {
    @Override
    public CommitSha deserialize(JsonParser json, DeserializationContext context) {
      return new CommitSha(json.getString());
    }
  }

  /** {@code "ALL"}, or the names, or an object with their hash. */
  private static final class TargetsWriter extends ValueSerializer<ImpactedTargets> {
    @Override
    public void serialize(ImpactedTargets value, JsonGenerator json, SerializationContext context) {
      Optional<String> hash = TargetSets.hash(value);
      if (value.all()) {
        json.writeString("ALL");
      } else if (hash.isPresent()) {
        json.writeStartObject();
        json.writeStringProperty("set", hash.get());
        json.writeEndObject();
      } else {
        json.writeStartArray();
        value.names().forEach(json::writeString);
        json.writeEndArray();
      }
    }
  }

  private static final class TargetsReader extends ValueDeserializer<ImpactedTargets> {
    @Override
    public ImpactedTargets deserialize(JsonParser json, DeserializationContext context) {
      if (json.currentToken() == JsonToken.VALUE_STRING) {
        return ImpactedTargets.ALL;
      }
      if (json.currentToken() == JsonToken.START_ARRAY) {
        return ImpactedTargets.of(context.readValue(json, String[].class));
      }
      json.nextToken();
      String hash = json.nextStringValue();
      json.nextToken();
      return TargetSets.known(hash).orElseGet(() -> sets(context).apply(hash));
    }

    @SuppressWarnings("unchecked")
    private static Function<String, ImpactedTargets> sets(DeserializationContext context) {
      return (Function<String, ImpactedTargets>) context.getAttribute(SETS);
    }
  }
}
