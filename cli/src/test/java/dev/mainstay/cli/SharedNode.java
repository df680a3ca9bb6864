package dev.mainstay.cli;

import java.nio.file.Path;
import java.util.Map;

/**
 * One served node for all tests that only need some server. Its first start was unattended; each
 * test takes an organization of its own.
 */
public final class SharedNode {
  public static final String FIRST_ORGANIZATION = "first";
  public static final String FIRST_TOKEN = "a-token-chosen-by-the-operator-0123456789";

  /** The variable SHOP_SECRET of test commands of the first organization. */
  public static final String HANDED_IN = "a-secret-for-test-commands";

  /** The one private address that it sends events to. */
  public static final String OPEN_ADDRESS = "127.0.0.2";

  private static final OpenDirectory DIRECTORY = OpenDirectory.create();
  private static final ServedNode NODE = start();

  private SharedNode() {}

  private static ServedNode start() {
    PreparedData.copyTo(data());
    var node =
        new ServedNode(
            data(),
            DIRECTORY.resolve("log"),
            Map.of(
                "MAINSTAY_ORG",
                FIRST_ORGANIZATION,
                "MAINSTAY_TOKEN",
                FIRST_TOKEN,
                "MAINSTAY_TEST_ENV_SHOP_SECRET",
                HANDED_IN,
                "MAINSTAY_WEBHOOK_NETWORKS",
                OPEN_ADDRESS + "/32"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node)));
    if (!node.awaitListening()) {
      throw new IllegalStateException("The node did not start; its log is in " + DIRECTORY);
    }
    return node;
  }

  private static void stop(ServedNode node) {
    node.stop();
    DIRECTORY.close();
  }

  public static ServedNode node() {
    return NODE;
  }

  /** The directory of its data, on which commands can work too. */
  public static Path data() {
    return DIRECTORY.resolve("data");
  }

  /** A new organization, and the token of a key that may do everything in it. */
  public static String newOrganization(String slug) {
    var admin = Cli.in(DIRECTORY.path()).with(Map.of("MAINSTAY_DATA_DIR", data().toString()));
    admin.run("org create " + slug);
    return admin
        .run("keys create --name all --scopes read,upload,queue,admin --org " + slug)
        .out()
        .strip();
  }
}
