package dev.mainstay.server.health.test;

import dev.mainstay.server.platform.CopyRows;
import java.util.List;
import java.util.UUID;

/** Tests of an upload that may be new, or have new owners; ready to be copied. */
public final class TestRows implements AutoCloseable {
  final CopyRows rows = new CopyRows(7);

  public void add(
      UUID id,
      String name,
      String variant,
      String parent,
      String file,
      String className,
      List<String> owners) {
    rows.row()
        .uuid(id)
        .text(name)
        .text(variant)
        .text(parent)
        .text(file)
        .text(className)
        .texts(owners);
  }

  @Override
  public void close() {
    rows.close();
  }
}
