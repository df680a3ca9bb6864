/** The rules of test health: what a test is, what a run says, which failures count. */
package dev.mainstay.core.health;
