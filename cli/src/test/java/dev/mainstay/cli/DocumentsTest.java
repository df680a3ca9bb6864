package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.codehaus.groovy.control.CompilationUnit;
import org.codehaus.groovy.control.Phases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Examples for programs other than ours, read as those would read them. */
class DocumentsTest {
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([a-z][^):#]*)");

  static List<DocumentBlock> yaml() {
    return DocumentBlock.in("yaml");
  }

  static List<DocumentBlock> groovy() {
    return DocumentBlock.in("groovy");
  }

  static List<DocumentBlock> json() {
    return DocumentBlock.in("json");
  }

  @ParameterizedTest
  @MethodSource("yaml")
  void an_example_in_yaml_can_be_parsed(DocumentBlock block) {
    var settings = LoadSettings.builder().setAllowDuplicateKeys(false).build();
    assertThat(new Load(settings).loadFromString(block.text())).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("groovy")
  void an_example_in_groovy_can_be_parsed(DocumentBlock block) {
    var unit = new CompilationUnit();
    unit.addSource("Jenkinsfile", block.text());
    unit.compile(Phases.CONVERSION);
    assertThat(unit.getAST().getModules()).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("json")
  void an_example_in_json_can_be_parsed(DocumentBlock block) {
    assertThat(Json.readObject(block.text().getBytes(StandardCharsets.UTF_8))).isNotEmpty();
  }

  /** Configurations of proxies are read by the proxies themselves: .ci/proxies. */
  @Test
  void every_block_is_in_a_language_that_a_test_knows() {
    assertThat(DocumentBlock.documents())
        .flatExtracting(DocumentBlock::of)
        .allSatisfy(
            block ->
                assertThat(block.language())
                    .isIn("sh", "yaml", "groovy", "json", "text", "nginx", "haproxy"));
  }

  @Test
  void no_two_documents_have_the_same_title() {
    assertThat(DocumentBlock.documents())
        .extracting(document -> DocumentBlock.read(document).getFirst())
        .doesNotHaveDuplicates()
        .allMatch(title -> title.startsWith("# "));
  }

  @Test
  void a_link_to_another_document_leads_somewhere() {
    for (Path document : DocumentBlock.documents()) {
      for (String line : DocumentBlock.read(document)) {
        var links = LINK.matcher(line);
        while (links.find()) {
          assertThat(document.resolveSibling(links.group(1))).as(line).exists();
        }
      }
    }
  }
}
