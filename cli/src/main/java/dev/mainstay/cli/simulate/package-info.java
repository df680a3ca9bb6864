/** The command simulate: a queue in made-up worlds, beside other policies, or under check. */
package dev.mainstay.cli.simulate;
