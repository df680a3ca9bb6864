package dev.mainstay.server.forge.git.copy;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A commit, as git stores it. Its bytes may be in any encoding, so all strings hold one byte in
 * each character; {@link #readable} makes them text, and {@link #bytes} makes text them.
 */
public record Commit(
    String tree,
    List<String> parents,
    String author,
    String committer,
    List<String> moreHeaders,
    String message) {
  private static final Pattern TIME = Pattern.compile("> (\\d{1,18}) [-+]\\d+$");
  static final String IDENTITY = "Mainstay <mainstay@localhost>";

  static Commit parse(byte[] raw) {
    String text = new String(raw, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\n\n");
    String head = end < 0 ? text : text.substring(0, end + 1);
    String tree = "";
    String author = "";
    String committer = "";
    var parents = new ArrayList<String>();
    var more = new ArrayList<String>();
    for (String line : head.split("\n", -1)) {
      if (line.startsWith("tree ") && tree.isEmpty()) {
        tree = line.substring(5);
      } else if (line.startsWith("parent ") && author.isEmpty()) {
        parents.add(line.substring(7));
      } else if (line.startsWith("author ") && author.isEmpty()) {
        author = line.substring(7);
      } else if (line.startsWith("committer ") && committer.isEmpty()) {
        committer = line.substring(10);
      } else if (!line.isEmpty()) {
        more.add(line);
      }
    }
    return new Commit(
        tree,
        List.copyOf(parents),
        author,
        committer,
        more,
        end < 0 ? "" : text.substring(end + 2));
  }

  /** A commit of ours, at a time the caller gives: made again, it is the same commit. */
  public static Commit ours(String tree, List<String> parents, Instant at, String message) {
    return new Commit(tree, parents, us(at), us(at), List.of(), bytes(message));
  }

  public static String us(Instant at) {
    return IDENTITY + " " + at.getEpochSecond() + " +0000";
  }

  byte[] raw() {
    var text = new StringBuilder("tree ").append(tree).append('\n');
    parents.forEach(p -> text.append("parent ").append(p).append('\n'));
    text.append("author ").append(author).append("\ncommitter ").append(committer).append('\n');
    moreHeaders.forEach(h -> text.append(h).append('\n'));
    return text.append('\n').append(message).toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  public Optional<String> header(String name) {
    return moreHeaders.stream()
        .filter(h -> h.startsWith(name + " "))
        .map(h -> h.substring(name.length() + 1))
        .findFirst();
  }

  /** The time of the commit in seconds since 1970; 0 where it does not say. */
  public long time() {
    Matcher seconds = TIME.matcher(committer);
    return seconds.find() ? Long.parseLong(seconds.group(1)) : 0;
  }

  /** The name and address of the author, without the time. */
  public String authorIdentity() {
    return author.substring(0, author.lastIndexOf('>') + 1);
  }

  /** The time of the author, as git writes it. */
  public String authorTime() {
    return author.substring(author.lastIndexOf('>') + 1).strip();
  }

  /** Bytes of this commit as text: in the encoding it names, else UTF-8, else Latin-1. */
  public String readable(String bytes) {
    byte[] raw = bytes.getBytes(StandardCharsets.ISO_8859_1);
    return decoded(raw, charset()).or(() -> decoded(raw, StandardCharsets.UTF_8)).orElse(bytes);
  }

  private static Optional<String> decoded(byte[] raw, Charset charset) {
    try {
      return Optional.of(charset.newDecoder().decode(ByteBuffer.wrap(raw)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private Charset charset() {
    try {
      return header("encoding").map(Charset::forName).orElse(StandardCharsets.UTF_8);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return StandardCharsets.UTF_8;
    }
  }

  public static String bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
