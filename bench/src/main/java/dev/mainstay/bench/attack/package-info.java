/** What an attacker, a full disk and a wrong clock try, against nodes of their own. */
package dev.mainstay.bench.attack;
