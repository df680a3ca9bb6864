package dev.mainstay.server.forge.git.copy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Objects in files of their own: written and read as git does, without a process for each. */
record LooseObjects(Path objects, List<Path> borrowed, Supplier<Deflater> deflaters) {
  private static final int MAX_HEADER = 64;
  private static final int SHA_LENGTH = 40;
  private static final int BUFFER = 512;

  LooseObjects(Path objects, List<Path> borrowed) {
    this(objects, borrowed, () -> new Deflater(Deflater.BEST_SPEED));
  }

  /** An object: what it is, and its bytes, unless there are more than were asked for. */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Found(String type, long size, byte[] bytes) {}

  /**
   * An object that has a file of its own, here or where objects are borrowed from. Empty where it
   * is elsewhere, or its file is broken: git is to be asked.
   */
  Optional<Found> read(String sha, int maxSize) {
    return Stream.concat(Stream.of(objects), borrowed.stream())
        .flatMap(folder -> read(file(folder, sha), maxSize).stream())
        .findFirst();
  }

  private static Optional<Found> read(Path file, int maxSize) {
    if (!Files.exists(file)) { // Cheaper than to fail, and most objects are in packs.
      return Optional.empty();
    }
    try (var in = new InflaterInputStream(Files.newInputStream(file))) {
      var header = new StringBuilder();
      for (int b = in.read(); b > 0 && header.length() < MAX_HEADER; b = in.read()) {
        header.append((char) b);
      }
      int blank = header.indexOf(" ");
      long size = Long.parseLong(header.substring(blank + 1));
      int wanted = Math.clamp(size, 0, maxSize);
      byte[] bytes = in.readNBytes(wanted);
      return size < 0 || bytes.length < wanted
          ? Optional.empty()
          : Optional.of(new Found(header.substring(0, blank), size, bytes));
    } catch (IOException | NumberFormatException | StringIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static Path file(Path folder, String sha) {
    return folder.resolve(sha.substring(0, 2)).resolve(sha.substring(2));
  }

  String write(Commit commit) {
    return write("commit", commit.raw());
  }

  String write(Tree tree) {
    return write("tree", tree.raw());
  }

  private String write(String type, byte[] content) {
    byte[] header = header(type, content);
    String sha = sha(header, content);
    Path file = file(objects, sha);
    try {
      Path folder = Optional.ofNullable(file.getParent()).orElseThrow();
      Files.createDirectories(folder);
      Path draft = Files.createTempFile(folder, "tmp_obj_", "");
      compress(header, content, draft);
      // Also over one that is there: a disk that lost power may have left it empty.
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new CacheBroken("A " + type + " cannot be written to " + objects, e);
    }
    return sha;
  }

  /** A deflater holds memory that no heap counts: it is given back at once. */
  void compress(byte[] header, byte[] content, Path file) throws IOException {
    Deflater deflater = deflaters.get();
    try (OutputStream out =
        new DeflaterOutputStream(Files.newOutputStream(file), deflater, BUFFER)) {
      out.write(header);
      out.write(content);
    } finally {
      deflater.end();
    }
  }

  /** True where these bytes are those that the name was made of, as far as it is a SHA-1. */
  static boolean isNamed(String name, String type, byte[] content) {
    return name.length() != SHA_LENGTH || sha(header(type, content), content).equals(name);
  }

  private static byte[] header(String type, byte[] content) {
    return (type + " " + content.length + "\0").getBytes(StandardCharsets.US_ASCII);
  }

  private static String sha(byte[] header, byte[] content) {
    try {
      var digest = MessageDigest.getInstance("SHA-1");
      digest.update(header);
      return HexFormat.of().formatHex(digest.digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
