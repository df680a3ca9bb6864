/** Signing in at the team's own identity provider. What the provider answers is not trusted. */
package dev.mainstay.server.access.oidc;
