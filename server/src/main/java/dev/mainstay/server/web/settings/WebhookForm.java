package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.description.Property;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.settings.WebhookAnswers.Webhook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What an endpoint is, as a form: the kinds of events are ticked one by one, each with a sentence,
 * or left to what is usual for its format.
 */
public record WebhookForm(
    Field name,
    Field url,
    Field format,
    Field repos,
    boolean asUsual,
    String usual,
    List<Family> families,
    String wasKinds) {
  private static final String CREATE = "/v1/webhooks/create";
  private static final String KIND = "kind:";
  private static final String WAS_KINDS = "was:kinds";
  private static final String WHICH = "which";
  private static final String USUAL = ".* If not given: ";
  private static final Set<String> PLAIN = Set.of("name", "url", "format", "repos");

  /** Kinds of one thing. */
  public record Family(String title, List<Kind> kinds) {}

  /** A kind; some are told only to those who ask for them by name. */
  public record Kind(String label, String sentence, boolean onlyIfAsked, boolean ticked) {
    public String field() {
      return KIND + label;
    }
  }

  /** The form of an endpoint as it is, or of a new one; {@code typed} is what was sent before. */
  static WebhookForm of(Description description, Optional<Webhook> now, Optional<Form> typed) {
    JsonNode all = now.<JsonNode>map(Json::tree).orElseGet(() -> atFirst(description));
    List<Field> fields = Field.of(plain(description), all, typed);
    return new WebhookForm(
        field(fields, "name"),
        field(fields, "url"),
        field(fields, "format"),
        field(fields, "repos"),
        typed.flatMap(f -> f.text(WHICH)).map("usual"::equals).orElse(now.isEmpty()),
        "Told is " + property(description, "kinds").description().replaceFirst(USUAL, ""),
        families(description, now, typed),
        typed
            .flatMap(f -> f.text(WAS_KINDS))
            .or(() -> now.map(w -> String.join("\n", w.kinds())))
            .orElse(""));
  }

  private static JsonNode atFirst(Description description) {
    return Json.object().put("format", property(description, "format").type().choices().getFirst());
  }

  private static List<Family> families(
      Description description, Optional<Webhook> now, Optional<Form> typed) {
    List<String> choices = property(description, "kinds").type().choices();
    var families = new LinkedHashMap<String, List<Kind>>();
    for (Description.Event event : description.events()) {
      if (choices.contains(event.kind())) {
        boolean atFirst =
            now.map(w -> w.kinds().contains(event.kind())).orElse(!event.onlyIfAsked());
        boolean ticked = typed.map(f -> f.isTicked(KIND + event.kind())).orElse(atFirst);
        families
            .computeIfAbsent(title(event.kind()), t -> new ArrayList<>())
            .add(new Kind(event.kind(), event.summary(), event.onlyIfAsked(), ticked));
      }
    }
    return families.entrySet().stream().map(f -> new Family(f.getKey(), f.getValue())).toList();
  }

  /** What a kind is of: the part before the last, as people write it. */
  private static String title(String kind) {
    String[] parts = kind.split("\\.", -1);
    String words = parts[parts.length - 2].replace('_', ' ');
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /** What making an endpoint takes. */
  static Map<String, Object> made(Description description, Form form) {
    var body = new LinkedHashMap<>(Field.changed(plain(description), form));
    if (!form.needed(WHICH).equals("usual")) {
      body.put("kinds", form.ticked(KIND));
    }
    return body;
  }

  /** What was changed of an endpoint. */
  static Map<String, Object> changed(Description description, Form form) {
    var body = new LinkedHashMap<>(Field.changed(plain(description), form));
    List<String> kinds = form.ticked(KIND);
    if (!new HashSet<>(kinds).equals(new HashSet<>(form.lines(WAS_KINDS)))) {
      body.put("kinds", kinds);
    }
    return body;
  }

  private static List<Property> plain(Description description) {
    return description.fields(CREATE).stream().filter(p -> PLAIN.contains(p.name())).toList();
  }

  private static Property property(Description description, String name) {
    return description.fields(CREATE).stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Field field(List<Field> fields, String name) {
    return fields.stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
  }
}
