package dev.mainstay.server.forge.gitlab;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A merge request of the fake, as it stands. */
final class FakeRequest {
  final int number;
  final String author;

  /** The branch of this project that it is of; empty where a fork's is. */
  final Optional<String> sourceBranch;

  String title;
  String description = "";
  String target;

  /** The head that the fake has taken in, and the one that it has been pushed since. */
  String head;

  Optional<String> pushed = Optional.empty();

  /** So many times it is asked for before what was pushed, or that it is merged, shows. */
  int readsUntilTaken;

  boolean draft;
  String state = "opened";
  Optional<String> mergedAs = Optional.empty();
  Optional<String> squashedAs = Optional.empty();

  /** The commit by which it will be shown as merged. */
  Optional<String> mergeDue = Optional.empty();

  int readsUntilMerged;

  /** What was taken in was in the target already: it stays open with no commits. */
  boolean empty;

  /** The reason for which it would not be merged, where it is not found out. */
  String status = "mergeable";

  /** So many times the fake still computes whether it can be merged. */
  int timesUnknown;

  final Set<String> labels = new TreeSet<>();

  /** Who had the fake merge it once its pipeline succeeds. */
  Optional<String> armedBy = Optional.empty();

  Instant updated = now();

  FakeRequest(
      int number, String author, Optional<String> sourceBranch, String target, String head) {
    this.number = number;
    this.author = author;
    this.sourceBranch = sourceBranch;
    this.target = target;
    this.head = head;
    this.title = "Merge request " + number;
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  boolean isOpen() {
    return state.equals("opened");
  }

  void touch() {
    updated = now();
  }

  void close() {
    state = "closed";
    touch();
  }

  void merge(String as) {
    state = "merged";
    mergedAs = Optional.of(as);
    mergeDue = Optional.empty();
    touch();
  }
}
