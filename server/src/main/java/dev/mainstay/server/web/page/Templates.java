package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import java.util.Map;

/** Draws pages by templates that were compiled with the program. */
public final class Templates {
  private static final String HTML = "text/html; charset=utf-8";

  private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

  Templates() {
    engine.setBinaryStaticContent(false);
  }

  public Reply page(Request request, String template, Frame frame, Object model) {
    return packed(template, frame, model).reply(request);
  }

  public Packed packed(String template, Frame frame, Object model) {
    var out = new Utf8ByteOutput();
    engine.render(template + ".jte", Map.of("frame", frame, "page", model), out);
    return Packed.quickly(HTML, out.toByteArray());
  }
}
