/**
 * What a queue learns from its own past: how likely a pull request is to pass, how likely two are
 * to conflict, how long tests take. Small, explained, and the same wherever it is computed.
 */
package dev.mainstay.core.chance;
