package dev.mainstay.server.web.settings;

import dev.mainstay.server.web.description.Property;
import dev.mainstay.server.web.page.Form;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A setting in a form, made of the description of the API, so that its bounds are written once. A
 * form sends what each setting was beside what it is to be: only what somebody has changed is sent
 * on, and two who change different settings do not undo each other.
 */
public record Field(Property property, String value, String was) {
  private static final String WAS = "was:";

  /** {@code now} holds what is set; {@code typed}, where there is one, what was sent before. */
  static List<Field> of(List<Property> properties, JsonNode now, Optional<Form> typed) {
    return properties.stream()
        .map(
            property -> {
              String was = text(now.path(property.name()));
              String value =
                  typed
                      .flatMap(f -> Optional.ofNullable(f.fields().get(property.name())))
                      .orElse(was);
              String sent = typed.flatMap(f -> f.text(WAS + property.name())).orElse(was);
              return new Field(property, value, sent);
            })
        .toList();
  }

  /** The settings that differ from what they were, as the API takes them; one may be emptied. */
  static Map<String, Object> changed(List<Property> properties, Form form) {
    var changed = new LinkedHashMap<String, Object>();
    for (Property property : properties) {
      String name = property.name();
      boolean sent = form.isTicked(name);
      boolean same = form.lines(name).equals(form.lines(WAS + name));
      if (sent && !same) {
        changed.put(name, value(property, form));
      }
    }
    return changed;
  }

  private static Object value(Property property, Form form) {
    if (property.type().isList()) {
      return form.lines(property.name());
    }
    String text = form.text(property.name()).orElse("");
    if (property.type().isTick()) {
      return Boolean.valueOf(text);
    }
    boolean numeric =
        property.type().isNumber()
            || property.type().choices().stream().anyMatch(c -> c.matches("[0-9]+"));
    return numeric && text.matches("-?[0-9]{1,15}(\\.[0-9]{1,15})?") ? new BigDecimal(text) : text;
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining("\n"))
        : value.isNumber() ? value.decimalValue().toPlainString() : value.asString("");
  }

  /** The kind of input it is: tick, choice, lines, number or text. */
  public String kind() {
    Property.Type type = property.type();
    if (type.isTick()) {
      return "tick";
    }
    if (type.isList()) {
      return "lines";
    }
    return !type.choices().isEmpty() ? "choice" : type.isNumber() ? "number" : "text";
  }

  public String name() {
    return property.name();
  }

  public String nameOfWas() {
    return WAS + property.name();
  }

  public boolean isOn() {
    return value.equals("true");
  }

  /** What it is and what it may be, in small print. */
  public String hint() {
    String bounds = property.range().words();
    return bounds.isEmpty()
        ? property.description()
        : (property.description()
                + " "
                + Character.toUpperCase(bounds.charAt(0))
                + bounds.substring(1)
                + ".")
            .strip();
  }
}
