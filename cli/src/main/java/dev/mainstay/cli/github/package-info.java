/** Making the App by which GitHub is connected: a page on this machine that leads to GitHub. */
package dev.mainstay.cli.github;
