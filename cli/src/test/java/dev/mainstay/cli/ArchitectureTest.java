package dev.mainstay.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.mainstay.server.platform.http.ApiError;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Option;

/** The import table of ARCHITECTURE.md, and the rules of the house that can be told by machine. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.mainstay");

  @ParameterizedTest(name = "{0} imports of ours only {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          core.code            |
          core.chance          | core.code
          core.queue           | core.chance, core.code
          core.queue.rules     | core.queue, core.chance, core.code
          core.health          | core.code
          core.health.text     |
          core.health.judge    | core.health, core.health.text
          core.health.replay   | core.health, core.health.judge
          core.simulation..    | core.queue.., core.code
          server.platform      |
          server.platform.http | server.platform
          server.node          | server.platform
          server.embedded      | server.platform
          server.backup        | server.platform
          server.cluster       | server.node, server.platform
          server.access        | server.platform..
          server.access.oidc   | server.access, server.platform..
          server.repository    | server.platform.., core.code
          server.forge         | server.platform, core.code
          server.forge.git     | server.forge.git.copy, server.forge, server.platform, core.code
          server.forge.git.copy| server.forge, server.platform
          server.forge.rest    | server.forge, server.platform
          server.forge.hosted  | server.forge.rest, server.forge.git, server.forge.git.copy, server.forge, server.platform, core.code
          server.forge.github  | server.forge.hosted, server.forge.rest, server.forge.git, server.forge.git.copy, server.forge, server.platform, core.code
          server.forge.gitea   | server.forge.hosted, server.forge.rest, server.forge.git, server.forge.git.copy, server.forge, server.platform, core.code
          server.forge.gitlab  | server.forge.hosted, server.forge.rest, server.forge.git, server.forge.git.copy, server.forge, server.platform, core.code
          server.command       | server.platform, core.code
          server.connection    | server.forge, server.repository, server.platform.., core.code
          server.queue.store   | server.platform, core.queue, core.chance, core.code
          server.queue.run     | server.queue.store, server.forge, server.platform, core.queue.., core.code
          server.queue.work    | server.queue.run, server.queue.store, server.connection, server.forge, server.command, server.node, server.platform, core.queue.., core.code
          server.queue.whatif  | server.queue.run, server.queue.store, server.platform, core.queue, core.simulation.., core.code
          server.queue         | server.queue.whatif, server.queue.work, server.queue.run, server.queue.store, server.connection, server.forge.., server.command, server.node, server.repository, server.platform, core.queue.., core.chance, core.code
          server.queue.talk    | server.queue, server.queue.work, server.queue.run, server.queue.store, server.connection, server.forge, server.node, server.platform, core.queue, core.code
          server.queue.api     | server.queue, server.queue.whatif, server.queue.store, server.connection, server.forge, server.repository, server.platform.., core.queue, core.simulation.past, core.code
          server.report        | core.health..
          server.report.xml    | server.report, core.health..
          server.report.json   | server.report, core.health..
          server.report.text   | server.report, core.health..
          server.report.file   | server.report, server.report.xml, server.report.json, server.report.text, core.health..
          server.health.test   | server.repository, server.platform.., core.health, core.code
          server.health.result | server.repository, server.platform, core.health, core.code
          server.health.ingest | server.health.result, server.health.test, server.report, server.report.file, server.repository, server.platform.., core.health.., core.code
          server.health.judge  | server.health.result, server.health.test, server.platform.., core.health.., core.code
          server.health.list   | server.health.judge, server.health.result, server.health.test, server.platform.., core.health.., core.code
          server.health        | server.health.., server.platform..
          server.event         | server.platform.., core.code
          server.mcp           | server.platform.., core.code
          server.web.svg       |
          server.web.graph     | server.web.svg
          server.web.plot      | server.web.svg
          server.web.page      | server.access, server.platform..
          server.web.live      | server.web.page, server.access, server.platform..
          server.web.sign      | server.web.page, server.access.., server.platform..
          server.web.queue     | server.web.page, server.web.graph, server.web.plot, server.web.svg, server.platform..
          server.web.tests     | server.web.page, server.access, server.web.plot, server.web.svg, server.platform..
          server.web.description | server.platform
          server.web.docs      | server.web.description, server.web.page, server.platform..
          server.web.settings  | server.web.description, server.web.page, server.platform..
          server.web           | server.web.., server.access.., server.platform..
          """)
  void a_room_imports_only_what_the_table_allows(String room, String allowed) {
    String[] packages =
        Stream.concat(
                Stream.of(room),
                allowed == null ? Stream.empty() : Arrays.stream(allowed.split(", ")))
            .map(name -> "dev.mainstay." + name)
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("dev.mainstay." + room)
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.mainstay..").and(not(resideInAnyPackage(packages))))
        .check(CLASSES);
  }

  @Test
  void every_room_of_the_server_is_in_the_table() throws NoSuchMethodException {
    String table =
        getClass()
            .getDeclaredMethod(
                "a_room_imports_only_what_the_table_allows", String.class, String.class)
            .getAnnotation(CsvSource.class)
            .textBlock();
    List<String> rooms =
        table
            .lines()
            .map(line -> "dev.mainstay." + line.substring(0, line.indexOf('|')).strip())
            .toList();
    noClasses()
        .that()
        .resideInAnyPackage("dev.mainstay.core..", "dev.mainstay.server..")
        .and()
        .resideOutsideOfPackage("dev.mainstay.server")
        .should()
        .resideOutsideOfPackages(rooms.toArray(String[]::new))
        .check(CLASSES);
  }

  @Test
  void core_knows_only_the_jdk() {
    classes()
        .that()
        .resideInAPackage("dev.mainstay.core..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "dev.mainstay.core..")
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void no_room_can_be_reached_from_itself() {
    slices().matching("dev.mainstay.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void no_file_can_be_reached_from_itself() {
    slices().assignedFrom(Files.OF_CLASSES).should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void no_enum_of_the_rules_is_on_the_wire() {
    noFields()
        .that()
        .areDeclaredInClassesThat()
        .haveNameMatching(".*Api\\$Wire.*")
        .should()
        .haveRawType(
            describe(
                "an enum of the core or of a store",
                type -> type.isEnum() && type.getPackageName().startsWith("dev.mainstay")))
        .check(CLASSES);
  }

  @Test
  void only_the_shell_knows_the_process_that_a_command_runs_in() {
    noClasses()
        .that()
        .resideInAPackage("dev.mainstay.cli..")
        .and()
        .doNotHaveFullyQualifiedName("dev.mainstay.cli.shell.Shell")
        .should()
        .callMethod(System.class, "getenv")
        .orShould()
        .callMethod(System.class, "getenv", String.class)
        .orShould()
        .accessField(System.class, "in")
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }

  /** Java tells the methods of a class in another order now and then, fields in their own. */
  @Test
  void no_option_is_a_method() {
    noMethods().should().beAnnotatedWith(Option.class).check(CLASSES);
  }

  @Test
  void sql_stays_in_stores_and_http_at_the_door() {
    noClasses()
        .that()
        .haveNameNotMatching(".*(Store|Database|Columns|Convoy|CopyRows|Migrations)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.postgresql..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.mainstay.server.platform..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.helidon..", "com.zaxxer..")
        .check(CLASSES);
  }

  @Test
  void statements_run_in_stores() {
    noClasses()
        .that()
        .haveNameNotMatching(".*(Store|\\.Database|\\.Columns|\\.Migrations)(\\$.*)?")
        .should()
        .callMethodWhere(
            target(owner(assignableTo(Handle.class)))
                .and(target(nameMatching("execute|select|create.*|prepareBatch"))))
        .check(CLASSES);
  }

  /**
   * Requests are refused where they are answered; pages and agents ask the API, and hear it refuse.
   */
  @Test
  void errors_of_the_api_are_made_by_apis() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.mainstay.server.platform.http",
            "dev.mainstay.server.web..",
            "dev.mainstay.server.mcp")
        .and()
        .haveNameNotMatching(".*(Api)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ApiError.class)
        .check(CLASSES);
  }

  @Test
  void names_say_what_a_class_decides() {
    for (String suffix :
        List.of("Manager", "Helper", "Util", "Utils", "Impl", "Service", "Processor", "Dto")) {
      noClasses().should().haveSimpleNameEndingWith(suffix).check(CLASSES);
    }
  }

  @Test
  void there_is_something_to_check() {
    assertThat(CLASSES.stream().filter(c -> c.getPackageName().contains(".server."))).isNotEmpty();
  }

  /** A file is its outermost class with all that is nested in it. */
  private enum Files implements SliceAssignment {
    OF_CLASSES;

    @Override
    public String getDescription() {
      return "files";
    }

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass one) {
      String name = one.getFullName();
      int nested = name.indexOf('$');
      return SliceIdentifier.of(nested < 0 ? name : name.substring(0, nested));
    }
  }
}
