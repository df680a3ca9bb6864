package dev.mainstay.server.access;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.access.Access.NewKey;
import dev.mainstay.server.access.Access.Outcome;
import dev.mainstay.server.access.Person.Identity;
import dev.mainstay.server.access.Sessions.Opened;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two nodes' sessions on one database. */
class SessionsTest {
  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static final MovableClock CLOCK = new MovableClock();
  private static Database database;
  private static Access access;
  private static KeyRing ring;
  private static KeyRing otherRing;
  private static Sessions sessions;
  private static Sessions others;
  private static Organization team;

  @BeforeAll
  static void start() {
    database = Database.connect(ADDRESS, 8);
    access = new Access(database, CLOCK);
    team = access.createOrganization("team", "The team").orElseThrow();
    ring = new KeyRing(database, CLOCK);
    otherRing = new KeyRing(database, CLOCK);
    sessions = new Sessions(database, CLOCK, ring);
    others = new Sessions(database, CLOCK, otherRing);
  }

  @AfterAll
  static void stop() {
    Stream.of(sessions, others).forEach(Sessions::close);
    Stream.of(ring, otherRing).forEach(KeyRing::close);
    database.close();
  }

  @Test
  void a_session_has_the_scopes_of_its_key_and_every_node_knows_it_at_once() {
    NewKey key = key("release desk", Set.of(Scope.READ, Scope.QUEUE), Optional.empty());
    Opened opened = sessions.withKey(key.token().text()).orElseThrow();
    Visitor visitor = others.find(opened.secret()).orElseThrow();
    assertThat(visitor).isEqualTo(opened.visitor());
    assertThat(visitor.caller().organization()).isEqualTo("team");
    assertThat(visitor.caller().keyId()).isEqualTo(key.key().id());
    assertThat(visitor.caller().scopes()).containsExactlyInAnyOrder(Scope.READ, Scope.QUEUE);
    assertThat(visitor.role()).isEqualTo(Role.MEMBER);
    assertThat(visitor.name()).isEqualTo("release desk");
    assertThat(sessions.withKey("mst_unknown")).isEmpty();
    assertThat(sessions.find("unknown")).isEmpty();
    assertThat(sessions.find("x".repeat(10_000))).isEmpty();
  }

  @Test
  void the_secret_is_nowhere_in_the_database_and_in_no_log() {
    Opened opened =
        sessions
            .withKey(key("k", Set.of(Scope.READ), Optional.empty()).token().text())
            .orElseThrow();
    assertThat(opened.secret()).matches("[A-Za-z0-9_-]{43}");
    assertThat(opened.toString()).doesNotContain(opened.secret());
    assertThat(
            database.<Integer>query(
                handle ->
                    handle
                        .select(
                            "SELECT count(*) FROM session s WHERE s::text LIKE '%' || ? || '%'",
                            opened.secret())
                        .mapTo(Integer.class)
                        .one()))
        .isZero();
  }

  @Test
  void a_session_ends_with_its_key_on_every_node() {
    NewKey revoked = key("revoked", Set.of(Scope.READ), Optional.empty());
    NewKey rotated = key("rotated", Set.of(Scope.READ), Optional.empty());
    Instant soon = CLOCK.instant().plusSeconds(30);
    NewKey brief = key("brief", Set.of(Scope.READ), Optional.of(soon));
    var byRevoked = sessions.withKey(revoked.token().text()).orElseThrow();
    var byRotated = sessions.withKey(rotated.token().text()).orElseThrow();
    var byBrief = sessions.withKey(brief.token().text()).orElseThrow();
    assertThat(byBrief.visitor().expiresAt()).isEqualTo(soon);
    Stream.of(byRevoked, byRotated, byBrief)
        .forEach(one -> assertThat(others.find(one.secret())).isPresent());
    access.revokeKey(team.id(), revoked.key().id());
    access.rotateKey(team.id(), rotated.key().id(), Duration.ZERO);
    until(() -> others.find(byRevoked.secret()), Optional::isEmpty);
    until(() -> others.find(byRotated.secret()), Optional::isEmpty);
    CLOCK.advance(Duration.ofSeconds(30));
    assertThat(others.find(byBrief.secret())).isEmpty();
  }

  @Test
  void signing_out_ends_one_session_and_signing_out_everywhere_all_of_the_same_owner() {
    String token = key("three browsers", Set.of(Scope.READ), Optional.empty()).token().text();
    String someone = key("someone else", Set.of(Scope.READ), Optional.empty()).token().text();
    var first = sessions.withKey(token).orElseThrow();
    var second = sessions.withKey(token).orElseThrow();
    var third = sessions.withKey(token).orElseThrow();
    var apart = sessions.withKey(someone).orElseThrow();
    Stream.of(first, second, third, apart)
        .forEach(one -> assertThat(others.find(one.secret())).isPresent());
    sessions.end(first.secret());
    assertThat(sessions.find(first.secret())).isEmpty();
    until(() -> others.find(first.secret()), Optional::isEmpty);
    assertThat(others.find(second.secret())).isPresent();
    sessions.endEverywhere(first.secret());
    assertThat(sessions.find(second.secret())).isPresent();
    sessions.endEverywhere(third.secret());
    assertThat(sessions.find(second.secret())).isEmpty();
    until(() -> others.find(second.secret()), Optional::isEmpty);
    until(() -> others.find(third.secret()), Optional::isEmpty);
    assertThat(others.find(apart.secret())).isPresent();
  }

