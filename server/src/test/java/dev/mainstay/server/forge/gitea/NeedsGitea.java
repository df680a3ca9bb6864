package dev.mainstay.server.forge.gitea;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips tests that need a real Gitea where there is none, unless {@code mainstay.gitea.required}.
 */
final class NeedsGitea implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return RealGitea.find().isPresent() || Boolean.getBoolean("mainstay.gitea.required")
        ? ConditionEvaluationResult.enabled("a real Gitea")
        : ConditionEvaluationResult.disabled("There is no real Gitea: bench/gitea builds one.");
  }
}
