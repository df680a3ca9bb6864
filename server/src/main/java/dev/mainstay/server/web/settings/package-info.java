/** Settings of a repository and of the organization, made of the API's own description. */
package dev.mainstay.server.web.settings;
