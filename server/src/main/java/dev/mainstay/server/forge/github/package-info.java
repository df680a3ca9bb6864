/** GitHub: github.com, its Enterprise Server, and ghe.com. */
package dev.mainstay.server.forge.github;
