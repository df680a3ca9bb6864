package dev.mainstay.server.forge;

import java.nio.file.Path;

/** Plain git, by the path of a bare repository. */
class GitForgeTest extends ForgeContractTest {
  @Override
  ForgeWorld world(Path directory) {
    return new GitWorld(directory, path -> GitAddress.parse(path.toString()));
  }
}
