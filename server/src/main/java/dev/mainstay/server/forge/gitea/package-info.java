/** Gitea and Forgejo, which have the same API. */
package dev.mainstay.server.forge.gitea;
