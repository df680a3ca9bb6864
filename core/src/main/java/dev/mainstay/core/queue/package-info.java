/**
 * The merge queue as data: its state, the events that come in, the actions that go out, and the
 * transitions of its entries. It decides nothing; {@code core.queue.rules} does. The files are many
 * because each noun of the queue has its own, and most are a few lines long.
 */
package dev.mainstay.core.queue;
