package dev.mainstay.server.command;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;

/**
 * The git objects of a checkout that belongs to a test user. The node's copy, which it was made to
 * read, is closed to that user: so its objects are linked into the checkout, where they stay the
 * node's and cannot be written. A repository that everybody may read is read where it is.
 */
final class OwnObjects {
  private static final int PASSES = 3;
  private static final int DEEPEST = 5;

  private final Path objects;
  private final TestUser user;

  private OwnObjects(Path objects, TestUser user) {
    this.objects = objects;
    this.user = user;
  }

  /** The directories whose objects a checkout reads besides its own. */
  static List<Path> borrowedBy(Path checkout) throws IOException {
    var found = new ArrayList<Path>();
    collect(checkout.resolve(".git/objects"), found, 0);
    return found;
  }

  private static void collect(Path objects, List<Path> found, int depth) throws IOException {
    Path list = alternates(objects);
    if (depth < DEEPEST && Files.exists(list)) {
      for (String line : Files.readAllLines(list)) {
        Path lender = Path.of(line);
        if (!line.isBlank() && !found.contains(lender)) {
          found.add(lender);
          collect(lender, found, depth + 1);
        }
      }
    }
  }

  private static Path alternates(Path objects) {
    return objects.resolve("info/alternates");
  }

  /** Makes a checkout, which is the user's already, independent of what that user cannot read. */
  static void give(Path checkout, TestUser user) throws IOException {
    Path objects = checkout.resolve(".git/objects");
    List<Path> borrowed = borrowedBy(checkout);
    if (borrowed.isEmpty()) {
      return;
    }
    var own = new OwnObjects(objects, user);
    var stays = new ArrayList<String>();
    for (Path lender : borrowed) {
      if (UserReach.canRead(lender.resolve("pack"))) {
        stays.add(lender + "\n");
      } else {
        own.takeFrom(lender);
      }
    }
    Files.writeString(alternates(objects), String.join("", stays));
  }

  /** Objects may be packed meanwhile: whatever is gone then is in a pack that is found later. */
  private void takeFrom(Path lender) throws IOException {
    for (int pass = 0; pass < PASSES; pass++) {
      boolean whole = true;
      var folders = new ArrayList<Path>();
      try (var found = Files.newDirectoryStream(lender, "[0-9a-f][0-9a-f]")) {
        found.forEach(folders::add);
      }
      folders.add(lender.resolve("pack"));
      for (Path folder : folders) {
        whole &= takeFolder(folder);
      }
      if (whole) {
        return;
      }
    }
    throw new IOException("the objects in %s change too often".formatted(lender));
  }

  private boolean takeFolder(Path folder) throws IOException {
    Path into = objects.resolve(folder.getFileName());
    if (!Files.isDirectory(folder)) {
      return true;
    }
    if (!Files.isDirectory(into)) {
      give(Files.createDirectory(into));
    }
    boolean whole = true;
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (!name.startsWith("tmp_") && !name.startsWith("multi-pack-index")) {
          whole &= takeFile(file, into.resolve(name));
        }
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    return whole;
  }

  private boolean takeFile(Path file, Path into) throws IOException {
    try {
      if (!Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)
          || !linked(file, into)) {
        Files.copy(file, into);
        give(into);
      }
      return true;
    } catch (FileAlreadyExistsException e) {
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** False where the file system has no links, or it is another one. */
  private static boolean linked(Path file, Path into) throws IOException {
    try {
      Files.createLink(into, file);
      return true;
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      return false;
    }
  }

  private void give(Path file) throws IOException {
    Files.setAttribute(file, "unix:uid", user.number());
    Files.setAttribute(file, "unix:gid", user.number());
  }
}
