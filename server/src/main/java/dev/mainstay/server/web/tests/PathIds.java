package dev.mainstay.server.web.tests;

import dev.mainstay.server.web.page.Visit;
import java.util.regex.Pattern;

/** Ids in addresses: what cannot be one leads nowhere. */
final class PathIds {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private PathIds() {}

  static String of(Visit visit, String parameter) {
    String id = visit.request().path(parameter);
    if (!UUID.matcher(id).matches()) {
      throw Visit.nothingHere();
    }
    return id;
  }
}