  @Test
  void a_session_ends_after_7_idle_days_and_after_30_days_at_most() {
    String token = key("often here", Set.of(Scope.READ), Optional.empty()).token().text();
    var idle = sessions.withKey(token).orElseThrow();
    var used = sessions.withKey(token).orElseThrow();
    assertThat(others.find(used.secret())).isPresent();
    for (int week = 0; week < 4; week++) {
      CLOCK.advance(Duration.ofDays(7).minusMinutes(1));
      assertThat(sessions.find(used.secret())).as("week %d", week).isPresent();
      sessions.recordUses();
    }
    assertThat(others.find(idle.secret())).isEmpty();
    assertThat(others.find(used.secret())).isPresent();
    CLOCK.advance(Duration.ofDays(2).plusMinutes(4));
    assertThat(sessions.find(used.secret())).isEmpty();
    assertThat(others.find(used.secret())).isEmpty();
  }

  @Test
  void use_is_recorded_once_a_minute_at_most() {
    String token = key("busy", Set.of(Scope.READ), Optional.empty()).token().text();
    var opened = sessions.withKey(token).orElseThrow();
    // The first look may meet news of its own opening, and remember nothing.
    sessions.find(opened.secret());
    sessions.find(opened.secret());
    Instant began = CLOCK.instant();
    CLOCK.advance(Duration.ofSeconds(59));
    sessions.find(opened.secret());
    sessions.recordUses();
    assertThat(lastSeen(opened)).isEqualTo(began);
    CLOCK.advance(Duration.ofSeconds(1));
    sessions.find(opened.secret());
    sessions.recordUses();
    assertThat(lastSeen(opened)).isEqualTo(began.plusSeconds(60));
  }

  @Test
  void nobody_has_more_than_50_sessions_the_oldest_goes() {
    String token = key("many", Set.of(Scope.READ), Optional.empty()).token().text();
    var all = new ArrayList<Opened>();
    for (int i = 0; i < 52; i++) {
      all.add(sessions.withKey(token).orElseThrow());
    }
    assertThat(all.stream().map(one -> sessions.find(one.secret()).isPresent()).toList())
        .startsWith(false, false, true)
        .endsWith(true)
        .filteredOn(open -> open)
        .hasSize(50);
  }

  @Test
  void a_person_has_the_role_of_the_last_sign_in_in_all_sessions() {
    var ann = new Identity("https://id.example", "ann-1", "Ann", Optional.of("ann@example.com"));
    Opened admin = sessions.withPerson(team.id(), ann, Role.ADMIN);
    Visitor before = others.find(admin.secret()).orElseThrow();
    assertThat(before.caller().scopes()).isEqualTo(EnumSet.allOf(Scope.class));
    assertThat(before.isPerson()).isTrue();
    var renamed = new Identity(ann.issuer(), ann.subject(), "Ann B.", Optional.empty());
    Opened viewer = sessions.withPerson(team.id(), renamed, Role.VIEWER);
    assertThat(viewer.visitor().caller().keyId()).isEqualTo(before.caller().keyId());
    assertThat(sessions.find(admin.secret()).orElseThrow().role()).isEqualTo(Role.VIEWER);
    Visitor after =
        until(() -> others.find(admin.secret()).orElseThrow(), v -> v.role() == Role.VIEWER);
    assertThat(after.caller().scopes()).containsExactly(Scope.READ);
    assertThat(after.name()).isEqualTo("Ann B.");
    sessions.withoutRole(team.id(), ann);
    assertThat(sessions.find(viewer.secret())).isEmpty();
    until(() -> others.find(admin.secret()), Optional::isEmpty);
  }

  @Test
  void what_is_over_is_forgotten() {
    String token = key("swept", Set.of(Scope.READ), Optional.empty()).token().text();
    var ended = sessions.withKey(token).orElseThrow();
    var open = sessions.withKey(token).orElseThrow();
    sessions.end(ended.secret());
    CLOCK.advance(Duration.ofMinutes(61));
    sessions.sweep();
    assertThat(rows(ended)).isZero();
    assertThat(rows(open)).isEqualTo(1);
  }

  private static NewKey key(String name, Set<Scope> scopes, Optional<Instant> expiresAt) {
    var outcome = access.createKey(team.id(), team.slug(), name, scopes, expiresAt);
    return ((Outcome.Made) outcome).made();
  }

  private static Instant lastSeen(Opened opened) {
    return database.query(
        handle ->
            handle
                .select(
                    "SELECT last_seen_at FROM session WHERE id = ?", opened.visitor().sessionId())
                .mapTo(Instant.class)
                .one());
  }

  private static int rows(Opened opened) {
    return database.query(
        handle ->
            handle
                .select("SELECT count(*) FROM session WHERE id = ?", opened.visitor().sessionId())
                .mapTo(Integer.class)
                .one());
  }
}
