package dev.mainstay.server.report;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.core.health.text.BoundedText;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import nl.basjes.codeowners.CodeOwners;

/** A CODEOWNERS file: who owns a test, by the file it is in. GitHub's and GitLab's rules. */
public final class Owners {
  private static final int MOST_OWNERS = 50;
  private static final int REMEMBERED = 10_000;

  /** The library's parser shares state between instances. */
  private static final ReentrantLock PARSING = new ReentrantLock();

  private final CodeOwners rules;
  private final Cache<String, List<String>> known =
      Caffeine.newBuilder().executor(Runnable::run).maximumSize(REMEMBERED).build();

  private Owners(CodeOwners rules) {
    this.rules = rules;
  }

  /** Empty when the text is not a CODEOWNERS file. */
  public static Optional<Owners> parse(String text) {
    PARSING.lock();
    try {
      return Optional.of(new Owners(new CodeOwners(Texts.clean(text))));
    } catch (RuntimeException e) {
      return Optional.empty();
    } finally {
      PARSING.unlock();
    }
  }

  public static boolean isCodeOwnersFile(String name) {
    return name.substring(name.lastIndexOf('/') + 1).equals("CODEOWNERS");
  }

  public List<String> of(String file) {
    return file.isEmpty() ? List.of() : known.get(file, this::find);
  }

  private List<String> find(String file) {
    String path = file.replace('\\', '/');
    try {
      return rules.getAllApprovers(path.startsWith("./") ? path.substring(2) : path).stream()
          .distinct()
          .limit(MOST_OWNERS)
          .map(owner -> BoundedText.head(owner, Limits.NAME_LENGTH))
          .toList();
    } catch (RuntimeException e) {
      return List.of();
    }
  }
}
