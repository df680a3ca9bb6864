package dev.mainstay.server.forge.github;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A pull request of the fake, as it stands. */
final class FakePull {
  /** What somebody said about the change. */
  record Review(String login, String state) {}

  final int number;
  final String author;

  /** The branch of this repository that it is of; empty where a fork's is. */
  final Optional<String> headBranch;

  String title;
  String body = "";
  String base;
  String head;
  boolean draft;
  boolean open = true;
  boolean merged;
  Optional<String> mergedAs = Optional.empty();
  Instant updated = Instant.now();
  int openConversations;
  final Set<String> labels = new TreeSet<>();

  /** Who had GitHub merge it when all is well, if anybody. */
  Optional<String> autoMergeBy = Optional.empty();

  /** What people did with labels and the button: its kind, by whom, and the label. */
  final List<Event> events = new ArrayList<>();

  /** Something that was done to it. */
  record Event(int id, String kind, String who, String label) {}

  void label(String label, String who) {
    labels.add(label);
    event("labeled", who, label);
  }

  void unlabel(String label, String who) {
    labels.remove(label);
    event("unlabeled", who, label);
  }

  void autoMerge(Optional<String> by, String who) {
    autoMergeBy = by;
    event(by.isPresent() ? "auto_squash_enabled" : "auto_merge_disabled", who, "");
  }

  private void event(String kind, String who, String label) {
    events.add(new Event(number * 1000 + events.size(), kind, who, label));
    updated = Instant.now();
  }

  /** So many times the host still computes whether it can be merged. */
  int timesUnknown;

  final List<Review> reviews = new ArrayList<>();

  FakePull(int number, String author, Optional<String> headBranch, String base, String head) {
    this.number = number;
    this.author = author;
    this.headBranch = headBranch;
    this.base = base;
    this.head = head;
    this.title = "Pull request " + number;
  }

  void close() {
    open = false;
    updated = Instant.now();
  }

  void merge(String as) {
    close();
    merged = true;
    mergedAs = Optional.of(as);
  }

  boolean isApproved(int times) {
    return reviews.stream().filter(r -> r.state().equals("APPROVED")).count() >= times
        && reviews.stream().noneMatch(r -> r.state().equals("CHANGES_REQUESTED"));
  }
}
