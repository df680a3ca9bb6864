package dev.mainstay.server.health.list;

import dev.mainstay.server.health.list.PageTokens.Place;
import dev.mainstay.server.platform.http.Fields;
import java.util.UUID;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** Pages of a list: the one that a client asks for, and the tokens of the others. */
final class Pages {
  private static final int MAX_SIZE = 100;

  private Pages() {}

  /** The field {@code page_query}. */
  record Query(int size, String token) {
    static Query read(Fields in) {
      var fields = in.object("page_query");
      return new Query(
          fields.integer("page_size", 1, MAX_SIZE),
          fields.optionalLooseText("page_token", PageTokens.MAX_LENGTH).orElse(""));
    }

    boolean isFirst() {
      return token.isEmpty();
    }
  }

  /** The field {@code page} of an answer. */
  @JsonNaming(SnakeCaseStrategy.class)
  record Info(
      int totalRows,
      int totalPages,
      String nextPageToken,
      String prevPageToken,
      String lastPageToken,
      int pageIndex) {}

  static Info info(PageTokens tokens, String question, UUID moment, int page, int size, int rows) {
    int pages = (rows + size - 1) / size;
    return new Info(
        rows,
        pages,
        page + 1 < pages ? tokens.of(question, new Place(moment, page + 1)) : "",
        page > 0 ? tokens.of(question, new Place(moment, page - 1)) : "",
        pages > 0 ? tokens.of(question, new Place(moment, pages - 1)) : "",
        page);
  }
}
