package dev.mainstay.server.web.settings;

import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.description.Property;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.settings.Answers.Connection;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How to reach a repository, as a form. No secret is ever shown in it again. */
public record ConnectionForm(
    String address, String kind, List<String> kinds, String testCommand, String timeout,
    Property timeoutField) {
  private static final String PATH = "/v1/connectRepository";

  static ConnectionForm of(
      Description description, Optional<Connection> now, Optional<Form> typed) {
    List<Property> fields = description.fields(PATH);
    Property timeout = field(fields, "testTimeoutMinutes");
    return new ConnectionForm(
        typed.flatMap(f -> f.text("address")).or(() -> now.map(Connection::address)).orElse(""),
        typed.flatMap(f -> f.text("kind")).or(() -> now.map(Connection::kind)).orElse(""),
        field(fields, "kind").type().choices(),
        typed
            .flatMap(f -> f.text("testCommand"))
            .or(() -> now.flatMap(Connection::testCommand))
            .orElse(""),
        typed
            .flatMap(f -> f.text("testTimeoutMinutes"))
            .or(() -> now.map(c -> String.valueOf(c.testTimeoutMinutes())))
            .or(timeout::byDefault)
            .orElse(""),
        timeout);
  }

  private static Property field(List<Property> fields, String name) {
    return fields.stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
  }

  /** What connecting takes, beside the repository. */
  static Map<String, Object> body(Form form) {
    var body = new LinkedHashMap<String, Object>();
    body.put("address", form.needed("address"));
    form.text("kind").ifPresent(kind -> body.put("kind", kind));
    form.text("testCommand").ifPresent(command -> body.put("testCommand", command));
    form.text("testTimeoutMinutes")
        .ifPresent(
            minutes ->
                body.put(
                    "testTimeoutMinutes",
                    minutes.matches("[0-9]{1,9}") ? new BigDecimal(minutes) : minutes));
    credentials(form).ifPresent(credentials -> body.put("credentials", credentials));
    return body;
  }

  private static Optional<Map<String, Object>> credentials(Form form) {
    var credentials = new LinkedHashMap<String, Object>();
    form.text("token").ifPresent(token -> credentials.put("token", token));
    var app = new LinkedHashMap<String, Object>();
    form.text("appId").ifPresent(id -> app.put("id", id));
    form.text("privateKey").ifPresent(key -> app.put("privateKey", key.replace("\r\n", "\n")));
    form.text("appHookSecret").ifPresent(secret -> app.put("hookSecret", secret));
    if (!app.isEmpty()) {
      credentials.put("app", app);
    }
    return credentials.isEmpty() ? Optional.empty() : Optional.of(credentials);
  }
}
