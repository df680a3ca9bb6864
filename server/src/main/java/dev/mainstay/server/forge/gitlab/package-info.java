/** GitLab, at gitlab.com or elsewhere. */
package dev.mainstay.server.forge.gitlab;
