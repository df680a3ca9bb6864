import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Copies a jar, with classes of Java 5 written as ones of Java 8: the Java machine keeps no class
 * in a cache that it has to verify in the old way. Nothing else about them changes. Run as a
 * program: JAR COPY.
 */
final class Lift {
  private static final int OLDEST_THAT_IS_KEPT = 50;
  private static final int JAVA_8 = 52;

  private Lift() {}

  public static void main(String[] args) throws IOException {
    try (var jar = new JarFile(args[0]);
        var copy = new ZipOutputStream(Files.newOutputStream(Path.of(args[1])))) {
      copy.setLevel(0);
      var hierarchy = ClassHierarchyResolver.ofResourceParsing(type -> file(jar, type));
      var reader =
          ClassFile.of(
              StackMapsOption.GENERATE_STACK_MAPS, ClassHierarchyResolverOption.of(hierarchy));
      for (var entry : Collections.list(jar.entries())) {
        byte[] content = jar.getInputStream(entry).readAllBytes();
        var copied = new ZipEntry(entry.getName());
        copied.setTimeLocal(entry.getTimeLocal());
        copy.putNextEntry(copied);
        copy.write(entry.getName().endsWith(".class") ? lifted(reader, content) : content);
        copy.closeEntry();
      }
    }
  }

  private static byte[] lifted(ClassFile reader, byte[] content) {
    ClassModel old = reader.parse(content);
    if (old.majorVersion() >= OLDEST_THAT_IS_KEPT) {
      return content;
    }
    byte[] lifted =
        reader.transformClass(
            old,
            (builder, element) -> {
              switch (element) {
                case ClassFileVersion _ -> builder.withVersion(JAVA_8, 0);
                case MethodModel method ->
                    builder.transformMethod(
                        method,
                        (within, part) -> {
                          if (part instanceof CodeModel code) {
                            within.transformCode(code, CodeTransform.ACCEPT_ALL);
                          } else {
                            within.with(part);
                          }
                        });
                default -> builder.with(element);
              }
            });
    var faults = reader.verify(lifted);
    if (!faults.isEmpty()) {
      throw new IllegalStateException(faults.toString());
    }
    return lifted;
  }

  /** The class file of a type, of the jar or of Java itself. */
  private static InputStream file(JarFile jar, ClassDesc type) {
    String descriptor = type.descriptorString();
    String name = descriptor.substring(1, descriptor.length() - 1) + ".class";
    try {
      var entry = jar.getEntry(name);
      return entry == null
          ? ClassLoader.getSystemResourceAsStream(name)
          : jar.getInputStream(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
