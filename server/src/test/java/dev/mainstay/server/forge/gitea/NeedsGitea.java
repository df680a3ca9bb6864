package dev.mainstay.server.forge.gitea;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips tests that need a real Gitea where none is named: they take as long as half of the rest.
 */
final class NeedsGitea implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return RealGitea.named().isPresent()
        ? ConditionEvaluationResult.enabled("a real Gitea")
        : ConditionEvaluationResult.disabled(
            "No real Gitea is named: MAINSTAY_GITEA=$(bench/gitea) does.");
  }
}
