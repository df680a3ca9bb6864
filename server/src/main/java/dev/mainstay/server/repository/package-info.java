/** The repositories of an organization. They come into being when something of theirs arrives. */
package dev.mainstay.server.repository;
